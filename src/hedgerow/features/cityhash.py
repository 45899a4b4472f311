"""The first version of CityHash64, which CatBoost uses for categories.

A CatBoost model stores only the hashes of the categories, so they are needed to
find the split that a value belongs to. All numbers are unsigned 64-bit integers.
"""

from __future__ import annotations

_WHOLE = (1 << 64) - 1
_K0, _K1, _K2, _K3 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F, 0xC949D7C7509E6557
_MULTIPLIER = 0x9DDFEA08EB382D69


def city_hash(data: bytes) -> int:
    """Return the hash of a string of bytes.

    >>> hex(city_hash(b"hedgerow"))
    '0x7d2f28facb474332'
    """
    if len(data) <= 16:
        return _of_16(data)
    if len(data) <= 32:
        return _of_32(data)
    return _of_64(data) if len(data) <= 64 else _of_many(data)


def _of_16(data: bytes) -> int:
    size = len(data)
    if size > 8:
        last = _word(data, size - 8)
        return _joined(_word(data, 0), _turned(last + size, size)) ^ last
    if size >= 4:
        return _joined(size + (_word(data, 0, 4) << 3), _word(data, size - 4, 4))
    if size == 0:
        return _K2
    front = data[0] + (data[size // 2] << 8)
    back = size + (data[-1] << 2)
    return _mixed(front * _K2 ^ back * _K3) * _K2 & _WHOLE


def _of_32(data: bytes) -> int:
    size = len(data)
    a, b = _word(data, 0) * _K1, _word(data, 8)
    c, d = _word(data, size - 8) * _K2, _word(data, size - 16) * _K0
    return _joined(_turned(a - b, 43) + _turned(c, 30) + d, a + _turned(b ^ _K3, 20) - c + size)


def _of_64(data: bytes) -> int:
    size = len(data)
    last = _word(data, size - 16)
    first_sum, first_mix = _half_of_64(data, 0, _word(data, 0) + (size + last) * _K0, _word(data, 24))
    start = _word(data, 16) + _word(data, size - 32)
    second_sum, second_mix = _half_of_64(data, size - 32, start, _word(data, size - 8))
    both = _mixed((first_sum + second_mix) * _K2 + (second_sum + first_mix) * _K0)
    return _mixed(both * _K0 + first_mix) * _K2 & _WHOLE


def _half_of_64(data: bytes, at: int, a: int, z: int) -> tuple[int, int]:
    b, c = _turned(a + z, 52), _turned(a, 37)
    a += _word(data, at + 8)
    c += _turned(a, 7)
    a += _word(data, at + 16)
    return a + z, b + _turned(a, 31) + c


def _of_many(data: bytes) -> int:
    size = len(data)
    x, y, z = _word(data, 0), _word(data, size - 16) ^ _K1, _word(data, size - 56) ^ _K0
    v = _weak(data, size - 64, size, y)
    w = _weak(data, size - 32, size * _K1, _K0)
    z += _mixed(v[1]) * _K1
    x, y = _turned(z + x, 39) * _K1, _turned(y, 33) * _K1
    for at in range(0, (size - 1) // 64 * 64, 64):
        x = _turned(x + y + v[0] + _word(data, at + 16), 37) * _K1
        y = _turned(y + v[1] + _word(data, at + 48), 42) * _K1
        x, y, z = (x ^ w[1]) & _WHOLE, (y ^ v[0]) & _WHOLE, _turned(z ^ w[0], 33)
        v, w = _weak(data, at, v[1] * _K1, x + w[0]), _weak(data, at + 32, z + w[1], y)
        x, z = z, x
    return _joined(_joined(v[0], w[0]) + _mixed(y) * _K1 + z, _joined(v[1], w[1]) + x)


def _weak(data: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """Mix 32 bytes into two numbers, quickly."""
    last = _word(data, at + 24)
    first = a + _word(data, at)
    b = _turned(b + first + last, 21)
    a = first + _word(data, at + 8) + _word(data, at + 16)
    return (a + last) & _WHOLE, (b + _turned(a, 44) + first) & _WHOLE


def _joined(u: int, v: int) -> int:
    """Mix two numbers into one."""
    a = _mixed((u ^ v) * _MULTIPLIER)
    return _mixed((v ^ a) * _MULTIPLIER) * _MULTIPLIER & _WHOLE


def _mixed(x: int) -> int:
    x &= _WHOLE
    return x ^ (x >> 47)


def _turned(x: int, by: int) -> int:
    x &= _WHOLE
    return (x >> by | x << (64 - by)) & _WHOLE


def _word(data: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(data[at : at + size], "little")
