"""The way past the parsers into a websocket: it takes what browsers send, and nothing that a parser would judge."""

import asyncio
import gc
import weakref
from types import SimpleNamespace

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from mancala_site import serve as serving
from mancala_site.daphne_socket import SocketFactory
from mancala_site.openings import read
from mancala_site.requests import Entrance

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


class Application:
    """One websocket of an application, which answers when it is told to."""

    def __init__(self) -> None:
        self.server = serving.DrainServer(self._serve, endpoints=["tcp:0"])
        self.server.connections = {}
        factory = SocketFactory(self.server)
        factory.setProtocolOptions(autoPingTimeout=6, allowNullOrigin=True, maxFramePayloadSize=1000)
        self.transport = StringTransport()
        self.socket = factory.buildProtocol(None)
        self.says: asyncio.Queue[dict] = asyncio.Queue()
        self.hears: asyncio.Queue[dict] = asyncio.Queue()

    async def _serve(self, scope, receive, send):
        self.scope = scope
        while True:
            await self.hears.put(await receive())
            if self.hears.qsize() == 1 and (answer := await self.says.get()):
                await send(answer)

    async def is_asked(self, **headers: str) -> None:
        self.socket.begin(self.transport, read(asking(**headers)))
        await asyncio.sleep(0)

    async def answers(self, **message: str) -> None:
        self.says.put_nowait(message)
        for _ in range(3):
            await asyncio.sleep(0)

    @property
    def told(self) -> bytes:
        return self.transport.value()


@pytest.fixture
async def application():
    application = Application()
    yield application
    for details in application.server.connections.values():
        details["application_instance"].cancel()


async def test_who_comes_and_says_nothing_is_not_waited_for_without_end():
    transport = StringTransport()
    factory = SimpleNamespace(timeOut=0)
    Entrance(factory).makeConnection(transport)
    while not transport.disconnecting:
        await asyncio.sleep(0)


async def test_the_application_is_told_who_asks_for_what(application):
    await application.is_asked(Cookie="a=b")
    scope = application.scope
    assert (scope["type"], scope["path"], scope["query_string"], scope["subprotocols"]) == (
        "websocket",
        "/chat",
        b"",
        [],
    )
    assert dict(scope["headers"])[b"cookie"] == b"a=b"
    assert scope["client"] == ["192.168.1.1", 54321]  # the transport's


async def test_the_answer_goes_to_the_network_with_what_is_said_first(application):
    await application.is_asked()
    await application.answers(type="websocket.accept")
    assert application.told == b""
    application.socket.sendMessage(b"hello")
    head, _, rest = application.told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert rest == b"\x81\x05hello"
    application.socket.sendMessage(b"x")
    assert application.told.endswith(b"\x81\x05hello\x81\x01x")


async def test_who_is_not_let_in_is_told_so(application):
    await application.is_asked()
    await application.answers(type="websocket.close")
    assert application.told.startswith(b"HTTP/1.1 403 ")
    assert application.transport.disconnecting


async def test_what_is_said_before_the_answer_is_heard_after_it(application):
    await application.is_asked()
    application.socket.dataReceived(b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58")
    assert application.hears.qsize() == 1  # that it connects
    await application.answers(type="websocket.accept")
    assert application.hears.get_nowait() == {"type": "websocket.connect"}
    assert await application.hears.get() == {"type": "websocket.receive", "text": "Hello"}


async def test_a_frame_that_began_before_the_answer_is_read_to_its_end(application):
    """What follows of it looks like a text of its own."""
    await application.is_asked()
    application.socket.dataReceived(b"\x82\x8b\x00\x00\x00\x00")
    await application.answers(type="websocket.accept")
    rest = b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"
    application.socket.dataReceived(rest)
    application.hears.get_nowait()
    assert await application.hears.get() == {"type": "websocket.receive", "bytes": rest}


@pytest.mark.parametrize("is_let_in", [True, False])
async def test_a_socket_that_is_gone_leaves_nothing_to_the_garbage_collector(application, is_let_in):
    await application.is_asked()
    if is_let_in:
        await application.answers(type="websocket.accept")
    socket = weakref.ref(application.socket)
    application.transport.unregisterProducer()
    application.socket.connectionLost(Failure(ConnectionDone()))
    for details in application.server.connections.values():
        details["application_instance"].cancel()
    await asyncio.sleep(0)
    application.server.connections.clear()  # as Daphne does every second
    gc.disable()
    try:
        del application.socket, application.scope, details
        assert socket() is None
    finally:
        gc.enable()
