#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Trains a small transformer or a small residual net in several processes, and keeps gradients of some steps.

    tools/torch/small_models.py gpt --out out        4 workers, 200 steps; gradients of steps 10, 100 and 200
    tools/torch/small_models.py resnet --out out

The transformer has GPT-2's layers and learns the bytes of this repository's pages (docs/*.md); the residual net has
ResNet-50's kinds of layers and learns Fashion-MNIST. `inca trace measure` takes statistics from what is kept, and
tools/make-traces.py puts them on the rows of large models. Needs Debian's python3-torch, and dataset-fashion-mnist for
the residual net. Processes talk through gloo on this machine, each with one thread.
"""
import argparse
import os
import pathlib
import sys
import tempfile

import torch
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

import fashion
import inca_torch

STEPS = (10, 100, 200)  # whose gradients are kept; the last ends the training
WORKERS = 4
PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"


class Block(torch.nn.Module):
    """Half of it attention, half of it feed forward, as in GPT-2."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1 = torch.nn.LayerNorm(width)
        self.attn = torch.nn.Linear(width, 3 * width)
        self.attn_proj = torch.nn.Linear(width, width)
        self.ln_2 = torch.nn.LayerNorm(width)
        self.mlp = torch.nn.Linear(width, 4 * width)
        self.mlp_proj = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, sequence, width = x.shape
        query, key, value = (part.view(batch, sequence, self.heads, -1).transpose(1, 2)
                             for part in self.attn(self.ln_1(x)).split(width, 2))
        scores = query @ key.transpose(2, 3) / (width // self.heads) ** 0.5
        later = torch.ones(sequence, sequence, dtype=torch.bool).triu(1)
        mixed = scores.masked_fill(later, float("-inf")).softmax(3) @ value
        x = x + self.attn_proj(mixed.transpose(1, 2).reshape(batch, sequence, width))
        return x + self.mlp_proj(functional.gelu(self.mlp(self.ln_2(x))))


class Gpt(torch.nn.Module):
    """Of bytes; the output layer's weights are those of the embedding."""

    SEQUENCE = 64
    BATCH = 4

    def __init__(self, width=64, blocks=2, heads=4):
        super().__init__()
        self.wte = torch.nn.Embedding(256, width)
        self.wpe = torch.nn.Embedding(self.SEQUENCE, width)
        self.h = torch.nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.ln_f = torch.nn.LayerNorm(width)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                torch.nn.init.normal_(parameter, std=0.02)

    def forward(self, text):
        x = self.wte(text) + self.wpe(torch.arange(text.shape[1]))
        for block in self.h:
            x = block(x)
        return self.ln_f(x) @ self.wte.weight.T

    @staticmethod
    def data():
        text = b"".join(path.read_bytes() for path in sorted(PAGES.rglob("*.md")))
        return torch.frombuffer(bytearray(text), dtype=torch.uint8).long()

    def loss(self, model, text):
        begins = torch.randint(len(text) - self.SEQUENCE - 1, (self.BATCH,))
        pieces = torch.stack([text[begin:begin + self.SEQUENCE + 1] for begin in begins])
        return functional.cross_entropy(model(pieces[:, :-1]).flatten(0, 1), pieces[:, 1:].flatten())

    def optimizer(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


class Bottleneck(torch.nn.Module):
    def __init__(self, inputs, inner, stride):
        super().__init__()
        outputs = 4 * inner
        self.conv1 = torch.nn.Conv2d(inputs, inner, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(inner)
        self.conv2 = torch.nn.Conv2d(inner, inner, 3, stride, 1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(inner)
        self.conv3 = torch.nn.Conv2d(inner, outputs, 1, bias=False)
        self.bn3 = torch.nn.BatchNorm2d(outputs)
        self.downsample = None
        if inputs != outputs:
            self.downsample = torch.nn.Sequential(torch.nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                                  torch.nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        y = self.bn3(self.conv3(torch.relu(self.bn2(self.conv2(y)))))
        return torch.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet(torch.nn.Module):
    """Two bottlenecks in each of three stages."""

    BATCH = 16

    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 16, 3, padding=1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(16)
        inputs, blocks = 16, []
        for inner, stride in ((8, 1), (16, 2), (32, 2)):
            blocks += [Bottleneck(inputs, inner, stride), Bottleneck(4 * inner, inner, 1)]
            inputs = 4 * inner
        self.layers = torch.nn.Sequential(*blocks)
        self.fc = torch.nn.Linear(inputs, fashion.CLASSES)

    def forward(self, images):
        x = self.layers(torch.relu(self.bn1(self.conv1(images))))
        return self.fc(x.mean((2, 3)))

    @staticmethod
    def data():
        return fashion.read_images()

    def loss(self, model, data):
        images, labels = data
        chosen = torch.randint(len(labels), (self.BATCH,))
        return functional.cross_entropy(model(images[chosen].float() / 255), labels[chosen])

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), lr=0.05, momentum=0.9)


MODELS = {"gpt": Gpt, "resnet": ResNet}


def train(rank, arguments, meeting):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    torch.distributed.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=WORKERS)
    net = MODELS[arguments.model]()
    data = net.data()
    model = DistributedDataParallel(net)
    optimizer = net.optimizer()
    torch.manual_seed(1 + rank)  # each worker has batches of its own
    with inca_torch.record(model, arguments.out, values=STEPS, clock="cpu", name=f"small {arguments.model}"):
        for step in range(1, STEPS[-1] + 1):
            optimizer.zero_grad()
            loss = net.loss(model, data)
            loss.backward()
            optimizer.step()
            if rank == 0 and step in STEPS:
                print(f"step {step}: loss {loss.item():.3f}", flush=True)
    torch.distributed.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--out", required=True, help="a folder for the recording")
    arguments = parser.parse_args()
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        try:
            torch.multiprocessing.spawn(train, (arguments, os.path.join(folder, "meeting")), WORKERS)
        except torch.multiprocessing.ProcessRaisedException as error:
            sys.exit(str(error).strip().splitlines()[-1])


if __name__ == "__main__":
    main()
