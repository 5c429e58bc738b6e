"""The way past the parsers into a websocket: it takes what browsers send, and nothing that a parser would judge."""

import abc
import asyncio
import gc
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from uvicorn.server import ServerState

from mancala_site import serve as serving
from mancala_site.daphne_socket import SocketFactory
from mancala_site.openings import read
from mancala_site.requests import Entrance
from mancala_site.uvicorn_socket import AT_ONCE, Entrance as UvicornEntrance, Socket

# The example of RFC 6455, 1.2 and 1.3.
KEY, ACCEPT = "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
SAID = {
    "Host": "server.example.com",
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Key": KEY,
    "Origin": "http://example.com",
    "Sec-WebSocket-Version": "13",
}


def asking(line: str = "GET /chat HTTP/1.1", **other: str | None) -> bytes:
    """What a browser sends, with other headers; None: without that one."""
    said = SAID | {name.replace("_", "-"): value for name, value in other.items()}
    headers = "".join(f"{name}: {value}\r\n" for name, value in said.items() if value is not None)
    return f"{line}\r\n{headers}\r\n".encode("latin-1")


def test_the_example_of_the_rfc_is_let_in():
    opening = read(asking(Cookie="sessionid=a:b; theme=dark", Sec_WebSocket_Extensions="permessage-deflate; x"))
    assert (opening.path, opening.query) == ("/chat", b"")
    assert opening.headers["host"] == "server.example.com"
    assert opening.headers["cookie"] == "sessionid=a:b; theme=dark"
    head, *lines = opening.answer().decode().split("\r\n")
    assert head == "HTTP/1.1 101 Switching Protocols"
    assert sorted(lines) == ["", "", "Connection: Upgrade", f"Sec-WebSocket-Accept: {ACCEPT}", "Upgrade: WebSocket"]


def test_what_follows_the_path_is_the_query():
    opening = read(asking("GET /ws/v1/lobby/?again HTTP/1.1"))
    assert (opening.path, opening.query) == ("/ws/v1/lobby/", b"again")


ODD = {
    "a page": asking(Upgrade=None, Connection="keep-alive", Sec_WebSocket_Key=None, Sec_WebSocket_Version=None),
    "another method": asking("POST /chat HTTP/1.1"),
    "another version": asking("GET /chat HTTP/1.0"),
    "a whole address": asking("GET http://server.example.com/chat HTTP/1.1"),
    "a fragment": asking("GET /chat#end HTTP/1.1"),
    "parameters": asking("GET /chat;a=b HTTP/1.1"),
    "no host": asking(Host=None),
    "no key": asking(Sec_WebSocket_Key=None),
    "a key that is too short": asking(Sec_WebSocket_Key="dGhlIHNhbXBsZQ=="),
    "another websocket": asking(Sec_WebSocket_Version="8"),
    "another protocol": asking(Upgrade="h2c"),
    "an upgrade that is not meant": asking(Connection="keep-alive"),
    "no origin": asking(Origin=None),
    "an origin that is none": asking(Origin="null"),
    "an origin that cannot be read": asking(Origin="http://["),
    "a port that cannot be": asking(Origin="http://example.com:99999"),
    "a body": asking(Content_Length="3") + b"abc",
    "a body that is empty": asking(Content_Length="0"),
    "a body in chunks": asking(Transfer_Encoding="chunked"),
    "another root": asking(**{"Daphne-Root-Path": "/elsewhere"}),
    "a header twice": asking(host="elsewhere.example"),
    "a header without a value": asking(Cookie=""),
    "a header in another script": asking(Cookie="caf\xe9"),
    "a header with an underscore": asking().replace(b"Origin:", b"A_b: c\r\nOrigin:"),
    "a header in two lines": asking(Cookie="a\r\n b"),
    "a header that ends in a bare return": asking(Cookie="a\rb"),
    "a header with a space before the colon": asking().replace(b"Host:", b"Host :"),
    "a beginning": asking()[:-2],
    "more than that": asking() + b"\x81\x80\x00\x00\x00\x00",
    "too much": asking(Cookie="x" * 8_192),
    "nothing": b"",
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_everything_else_is_for_the_parsers(data):
    assert read(data) is None


# What the server makes of it --------------------------------------------------------------------


async def turns() -> None:
    """Until all that is ready has been done."""
    for _ in range(5):
        await asyncio.sleep(0)


class Application(abc.ABC):
    """One websocket of an application, which says and hears what the tests want."""

    socket: Any

    def __init__(self) -> None:
        self.says: asyncio.Queue[dict] = asyncio.Queue()
        self.hears: asyncio.Queue[dict] = asyncio.Queue()

    async def _serve(self, scope, receive, send):
        async def hear():
            while True:
                await self.hears.put(await receive())

        self.scope = scope
        hearing = asyncio.ensure_future(hear())
        try:
            while message := await self.says.get():
                await send(message)
        finally:
            hearing.cancel()

    async def is_asked(self, **headers: str) -> None:
        self.begin(asking(**headers))
        await turns()

    async def answers(self, **message: Any) -> None:
        self.says.put_nowait(message)
        await turns()

    @abc.abstractmethod
    def begin(self, data: bytes) -> None:
        """The first that comes from the network."""

    @abc.abstractmethod
    def receives(self, data: bytes) -> None:
        """Something comes from the network."""

    @abc.abstractmethod
    def is_lost(self) -> None:
        """The connection is, and the application ends."""

    @property
    @abc.abstractmethod
    def told(self) -> bytes:
        """What went to the network."""

    @property
    @abc.abstractmethod
    def is_closed(self) -> bool:
        """Whether the server has closed the connection."""


class OnDaphne(Application):
    def __init__(self) -> None:
        super().__init__()
        self.server = serving.DrainServer(self._serve, endpoints=["tcp:0"])
        self.server.connections = {}
        factory = SocketFactory(self.server)
        factory.setProtocolOptions(autoPingTimeout=6, allowNullOrigin=True, maxFramePayloadSize=1000)
        self.transport = StringTransport()
        self.socket = factory.buildProtocol(None)

    def begin(self, data: bytes) -> None:
        self.socket.begin(self.transport, read(data))

    def receives(self, data: bytes) -> None:
        self.socket.dataReceived(data)

    def is_lost(self) -> None:
        self.transport.unregisterProducer()
        self.socket.connectionLost(Failure(ConnectionDone()))
        self.ends()
        self.server.connections.clear()  # as Daphne does every second

    def ends(self) -> None:
        for details in self.server.connections.values():
            details["application_instance"].cancel()

    @property
    def told(self) -> bytes:
        return self.transport.value()

    @property
    def is_closed(self) -> bool:
        return self.transport.disconnecting


class OnUvicorn(Application):
    def __init__(self) -> None:
        super().__init__()
        config = uvicorn.Config(self._serve, interface="asgi3", ws=Socket, lifespan="off", log_config=None)
        config.load()
        self.state = ServerState()
        self.transport = UvicornTransport()
        self.entrance = UvicornEntrance(config=config, server_state=self.state, app_state={})
        self.entrance.connection_made(self.transport)

    def begin(self, data: bytes) -> None:
        self.entrance.data_received(data)
        self.socket = self.transport.protocol

    def receives(self, data: bytes) -> None:
        self.socket.data_received(data)

    def is_lost(self) -> None:
        self.socket.connection_lost(None)
        self.transport.protocol = None
        self.ends()

    def ends(self) -> None:
        self.says.put_nowait({})

    @property
    def told(self) -> bytes:
        return self.transport.network

    @property
    def is_closed(self) -> bool:
        return self.transport.is_closing()


class UvicornTransport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__({"peername": ("192.168.1.1", 54321), "sockname": ("127.0.0.1", 80)})
        self.network = b""
        self.protocol: Any = None
        self.closed = False

    def write(self, data: bytes) -> None:
        self.network += data

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        """What comes is given by the tests."""

    resume_reading = pause_reading


@pytest.fixture(params=[OnDaphne, OnUvicorn])
async def application(request):
    application = request.param()
    yield application
    application.ends()


async def test_who_comes_and_says_nothing_is_not_waited_for_without_end():
    transport = StringTransport()
    factory = SimpleNamespace(timeOut=0)
    Entrance(factory).makeConnection(transport)
    while not transport.disconnecting:
        await asyncio.sleep(0)


async def test_the_application_is_told_who_asks_for_what(application):
    await application.is_asked(Cookie="a=b")
    scope = application.scope
    said = (scope["type"], scope["path"], scope["query_string"], scope["subprotocols"])
    assert said == ("websocket", "/chat", b"", [])
    assert dict(scope["headers"])[b"cookie"] == b"a=b"
    assert tuple(scope["client"]) == ("192.168.1.1", 54321)  # the transport's


async def test_the_answer_goes_to_the_network_with_what_is_said_first(application):
    await application.is_asked()
    await application.answers(type="websocket.accept")
    assert application.told == b""
    await application.answers(type="websocket.send", text="hello")
    head, _, rest = application.told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert rest == b"\x81\x05hello"
    await application.answers(type="websocket.send", text="x")
    assert application.told.endswith(b"\x81\x05hello\x81\x01x")


async def test_who_is_not_let_in_is_told_so(application):
    await application.is_asked()
    await application.answers(type="websocket.close")
    assert application.told.startswith(b"HTTP/1.1 403 ")
    assert application.is_closed


async def test_what_is_said_before_the_answer_is_heard_after_it(application):
    await application.is_asked()
    application.receives(b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58")
    assert application.hears.qsize() == 1  # that it connects
    await application.answers(type="websocket.accept")
    assert application.hears.get_nowait() == {"type": "websocket.connect"}
    assert await application.hears.get() == {"type": "websocket.receive", "text": "Hello"}


async def test_a_frame_that_began_before_the_answer_is_read_to_its_end(application):
    """What follows of it looks like a text of its own."""
    await application.is_asked()
    application.receives(b"\x82\x8b\x00\x00\x00\x00")
    await application.answers(type="websocket.accept")
    rest = b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
    application.receives(rest)
    application.hears.get_nowait()
    assert await application.hears.get() == {"type": "websocket.receive", "bytes": rest}


async def test_a_frame_that_began_while_many_waited_is_read_to_its_end(application):
    """The same, where nobody has kept up with what came before."""
    await application.is_asked()
    await application.answers(type="websocket.accept")
    for _ in range(AT_ONCE):
        application.receives(b"\x81\x80\x00\x00\x00\x00")
    application.receives(b"\x82\x8b\x00\x00\x00\x00")
    while application.hears.qsize() < 1 + AT_ONCE:
        await asyncio.sleep(0)
    rest = b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
    application.receives(rest)
    for _ in range(1 + AT_ONCE):
        application.hears.get_nowait()
    assert await application.hears.get() == {"type": "websocket.receive", "bytes": rest}


@pytest.mark.parametrize("is_let_in", [True, False])
async def test_a_socket_that_is_gone_leaves_nothing_to_the_garbage_collector(application, is_let_in):
    await application.is_asked()
    if is_let_in:
        await application.answers(type="websocket.accept")
    socket = weakref.ref(application.socket)
    application.is_lost()
    await turns()
    while not application.hears.empty():
        application.hears.get_nowait()
    gc.disable()
    try:
        del application.socket, application.scope
        assert socket() is None
    finally:
        gc.enable()


# What is held, and the entrance, on uvicorn ------------------------------------------------------

ANSWER = b"HTTP/1.1 101 "
PING, PONG = b"\x89\x80\x37\xfa\x21\x3d", b"\x8a\x00"


@pytest.fixture
async def uvicorn_application():
    application = OnUvicorn()
    yield application
    application.ends()


def after_the_answer(told: bytes) -> bytes:
    head, _, rest = told.partition(b"\r\n\r\n")
    assert head.startswith(ANSWER)
    return rest


async def test_the_answer_goes_out_with_a_ping(uvicorn_application):
    await uvicorn_application.is_asked()
    await uvicorn_application.answers(type="websocket.accept")
    uvicorn_application.socket.send_keepalive_ping()
    assert after_the_answer(uvicorn_application.told)[:2] == b"\x89\x04"


async def test_when_the_server_stops_the_answer_goes_out_before_the_farewell(uvicorn_application):
    await uvicorn_application.is_asked()
    await uvicorn_application.answers(type="websocket.accept")
    uvicorn_application.socket.shutdown()
    assert after_the_answer(uvicorn_application.told) == b"\x88\x02\x03\xf4"  # 1012
    assert uvicorn_application.is_closed


@pytest.mark.parametrize("is_early", [True, False])
async def test_the_answer_goes_out_before_a_reply(application, is_early):
    await application.is_asked()
    if is_early:
        application.receives(PING)
    await application.answers(type="websocket.accept")
    if not is_early:
        application.receives(PING)
    assert after_the_answer(application.told) == PONG


async def test_of_what_is_held_nothing_goes_to_who_is_gone(uvicorn_application):
    """To write to a connection that is lost is an error on uvloop."""
    await uvicorn_application.is_asked()
    await uvicorn_application.answers(type="websocket.accept")
    uvicorn_application.socket.connection_lost(None)
    await uvicorn_application.answers(type="websocket.close", code=4404)
    assert uvicorn_application.told == b""


async def test_the_entrance_forgets_who_comes_and_who_goes_without_a_word(uvicorn_application):
    known = uvicorn_application.state.connections
    assert known == {uvicorn_application.entrance}
    uvicorn_application.entrance.connection_lost(None)
    assert known == set()


async def test_the_entrance_forgets_whom_it_has_handed_on(uvicorn_application):
    await uvicorn_application.is_asked()
    assert uvicorn_application.state.connections == {uvicorn_application.socket}
    uvicorn_application.is_lost()
    assert uvicorn_application.state.connections == set()


async def test_when_the_server_stops_who_has_said_nothing_is_sent_away(uvicorn_application):
    uvicorn_application.entrance.shutdown()
    assert uvicorn_application.is_closed
