#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""One process of what torch.distributed does over gloo; rank, world and master are as its environment says.

usage: ddp.py LAYERS WIDTH STEPS OUT     a DistributedDataParallel training: how long an iteration takes, and its trace
       ddp.py all-reduce MOST_BYTES      times of all-reduces, in the form of the Intel MPI Benchmarks
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


def all_reduces(most):
    """Prints what all-reduces of up to @p most bytes take, each from a barrier on."""
    dist.init_process_group("gloo")
    first = dist.get_rank() == 0
    if first:
        print(f"# Benchmarking Allreduce\n# #processes = {dist.get_world_size()}\n"
              "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]")
    size = 1024
    while size <= most:
        repetitions = 20 if size <= 1 << 16 else 5
        values = torch.zeros(size // 4)
        times = []
        for i in range(-2, repetitions):
            dist.barrier()
            begin = time.perf_counter()
            dist.all_reduce(values)
            times += [time.perf_counter() - begin] if i >= 0 else []
        least, most_of_it = torch.tensor([statistics.median(times)]), torch.tensor([statistics.median(times)])
        dist.all_reduce(least, dist.ReduceOp.MIN)
        dist.all_reduce(most_of_it, dist.ReduceOp.MAX)
        if first:
            print(f"{size} {repetitions} {least.item() * 1e6:.2f} {most_of_it.item() * 1e6:.2f} "
                  f"{statistics.median(times) * 1e6:.2f}", flush=True)
        size *= 2
    dist.destroy_process_group()


def train():
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
    all_reduces(int(sys.argv[2])) if sys.argv[1] == "all-reduce" else train()
