#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A whole example of inca_torch: a small convolutional net, trained by several processes on Fashion-MNIST.

    tools/torch/fashion_cnn.py --out out                               4 workers, 40 steps: out/trace.csv
    tools/torch/fashion_cnn.py --out out --workers 2 --values 1,50     and the gradients of steps 1 and 50

Needs Debian's python3-torch and dataset-fashion-mnist. Processes talk through gloo on this machine, each with one
thread. Everything that is drawn is drawn from --seed.
"""
import argparse
import os
import sys
import tempfile

import torch
from torch.nn.parallel import DistributedDataParallel

import fashion
import inca_torch

BATCH = 64  # per worker


def batches(count, arguments, rank):
    """Indices of this worker's images, step by step; every epoch is shuffled anew, alike on all workers."""
    order, used = None, count
    generator = torch.Generator().manual_seed(arguments.seed)
    all_workers = BATCH * arguments.workers
    for _ in range(arguments.steps):
        if used + all_workers > count:
            order, used = torch.randperm(count, generator=generator), 0
        begin = used + rank * BATCH
        yield order[begin:begin + BATCH]
        used += all_workers


def train(rank, arguments, meeting):
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    torch.distributed.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=arguments.workers)
    images, labels = fashion.read_images()
    model = DistributedDataParallel(fashion.FashionCnn())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = torch.nn.CrossEntropyLoss()
    right = seen = 0
    with inca_torch.record(model, arguments.out, values=arguments.values, clock="cpu", split_update=True,
                           name="FashionCnn, a small convolutional net on Fashion-MNIST"):
        for step, chosen in enumerate(batches(len(labels), arguments, rank), 1):
            optimizer.zero_grad()
            outputs = model(images[chosen].float() / 255)
            criterion(outputs, labels[chosen]).backward()
            optimizer.step()
            right += (outputs.argmax(1) == labels[chosen]).sum().item()
            seen += BATCH
            if rank == 0 and (step % 100 == 0 or step == arguments.steps):
                print(f"step {step}: {100 * right / seen:.1f} % right since the last line", flush=True)
                right = seen = 0
    torch.distributed.destroy_process_group()


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("from 1 on")
    return number


def step_list(text):
    return [positive(step) for step in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="a folder for the recording")
    parser.add_argument("--workers", type=positive, default=4)
    parser.add_argument("--steps", type=positive, default=40)
    parser.add_argument("--values", type=step_list, default=[], metavar="STEP,...")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        try:
            torch.multiprocessing.spawn(train, (arguments, os.path.join(folder, "meeting")), arguments.workers)
        except torch.multiprocessing.ProcessRaisedException as error:
            sys.exit(str(error).strip().splitlines()[-1].removeprefix("ValueError: "))
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
