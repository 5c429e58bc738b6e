"""What memory a process of the site takes while its engine searches: `python -m benchmarks.memory`, five minutes.

Once from nothing, while the endings are being found beside, and once more in a process that finds them on disk. Every
search takes all its time, and they look at many more positions than can be remembered. Linux only: /proc is read.
"""

import random
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.thinking import AT_ONCE, RULESET, SECONDS, ask, opening
from tests.processes import RedisServer, Server, free_port, wait_for

SEARCHES = 16
FIND_S = 300.0


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        layer = RedisServer(folder)
        layer.start()
        environment = {"DATA_DIR": name, "REDIS_URL": layer.url, "PORT": str(free_port()), "ADDRESS_SOLVES": "10000"}
        server = Server({**environment, "NUMBA_CACHE_DIR": f"{name}/compiled"}, folder / "log")
        server.manage("migrate").check_returncode()
        try:
            for begins in ("from nothing", "with all on disk"):
                server.start()
                print(f"{begins:40}{'all':>8}{'anonymous':>12}{'files':>8}{'shared':>8}   MB")
                _measure(server, folder / "engine" / "endings")
                server.terminate()
        finally:
            if server.is_running:
                server.kill()
            layer.stop()


def _measure(server: Server, endings: Path) -> None:
    _tell("started", server)
    wait_for(lambda: ask(server.port, RULESET.start(), 1)["compiled"], "the engine is compiled", within=60)
    _tell("compiled", server)
    _search(server)
    wait_for(lambda: len([*endings.glob("*.values")]) > 1, "the endings are found", within=FIND_S)
    for _ in range(2):
        _search(server)


def _search(server: Server) -> None:
    chance = random.Random(SEARCHES)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda position: ask(server.port, position, SECONDS), [opening(chance) for _ in range(SEARCHES)]))
    _tell(f"after {SEARCHES} searches of {SECONDS} s", server)


def _tell(when: str, server: Server) -> None:
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    kib = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.endswith(" kB")}
    shown = [kib[what] * 1024 / 1e6 for what in ("VmRSS", "RssAnon", "RssFile", "RssShmem")]
    print(f"  {when:38}{shown[0]:8.0f}{shown[1]:12.0f}{shown[2]:8.0f}{shown[3]:8.0f}", flush=True)


if __name__ == "__main__":
    main()
