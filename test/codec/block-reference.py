#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Block formats once more, in numpy, straight from their descriptions: `inca codec` must write the same bytes.

usage: block-reference.py INCA [TENSORS]

Draws TENSORS (1,000) tensors with zeros, subnormals, infinities and NaN, and codes each in every format. Elements are
found by looking for the nearest of all their values, in fp64; scales are computed in numpy's fp32 and fp16.
"""

import struct
import subprocess
import sys
import tempfile

import numpy

f32, f16 = numpy.float32, numpy.float16
INF, NAN = numpy.inf, numpy.nan


def minifloat(exponent, mantissa, bias, largest):
    """Magnitudes of codes 0 .. largest."""
    values = []
    for code in range(largest + 1):
        e, m = code >> mantissa, code & ((1 << mantissa) - 1)
        values.append(m / 2**mantissa * 2.0 ** (1 - bias) if e == 0 else (1 + m / 2**mantissa) * 2.0 ** (e - bias))
    return numpy.array(values)


# name: magnitudes, sign bit, NaN's code, whether -0 has a code
FLOATS = {
    "e4m3": (minifloat(4, 3, 7, 0x7E), 0x80, 0x7F, True),
    "e4m3fnuz": (minifloat(4, 3, 8, 0x7F), 0x80, 0x80, False),
    "e5m2": (minifloat(5, 2, 15, 0x7B), 0x80, 0x7F, True),
    "e3m2": (minifloat(3, 2, 3, 0x1F), 0x20, 0, True),
    "e2m3": (minifloat(2, 3, 1, 0x1F), 0x20, 0, True),
    "e2m1": (minifloat(2, 1, 1, 0x07), 0x08, 0, True),
}
INTEGERS = {"int8": 8, "int6": 6, "int4": 4, "int2": 2}


def nearest(element, scaled):
    """Codes of finite scaled values: nearest, ties to the even code, beyond the largest the largest."""
    values, sign, _, has_minus = FLOATS[element]
    magnitude = numpy.minimum(numpy.abs(scaled.astype(numpy.float64)), values[-1])
    above = numpy.clip(numpy.searchsorted(values, magnitude), 1, len(values) - 1)
    low, high = values[above - 1], values[above]
    up = (magnitude - low > high - magnitude) | ((magnitude - low == high - magnitude) & (above % 2 == 0))
    code = numpy.where(up, above, above - 1)
    minus = numpy.signbit(scaled) & (has_minus | (code > 0))
    return (code | numpy.where(minus, sign, 0)).astype(numpy.uint8)


def integers(bits, least, scaled):
    """What is no number, 0 times infinity, becomes 0."""
    clamped = numpy.clip(numpy.rint(scaled), least, 2 ** (bits - 1) - 1)
    return numpy.nan_to_num(clamped, nan=0).astype(numpy.int64)


def bits_of(element):
    return INTEGERS.get(element) or {"e3m2": 6, "e2m3": 6, "e2m1": 4}.get(element, 8)


def largest(element):
    return f32(FLOATS[element][0][-1]) if element in FLOATS else f32(2 ** (INTEGERS[element] - 1) - 1)


def packed(codes, bits):
    """The first code in the lowest bits."""
    planes = (codes.astype(numpy.uint8)[:, None] >> numpy.arange(bits)) & 1
    return numpy.packbits(planes.reshape(-1).astype(numpy.uint8), bitorder="little").tobytes()


def codes_of(element, scaled):
    if element in FLOATS:
        return nearest(element, scaled)
    bits = INTEGERS[element]
    return (integers(bits, -(2 ** (bits - 1)) + 1, scaled) & (2**bits - 1)).astype(numpy.uint8)


def spoilt(element, count):
    return numpy.full(count, FLOATS[element][2] if element in FLOATS else 0, numpy.uint8)


def groups_of(x, group):
    return [x[i : i + group] for i in range(0, len(x), group)]


def apart(x, group, element, code_group, tail=b""):
    codes, scales = [], b""
    for g in groups_of(x, group):
        c, s = code_group(g)
        codes.append(c)
        scales += s
    return packed(numpy.concatenate(codes), bits_of(element)) + scales + tail if codes else b""


def mx(element):
    emax = int(numpy.floor(numpy.log2(largest(element))))

    def code_group(g):
        m = numpy.max(numpy.abs(g))
        if not numpy.isfinite(m):
            return spoilt(element, len(g)), b"\xff"
        exponent = int(m.view(numpy.uint32) >> 23) - 127 - emax
        exponent = max(-127, min(127, exponent))
        scaled = g.astype(numpy.float64) * 2.0**-exponent
        return codes_of(element, scaled), bytes([exponent + 127])

    return lambda x, row: apart(x, 32, element, code_group)


def nvfp4(x, row):
    if len(x) == 0:
        return b""
    whole = numpy.max(numpy.abs(x))
    with numpy.errstate(all="ignore"):
        ge = f32(2688) / whole
    ge = f32(1) if whole == 0 or ge == 0 else numpy.minimum(ge, numpy.finfo(f32).max)

    def code_group(g):
        m = numpy.max(numpy.abs(g))
        if not numpy.isfinite(m) or numpy.isnan(whole):
            return spoilt("e2m1", len(g)), b"\x7f"
        wanted = numpy.minimum(f32(448), f32(m / f32(6)) * ge)
        stored = nearest("e4m3", numpy.array([wanted]))[0]
        t = f32(FLOATS["e4m3"][0][stored]) * (f32(1) / ge)
        with numpy.errstate(all="ignore"):
            factor = numpy.minimum(f32(1) / t, numpy.finfo(f32).max)
            scaled = numpy.clip(g * factor, f32(-6), f32(6))
        return nearest("e2m1", scaled), bytes([stored])

    whole_bytes = struct.pack("<I", 0x7FC00000) if numpy.isnan(whole) else whole.tobytes()
    return apart(x, 16, "e2m1", code_group, whole_bytes)


def half(x):
    """fp16, where finite values that overflow become the largest."""
    x = numpy.asarray(x)
    held = numpy.where(numpy.isfinite(x), numpy.clip(x, -65504, 65504), x)
    with numpy.errstate(all="ignore"):
        return held.astype(f16)


def quickreduce(element):
    bits = bits_of(element)
    order = {"int8": [0, 2, 1, 3, 4, 6, 5, 7]}.get(element, range(8))

    def code_group(g):
        if not numpy.all(numpy.isfinite(g)):
            return spoilt(element, len(g)), f16(NAN)
        high, low = numpy.max(g), numpy.min(g)
        if element in FLOATS:
            d = half(f32(numpy.max(numpy.abs(g))) * f32(f16(1 / 240)))
        else:
            low = f16(-0.0) if low == 0 and numpy.any(numpy.signbit(g)) else low  # -0 is below +0
            m = high if abs(high) > abs(low) else low
            d = half(f32(m) * f32(-1 / 2 ** (bits - 1)))
        with numpy.errstate(all="ignore"):
            e = half(numpy.float64(1) / numpy.float64(half(numpy.float64(d) + 2.0**-24)))
            w = half(g.astype(f32) * f32(e))
        if element in FLOATS:
            return nearest(element, w.astype(f32)), d
        return (integers(bits, -(2 ** (bits - 1)), w.astype(f32)) + 2 ** (bits - 1)).astype(numpy.uint8), d

    def stream(x, row):
        x = half(numpy.concatenate([x, numpy.zeros(-len(x) % 2048, f32)]))
        out = b""
        for atom in groups_of(x, 2048):
            codes = numpy.zeros(2048, numpy.uint8)
            scales = numpy.zeros(64, f16)
            for block in range(32):
                for parity in range(2):
                    places = block * 64 + parity + 2 * numpy.arange(32)
                    codes[places], scales[2 * block + parity] = code_group(atom[places])
            eights = codes.reshape(-1, 8).astype(numpy.uint64)
            if bits == 8:
                out += eights[:, order].astype(numpy.uint8).tobytes()
            else:
                words = numpy.zeros(256, numpy.uint64)
                tops = numpy.zeros(256, numpy.uint64)
                for i in range(8):
                    shift = numpy.uint64(4 * (i // 2) + 16 * (i % 2))
                    words |= (eights[:, i] & numpy.uint64(15)) << shift
                    tops |= (eights[:, i] >> numpy.uint64(4)) << numpy.uint64(2 * i)
                out += words.astype(numpy.uint32).tobytes()
                out += tops.astype(numpy.uint16).tobytes() if bits == 6 else b""
            out += scales.view(numpy.uint16).tobytes() if not numpy.any(numpy.isnan(scales)) else numpy.where(
                numpy.isnan(scales), 0x7E00, scales.view(numpy.uint16)
            ).astype(numpy.uint16).tobytes()
        return out

    return stream


def fp32_bytes(value):
    return struct.pack("<I", 0x7FC00000) if numpy.isnan(value) else f32(value).tobytes()


def torchft(x, row):
    out = b""
    for g in groups_of(x, row):
        m = numpy.max(numpy.abs(g))
        if not numpy.isfinite(m):
            s, codes = f32(NAN), spoilt("e4m3", len(g))
        else:
            with numpy.errstate(all="ignore"):
                s = f32(448) / m
            s = f32(1) if numpy.isinf(s) else s
            codes = nearest("e4m3", g * s)
        out += fp32_bytes(s) + codes.tobytes() + bytes(-len(codes) % 4)
    return out


def loongforge(x, row):
    def code_group(g):
        m = numpy.max(numpy.abs(g))
        if not numpy.isfinite(m):
            return spoilt("e4m3", len(g)), fp32_bytes(NAN)
        s = m / f32(448)
        if s < numpy.finfo(f32).tiny:
            return numpy.zeros(len(g), numpy.uint8), fp32_bytes(0)
        return nearest("e4m3", g * (f32(1) / s)), fp32_bytes(s)

    return apart(numpy.concatenate([x, numpy.zeros(-len(x) % 2048, f32)]), 256, "e4m3", code_group)


def zeropp(x, row):
    def code_group(g):
        m = numpy.max(numpy.abs(g))
        if not numpy.isfinite(m):
            return spoilt("int4", len(g)), fp32_bytes(NAN)
        with numpy.errstate(all="ignore"):
            s = f32(1) if m == 0 else f32(16) / (f32(2) * m)
            scaled = g * s
            inverse = f32(1) / s
        return (integers(4, -8, scaled) & 15).astype(numpy.uint8), fp32_bytes(inverse)

    return apart(x, row, "int4", code_group)


def rotated(x, size):
    x = numpy.concatenate([x, numpy.zeros(-len(x) % size, f32)]).copy()
    step = 1
    while step < size:
        pairs = x.reshape(-1, 2, step)
        with numpy.errstate(all="ignore"):
            x = numpy.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)
        step *= 2
    return x


def divided(element, group, rotation=1):
    def code_group(g):
        m = numpy.max(numpy.abs(g))
        if not numpy.isfinite(m):
            return spoilt(element, len(g)), fp32_bytes(NAN)
        s = m / largest(element)
        if s == 0:
            return codes_of(element, numpy.copysign(f32(0), g)), fp32_bytes(s)
        return codes_of(element, g / s), fp32_bytes(s)

    return lambda x, row: apart(rotated(x, rotation), group, element, code_group)


FORMATS = {
    "mxfp8": mx("e4m3"),
    "mxfp8-e5m2": mx("e5m2"),
    "mxfp6": mx("e3m2"),
    "mxfp6-e2m3": mx("e2m3"),
    "mxfp4": mx("e2m1"),
    "nvfp4": nvfp4,
    "quickreduce-fp8": quickreduce("e4m3fnuz"),
    "quickreduce-q8": quickreduce("int8"),
    "quickreduce-q6": quickreduce("int6"),
    "quickreduce-q4": quickreduce("int4"),
    "torchft-fp8": torchft,
    "loongforge-fp8": loongforge,
    "zeropp-int4": zeropp,
    "sdp4bit": divided("int8", 512, 32),
    "sdp4bit-between": divided("int4", 128, 32),
    "int2/64/fp32": divided("int2", 64),
}


def drawn(random):
    """A tensor of normal values, of a size that is no multiple of much, with what is not normal put in here and there."""
    count = int(random.integers(1, 5000))
    x = (random.standard_normal(count) * 10.0 ** random.integers(-6, 4)).astype(f32)
    x *= random.random(count) > random.choice([0, 0.5, 0.99])
    odd = f32([0.0, -0.0, 1e-45, -1e-40, 1.1754942e-38, 6e-8, 65504, 70000, 3.4028235e38, 1e-30])
    if random.random() < 0.3:
        odd = numpy.append(odd, f32([INF, -INF, NAN]))
    places = random.random(count) < random.choice([0, 0.001, 0.02])
    x[places] = random.choice(odd, numpy.count_nonzero(places))
    return x


def main():
    inca, tensors = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    random = numpy.random.default_rng(33)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, reference in FORMATS.items():
            # One run of the program a format would hide borders of messages, so each tensor is one.
            random = numpy.random.default_rng(33)
            for i in range(tensors):
                x = drawn(random)
                row = int(random.integers(1, 600))
                x.tofile(folder + "/in")
                command = [inca, "codec", "encode", "--codec", "block", "--format", name, folder + "/in", folder + "/out"]
                command[7:7] = ["--row", str(row)] if name in ("torchft-fp8", "zeropp-int4") else []
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                with open(folder + "/out", "rb") as out:
                    got = out.read()
                expected = reference(x, row)
                if got != expected:
                    at = next((k for k in range(min(len(got), len(expected))) if got[k] != expected[k]), -1)
                    print(f"{name}, tensor {i} of {len(x)} values: {len(got)} and {len(expected)} bytes, differ from byte {at}")
                    wrong += 1
                    break
            print(f"{name}: {tensors} tensors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
