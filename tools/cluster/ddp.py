#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""One process of a DistributedDataParallel training over gloo: how long an iteration takes, and its trace.

usage: ddp.py LAYERS WIDTH STEPS OUT; rank, world and master as torch.distributed's environment says
"""
import os
import pathlib
import statistics
import sys
import time

import torch
import torch.distributed as dist

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "torch"))
import inca_torch  # noqa: E402


def main():
    layers, width, steps, out = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    torch.set_num_threads(1)
    torch.manual_seed(1)
    dist.init_process_group("gloo")
    parts = [torch.nn.Linear(width, width) for _ in range(layers)]
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*parts))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    items = torch.randn(4, width)

    def step():
        optimizer.zero_grad()
        model(items).square().mean().backward()
        optimizer.step()

    with inca_torch.record(model, out, steps=steps, skip=3, clock="cpu"):
        for _ in range(steps + 3):
            step()
    times = []
    for _ in range(steps):
        dist.barrier()
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    longest = torch.tensor(times)
    dist.all_reduce(longest, dist.ReduceOp.MAX)
    if dist.get_rank() == 0:
        (pathlib.Path(out) / "iteration_s").write_text(f"{statistics.median(longest.tolist()):.9f}\n")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "eth0")
    main()
