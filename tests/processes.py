"""Real processes for tests: redis-server, nginx and the site's own server, on free ports of 127.0.0.1. Knows no game.

Started by the fixtures of conftest.py, which also end them.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import redis

from tests.patience import PATIENCE_S

PROJECT = Path(__file__).resolve().parent.parent

_FEATURES_OFF = (
    # A list of one's own takes the place of Playwright's, so here is what matters of that one: all is painted at once,
    # and http is not tried as https.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable"),
    *("HttpsUpgrades", "LensOverlay", "MediaRouter", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "NetworkTimeServiceQuerying", "ThirdPartyStoragePartitioning"),
    # And what nobody sees: pages drawn in advance for the address bar of every window, processes kept ready for the
    # next site. They took a quarter of the time of a short game between two.
    *("AimEnabled", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"),
)
CHROMIUM_OPTIONS = (
    *("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"),
    f"--disable-features={','.join(_FEATURES_OFF)}",
)

Answer = TypeVar("Answer")


def free_port() -> int:
    """A TCP port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(condition: Callable[[], Answer], what: str, within: float = PATIENCE_S) -> Answer:
    """The first true answer of `condition`; an AssertionError naming `what` if there is none `within` seconds."""
    end = time.monotonic() + within
    while not (answer := condition()):
        assert time.monotonic() < end, f"not within {within} s: {what}"
        time.sleep(0.02)
    return answer


def chromium_path() -> str:
    """The Chromium of this machine; best the one without windows, which takes a quarter less time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    path = next(filter(None, map(shutil.which, names)), None)
    assert path, f"no browser installed: looked for {', '.join(names)}"
    return path


class RedisServer:
    """A redis-server of its own that keeps nothing on disk. Stopping it loses what it held, as a crash would."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it (again, on the same port) and wait until it answers."""
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self._folder}
        command = ["redis-server", *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_for(self._answers, "redis-server answers")

    def stop(self) -> None:
        """End it as its service manager would."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without notice."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Let it hang: connections stay open, nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on after `pause`."""
        self._signal(signal.SIGCONT)

    def ask(self, *command: str) -> object:
        """What Redis answers to a command."""
        with redis.Redis.from_url(self.url, socket_timeout=PATIENCE_S) as client:
            return client.execute_command(*command)

    def _answers(self) -> bool:
        try:
            return bool(self.ask("PING"))
        except redis.RedisError:
            return False

    def _end(self, how: signal.Signals) -> None:
        if self._process:
            self.resume()
            self._signal(how)
            self._process.wait(PATIENCE_S)
            self._process = None

    def _signal(self, which: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(which)


class PostgreSQL:
    """A PostgreSQL of its own, reached through a socket in its folder, where one is installed (`is_there`)."""

    def __init__(self) -> None:
        self._programs = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
        self._folder = Path(tempfile.mkdtemp(prefix="mancala-pg-", dir="/tmp"))  # its socket's path has to be short
        self._data = self._folder / "data"
        self.url = f"postgres://postgres@/mancala?host={self._folder}"

    @property
    def is_there(self) -> bool:
        return self._programs is not None

    def start(self) -> "PostgreSQL":
        """Make it, start it, and wait until it answers."""
        if os.geteuid() == 0:  # it refuses to run as root
            shutil.chown(self._folder, "postgres", "postgres")
        self._run("initdb", "--username=postgres", "--auth=trust", "--no-sync", "--pgdata", self._data)
        self._serve()
        self.create("mancala")
        return self

    def kill(self) -> None:
        """End it without notice; what was committed is kept."""
        os.kill(self.pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """Of the first of its processes."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def start_again(self) -> None:
        """Start it after `kill`, once the last of its processes has noticed, and wait until it answers."""
        wait_for(self._has_started, "PostgreSQL has started again", within=60)

    def create(self, name: str) -> str:
        """The address of another, empty database."""
        self._run("createdb", "--host", self._folder, "--username=postgres", name)
        return self.url.replace("/mancala?", f"/{name}?")

    def stop(self) -> None:
        """End it and forget what it held."""
        if self._data.exists():
            self._run("pg_ctl", "stop", "--mode=immediate", "--pgdata", self._data)
        shutil.rmtree(self._folder)

    def _has_started(self) -> bool:
        try:
            self._serve()
        except subprocess.CalledProcessError:
            return False
        return True

    def _serve(self) -> None:
        quick = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "--pgdata", self._data, "--options", quick, "--log", "/dev/null")

    def _run(self, program: str, *arguments: object) -> None:
        as_other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        assert self._programs
        command = [*as_other, str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


class Nginx:
    """The nginx of deploy/nginx.conf on a free port, with a certificate that nobody has signed, before some servers."""

    def __init__(self, folder: Path, ports: Iterable[int], *, port: int, also: str = "") -> None:
        self.port = port
        self.url = f"https://localhost:{port}"
        self._folder = folder
        folder.mkdir()
        for name, source in {"mancala.conf": "nginx.conf", "mancala-upstream.conf": "upstream.conf"}.items():
            text = (PROJECT / "deploy" / source).read_text()
            text = re.sub(r"server 127\.0\.0\.1:8001;", "".join(f"server 127.0.0.1:{port};" for port in ports), text)
            text = re.sub(r" *(server 127\.0\.0\.1:8002|listen \[::\]:\d+.*);\n", "", text)
            text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
            text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ").replace("/etc/ssl/mancala", str(folder))
            (folder / name).write_text(text)
        temporary = "".join(
            f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/error.log warn; events {{ worker_connections 256; }}\n"
            f"http {{ access_log {folder}/access.log; {temporary} {also} include mancala.conf; }}\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Nginx":
        """Start it and wait until it listens."""
        key, certificate = self._folder / "privkey.pem", self._folder / "fullchain.pem"
        made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        subprocess.run(
            [*made.split(), "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
            check=True,
            capture_output=True,
        )
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "nginx is not installed"
        self._process = subprocess.Popen([program, "-p", self._folder, "-c", self._folder / "nginx.conf"])
        wait_for(self._listens, "nginx listens")
        return self

    def stop(self) -> None:
        """End it."""
        if self._process:
            self._process.terminate()
            self._process.wait(PATIENCE_S)

    @property
    def certificate(self) -> Path:
        return self._folder / "fullchain.pem"

    @property
    def log(self) -> str:
        """What it had to complain of."""
        return (self._folder / "error.log").read_text()

    def _listens(self) -> bool:
        assert self._process
        assert self._process.poll() is None, "nginx did not start"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Server:
    """One `python -m mancala_site.serve`. Ended with `terminate` or `kill`, it can be started again on its port."""

    program: tuple[str, ...] = ("mancala_site.serve",)

    def __init__(self, environment: dict[str, str], log: Path, arguments: Iterable[str] = (), fd: int | None = None):
        self.port = int(environment["PORT"])
        self.url = f"http://127.0.0.1:{self.port}"
        self.may_log_tracebacks = False
        self._environment = {**os.environ, **environment}
        self.database = environment.get("DATABASE_URL", "").removeprefix("sqlite:///")
        """Its file, if one was named."""
        self._log = log
        self._arguments = tuple(arguments)
        self._fds = () if fd is None else (fd,)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        """Start it and wait until it answers over HTTP."""
        self.launch()
        return self.answers()

    def launch(self) -> None:
        """Start it without waiting."""
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background would pass on its deafness
        command = [sys.executable, "-m", *self.program, *self._arguments]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=PROJECT, env=self._environment, stdout=log, stderr=log, pass_fds=self._fds
            )

    def answers(self) -> "Server":
        """Wait until it answers over HTTP."""
        wait_for(self._answers_or_ended, f"{self.url} answers", within=60)
        assert self.is_running, f"the server did not start:\n{self.log}"
        return self

    def ask_to_end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send it a signal, without waiting."""
        assert self._process
        self._process.send_signal(how)

    def terminate(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Have it end; its exit code."""
        self.ask_to_end(how)
        return self.wait()

    def kill(self) -> None:
        """End it without notice."""
        self.terminate(signal.SIGKILL)

    def wait(self, within: float = PATIENCE_S) -> int:
        """The exit code, once it has ended by itself."""
        assert self._process
        return self._process.wait(within)

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A management command with this server's settings."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=PROJECT, env=self._environment, capture_output=True, text=True, timeout=60, check=False
        )

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    @property
    def resident_kib(self) -> int:
        """Its memory, in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """All it has printed so far, over all its starts."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def _answers_or_ended(self) -> bool:
        return self._answers() or not self.is_running

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=PATIENCE_S):  # which is had for less than a page
                return True
        except urllib.error.HTTPError as answer:
            answer.close()
            return True
        except OSError:
            return False
