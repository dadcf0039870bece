#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A whole example of inca_accuracy: how well a net learns clothes (or digits) with the gradients of an exchange.

    tools/torch/fashion_accuracy.py --model hdc --scenario inc-c.toml --seeds 1,2,3 --epochs 17 --out curves/

writes curves/inc-c-1.csv and so on, for `inca accuracy`; where the scenario has systems ([[sweep.system]]), curves of
each, by their labels. `hdc` has the size of INCEPTIONN's net for handwritten digits
(784-500-500-10), `cnn` is that of fashion_cnn.py. Seeds are trained side by side, and the same command goes on after
Ctrl-C. Needs Debian's python3-torch, and for its default data dataset-fashion-mnist. libopenblas0-serial makes it some
20 times faster than the BLAS that comes with python3-torch.
"""
import argparse
import functools
import hashlib
import os
import pathlib
import re
import sys
import tomllib

import torch

import fashion
import inca_accuracy

MODELS = {  # items per worker and step, and rate, if nothing else is said
    "hdc": (fashion.Hdc, "hdc, 784-500-500-10, ReLU", 25, 0.1),
    "cnn": (fashion.FashionCnn, "cnn, 2 convolutions and 2 fully connected layers, ReLU", 64, 0.05),
}


class Pixels(torch.nn.Module):
    """Bytes become numbers from 0 to 1."""

    def forward(self, images):
        return images.float() / 255


def systems(arguments):
    """(name, settings) of each [[sweep.system]] of the scenario that is asked for; of one without any, itself."""
    with open(arguments.scenario, "rb") as file:
        found = tomllib.load(file).get("sweep", {}).get("system", [])
    known = {system["label"]: system["set"] for system in found}
    unknown = [label for label in arguments.system or () if label not in known]
    if unknown:
        raise inca_accuracy.IncaError(f"--system: {arguments.scenario} has no system {unknown[0]!r}; it has "
                                      f"{', '.join(known)}")
    if arguments.system and arguments.name:
        raise inca_accuracy.IncaError("--name is for the scenario as it stands; systems have names.")
    if not known or arguments.name:
        return [(arguments.name or pathlib.Path(arguments.scenario).stem, [])]
    labels = arguments.system or known
    return [(re.sub("[^a-z0-9]+", "-", label.lower()).strip("-"), known[label]) for label in labels]


def train(arguments, name, settings, seed, progress):
    """One curve."""
    model, title, batch, rate = MODELS[arguments.model]
    digest = hashlib.sha256()  # of the four plain files, one after the other
    try:
        data, test = (fashion.read_images(part, arguments.data, digest) for part in ("train", "t10k"))
    except ValueError as error:
        raise inca_accuracy.IncaError(error) from None
    source = os.path.basename(os.path.normpath(arguments.data))
    inca_accuracy.train(
        lambda: torch.nn.Sequential(Pixels(), model()),
        functools.partial(torch.optim.SGD, lr=arguments.rate or rate, momentum=arguments.momentum), data, test,
        scenario=arguments.scenario, settings=[*settings, *arguments.set], workers=arguments.workers,
        batch=arguments.batch or batch, epochs=arguments.epochs, seed=seed, average=arguments.average,
        error_feedback=arguments.error_feedback, evaluate_every=arguments.evaluate_every,
        curve=os.path.join(arguments.out, f"{name}-{seed}.csv"),
        notes={"model": title, "data": f"{source}, sha256 {digest.hexdigest()}"}, progress=progress)


def positive(kind):
    def parse(text):
        number = kind(text)
        if number <= 0:
            raise argparse.ArgumentTypeError("must be more than 0")
        return number
    return parse


def seed_list(text):
    return sorted({int(seed) for seed in text.split(",")})


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=MODELS, default="hdc")
    parser.add_argument("--scenario", required=True, help="whose exchange the gradients go through")
    parser.add_argument("--system", action="append", metavar="LABEL", help="one of the scenario's [[sweep.system]]; "
                        "all, if none is named")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as of inca run")
    parser.add_argument("--workers", type=positive(int), help="instead of the scenario's")
    parser.add_argument("--seeds", type=seed_list, default=[1], metavar="SEED,...")
    parser.add_argument("--epochs", type=positive(float), default=17)
    parser.add_argument("--batch", type=positive(int), help="images per worker and step (25 of hdc, 64 of cnn)")
    parser.add_argument("--rate", type=positive(float), help="of SGD (0.1 for hdc, 0.05 for cnn)")
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--average", choices=("after", "before"), default="after",
                        help="divide the sum by the workers, or each gradient before it is sent")
    parser.add_argument("--error-feedback", action="store_true", help="workers keep what their encoders lose")
    parser.add_argument("--evaluate-every", type=positive(int), default=200, metavar="STEPS")
    parser.add_argument("--data", default=fashion.DATA, help="a folder with the four IDX files, gzip or plain")
    parser.add_argument("--out", required=True, help="a folder for the curves")
    parser.add_argument("--name", help="of the curves of the scenario as it stands, without its systems")
    return parser.parse_args()


def main():
    arguments = parse()
    os.makedirs(arguments.out, exist_ok=True)
    try:
        for name, settings in systems(arguments):
            inca_accuracy.side_by_side(functools.partial(train, arguments, name, settings), arguments.seeds)
    except (inca_accuracy.IncaError, OSError, tomllib.TOMLDecodeError, KeyError) as error:
        print(f"fashion_accuracy: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from the last evaluation of each seed.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
