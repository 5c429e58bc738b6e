"""Under which names and addresses other devices reach this machine. Sends no packet to find out."""

import ipaddress
import socket

_SOMEWHERE = ("10.255.255.255", "172.31.255.255", "192.168.255.255", "2001:db8::1")  # private and documentation only


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def of_this_machine() -> tuple[str, ...]:
    """Its addresses except loopback ones, as they stand in a URL, the one used for the local network first."""
    found = dict.fromkeys([*map(_used_towards, _SOMEWHERE), *_known_as(socket.gethostname())])
    return tuple(_in_url(address) for address in found if address and _reaches_others(address))


def names_of_this_machine() -> tuple[str, ...]:
    """Its host name, as it is and as local networks announce it."""
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local") if name else ()


def _used_towards(address: str) -> _Address | None:
    """The address that packets to `address` would carry as their sender; none is sent."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            return _parse(probe.getsockname()[0])
    except OSError:  # no network of that kind
        return None


def _known_as(name: str) -> list[_Address | None]:
    try:
        found = socket.getaddrinfo(name, None)
    except OSError:  # a machine that does not know its own name
        return []
    return [_parse(str(where[0])) for *_, where in found]


def _parse(text: str) -> _Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _reaches_others(address: _Address) -> bool:
    return not (address.is_loopback or address.is_link_local)


def _in_url(address: _Address) -> str:
    return f"[{address}]" if isinstance(address, ipaddress.IPv6Address) else str(address)
