#!/usr/bin/env python3
"""How fast this machine's GPU codes low-bit formats: codec.encode_rate, codec.decode_rate and codec.start_cost of a scenario.

usage: tools/torch/codec_rates.py      needs a CUDA device, PyTorch and Triton

Two Triton kernels turn gradients of bf16 into mxfp8 (e4m3, 32 values a scale) and back. A rate is of plain fp32 bytes, as
scenarios have it. The start is what one kernel takes when it has little to do, launched one after the other.
"""

import sys
import time

try:
    import torch
    import triton
    import triton.language as tl
except ImportError as error:
    sys.exit(f"codec_rates.py: {error}; it needs PyTorch and Triton")


@triton.jit
def encode(values, codes, scales, rows: tl.constexpr):
    row = tl.program_id(0) * rows + tl.arange(0, rows)
    place = row[:, None] * 32 + tl.arange(0, 32)[None, :]
    value = tl.load(values + place).to(tl.float32)
    exponent = (tl.max(tl.abs(value), 1).to(tl.int32, bitcast=True) >> 23) - 127 - 8
    exponent = tl.minimum(tl.maximum(exponent, -127), 127)
    factor = ((127 - exponent) << 23).to(tl.float32, bitcast=True)
    scaled = tl.minimum(tl.maximum(value * factor[:, None], -448.0), 448.0)
    tl.store(codes + place, scaled.to(tl.float8e4nv))
    tl.store(scales + row, (exponent + 127).to(tl.uint8))


@triton.jit
def decode(codes, scales, values, rows: tl.constexpr):
    row = tl.program_id(0) * rows + tl.arange(0, rows)
    place = row[:, None] * 32 + tl.arange(0, 32)[None, :]
    factor = (tl.load(scales + row).to(tl.int32) << 23).to(tl.float32, bitcast=True)
    tl.store(values + place, (tl.load(codes + place).to(tl.float32) * factor[:, None]).to(tl.bfloat16))


def launches(count, rows=64):
    """The two kernels over so many values."""
    values = torch.randn(count, device="cuda", dtype=torch.bfloat16)
    codes = torch.empty(count, device="cuda", dtype=torch.float8_e4m3fn)
    scales = torch.empty(count // 32, device="cuda", dtype=torch.uint8)
    grid = (count // 32 // rows,)
    return (lambda: encode[grid](values, codes, scales, rows), lambda: decode[grid](codes, scales, values, rows))


def main():
    if not torch.cuda.is_available():
        sys.exit("codec_rates.py: there is no CUDA device")
    print(torch.cuda.get_device_name())
    for count in (1 << 20, 1 << 24, 1 << 28):
        rates = [4 * count / triton.testing.do_bench(kernel, warmup=20, rep=100) / 1e9 for kernel in launches(count)]
        print(f'{count >> 20} Mi values: encode_rate = "{rates[0]:.2f}TBps", decode_rate = "{rates[1]:.2f}TBps"')
    kernels, times = launches(1 << 16), 1000
    for kernel in kernels:
        kernel()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for i in range(times):
        kernels[i % 2]()
    torch.cuda.synchronize()
    print(f'start_cost = "{(time.perf_counter() - begin) / times * 1e6:.1f}us"')


if __name__ == "__main__":
    main()
