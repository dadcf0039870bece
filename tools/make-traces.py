#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the shipped traces (traces/*.csv, examples/netzip/*.csv) from the figures they rest on.

The figures of INCEPTIONN (MICRO 2018, DOI 10.1109/MICRO.2018.00023) and of NetZIP's run of 512 GPUs
(MICRO 2025) are in this file, the models of homomorphic compression in sparse_models.py, transformers in
transformer_models.py, diffusion in diffusion_models.py, the measured models in
traces/source/measured-buckets.json, statistics of gradients of small models in
traces/source/small-*.csv. Needs nothing but Python 3.

usage: make-traces.py [--check]     --check compares with what is there and writes nothing
"""
import csv
import json
import pathlib
import sys
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction

sys.dont_write_bytecode = True  # a check leaves nothing behind in the tree
import diffusion_models
import sparse_models
import transformer_models

TRACES = pathlib.Path(__file__).resolve().parent.parent / "traces"
PS_PER_SECOND = 10**12
PAPER = "INCEPTIONN, MICRO 2018, DOI 10.1109/MICRO.2018.00023: Tables I, II, III"
BOUNDS = (6, 8, 10)
WIDTHS = (2, 10, 18, 34)
SUM_BYTES_PER_SECOND = 8_400_000_000  # Table II's gradient sum as a rate, the same for all models
WORKERS = 4

# Table II, seconds per 100 iterations; VGG-16's forward is printed as 32.25, but only 35.25 makes
# its column add up to the printed total.
TABLE_II = {
    "alexnet": {"forward": "3.13", "backward": "16.22", "copy": "5.68", "update": "13.67"},
    "hdc": {"forward": "0.08", "backward": "0.07", "copy": "0", "update": "0.09"},
    "resnet-50": {"forward": "2.63", "backward": "4.87", "copy": "2.24", "update": "1.55"},
    "vgg-16": {"forward": "35.25", "backward": "142.34", "copy": "12.09", "update": "30.50"},
}
# Table III, shares of the encoded widths 2, 10, 18, 34 bits in percent, by bound 2^-B.
TABLE_III = {
    "alexnet": {10: "74.9 3.9 21.1 0.1", 8: "82.5 14.8 2.6 0.1", 6: "93.0 7.0 0.0 0.1"},
    "hdc": {10: "92.0 6.5 1.5 0.0", 8: "95.7 3.4 0.9 0.0", 6: "98.1 1.6 0.4 0.0"},
    "resnet-50": {10: "81.6 17.9 0.5 0.0", 8: "92.3 7.7 0.1 0.0", 6: "97.6 2.4 0.0 0.0"},
    "vgg-16": {10: "94.2 0.9 4.9 0.0", 8: "96.2 3.8 0.0 0.0", 6: "97.3 2.7 0.0 0.0"},
}
BATCH = {"alexnet": 64, "hdc": 25, "resnet-50": 16, "vgg-16": 64}  # Table I, per node
# Fig. 12, computation of INC: share of WA's total, and that total in seconds per 100 iterations.
INC_COMPUTATION = {"alexnet": ("0.147", "196.35"), "hdc": ("0.132", "1.7")}
MODEL = {
    "alexnet": "AlexNet",
    "hdc": "HDC, fully connected 784-500-500-10 on MNIST",
    "resnet-50": "ResNet-50",
    "vgg-16": "VGG-16",
}
MEASURED_MODEL = {
    "alexnet": "AlexNet", "bert": "BERT-large", "googlenet": "GoogLeNet",
    "inception": "Inception v3", "resnet101": "ResNet-101", "resnet152": "ResNet-152",
    "resnet50": "ResNet-50", "vgg11": "VGG-11", "vgg16": "VGG-16", "vgg19": "VGG-19",
}
MEASURED_DEVICE = {"v100": ("v100", "NVIDIA V100"), "a100": ("a100_match_v100_bs", "NVIDIA A100")}
BF16 = ("resnet50", "bert")  # as they are trained today


# Times of sparse_models: an NVIDIA V100 in fp32 (NVIDIA's data sheet: 15.7 TFLOP/s, 900 GB/s) at
# the share of its peak that NVIDIA's NCF reaches on one: 10.14 M samples/s of 6 * 106,624 FLOP are
# 6.49 TFLOP/s; its forward pass alone, 29.25 M samples/s, is 6.24.
FLOP_PER_SECOND = 15_700_000_000_000 * 2 // 5
MEMORY_BYTES_PER_SECOND = 900_000_000_000
ADAM_PASSES = 7  # reads gradient, weight and two moments, writes weight and moments
ROOFLINE = ("derived: forward 2 FLOP a multiply-accumulate at 0.40 of the V100's 15.7 TFLOP/s (as "
            "NVIDIA's NCF in fp32, 10.14 M samples/s: github.com/NVIDIA/DeepLearningExamples, "
            "PyTorch/Recommendation/NCF), other values once through memory at 900 GB/s; backward "
            "twice that, for an embedding with zeros also its whole gradient; update 7 passes over "
            "memory (Adam)")
MEASURED = ("measured: vgg19-v100's buckets, forward and backward spread by multiply-accumulates "
            "and outputs, updates by parameters (assumed)")

# NetZIP's run for SimAI: 36 layers, tensor groups of 4 GPUs, 128 data-parallel groups. Times are in ns.
NETZIP = "../examples/netzip/gpt-7b-tp4"
NETZIP_LAYERS, NETZIP_GPUS, NETZIP_WORKERS = 36, 4, 128
NETZIP_PASS_NS = {"attention": 355_767, "mlp": 449_675}  # forward, and each half of backward
NETZIP_EMBEDDING_NS = (218_108_505, 21_901_377)
NETZIP_OPTIMIZER_NS = 43_802_754
NETZIP_PARAMETERS = 6_488_588_288 // 4  # of a tensor rank, whose gradients in fp32 are reduced and scattered
NETZIP_SUMS = (16_777_216, 3_244_294_144)  # bytes within a tensor group: activations; the norms' gradients
NVLINK_BYTES_PER_SECOND = 2_880_000_000_000 // 8


# -- layers ----------------------------------------------------------------------------------------

# tensors: elements of each parameter, in model order; work: multiply-accumulates of one sample
Layer = namedtuple("Layer", "name tensors work")


def conv(name, inputs, outputs, kernel, side, bias):
    """A square convolution whose output has side x side positions."""
    weights = inputs * outputs * kernel * kernel
    return Layer(name, [weights] + ([outputs] if bias else []), weights * side * side)


def dense(name, inputs, outputs):
    return Layer(name, [inputs * outputs, outputs], inputs * outputs)


def norm(name, channels, side):
    """Batch normalization: scale and shift; its work is the elements it passes on."""
    return Layer(name, [channels, channels], channels * side * side)


def alexnet():
    return [
        conv("features.0", 3, 64, 11, 55, True), conv("features.3", 64, 192, 5, 27, True),
        conv("features.6", 192, 384, 3, 13, True), conv("features.8", 384, 256, 3, 13, True),
        conv("features.10", 256, 256, 3, 13, True), dense("classifier.1", 9216, 4096),
        dense("classifier.4", 4096, 4096), dense("classifier.6", 4096, 1000),
    ]


def hdc():
    return [dense("fc1", 784, 500), dense("fc2", 500, 500), dense("fc3", 500, 10)]


def vgg(counts):
    """So many convolutions in each of the five stages; a ReLU after each, a pooling after each stage."""
    layers, inputs, index = [], 3, 0
    for count, outputs, side in zip(counts, (64, 128, 256, 512, 512), (224, 112, 56, 28, 14)):
        for _ in range(count):
            layers.append(conv(f"features.{index}", inputs, outputs, 3, side, True))
            inputs, index = outputs, index + 2
        index += 1
    return layers + [dense("classifier.0", 25088, 4096), dense("classifier.3", 4096, 4096),
                     dense("classifier.6", 4096, 1000)]


def vgg16():
    return vgg((2, 2, 3, 3, 3))


def bottleneck(name, inputs, inner, side_in, side_out):
    """A block of ResNet-50; its 3x3 convolution has the stride, and a first block a shortcut."""
    outputs = 4 * inner
    layers = [
        conv(f"{name}.conv1", inputs, inner, 1, side_in, False), norm(f"{name}.bn1", inner, side_in),
        conv(f"{name}.conv2", inner, inner, 3, side_out, False), norm(f"{name}.bn2", inner, side_out),
        conv(f"{name}.conv3", inner, outputs, 1, side_out, False),
        norm(f"{name}.bn3", outputs, side_out),
    ]
    if inputs != outputs:
        layers += [conv(f"{name}.downsample.0", inputs, outputs, 1, side_out, False),
                   norm(f"{name}.downsample.1", outputs, side_out)]
    return layers


def resnet(depths):
    """Of bottlenecks, so many in each of the four stages."""
    layers = [conv("conv1", 3, 64, 7, 112, False), norm("bn1", 64, 112)]
    inputs, side_in = 64, 56
    for stage, (blocks, inner, side) in enumerate(zip(depths, (64, 128, 256, 512), (56, 28, 14, 7))):
        for block in range(blocks):
            layers += bottleneck(f"layer{stage + 1}.{block}", inputs, inner, side_in, side)
            inputs, side_in = 4 * inner, side
    return layers + [dense("fc", 2048, 1000)]


def resnet50():
    return resnet((3, 4, 6, 3))


LAYERS = {"alexnet": alexnet, "hdc": hdc, "resnet-50": resnet50, "vgg-16": vgg16}


# Those of the measured models whose rows are made of whole tensors, as torchvision has them.
MEASURED_LAYERS = {
    "alexnet": alexnet, "resnet50": resnet50, "resnet101": lambda: resnet((3, 4, 23, 3)),
    "resnet152": lambda: resnet((3, 8, 36, 3)), "vgg11": lambda: vgg((1, 1, 2, 2, 2)),
    "vgg16": vgg16, "vgg19": lambda: vgg((2, 2, 4, 4, 4)),
}


def measured_tensors(name, rows):
    """The tensors of each row, which hold so many elements."""
    rest = [tensor for layer in MEASURED_LAYERS[name]() for tensor in layer.tensors]
    tensors = []
    for elements in rows:
        tensors.append([])
        while sum(tensors[-1]) < elements:
            tensors[-1].append(rest.pop(0))
        assert sum(tensors[-1]) == elements, f"{name}: a row of {elements} ends within a tensor"
    assert not rest, f"{name} has more parameters than its rows"
    return tensors


# -- times -----------------------------------------------------------------------------------------

def spread(total, weights):
    """Splits an integer in proportion to weights, such that the parts add up to it exactly."""
    whole, before, parts = sum(weights), 0, []
    for weight in weights:
        parts.append(total * (before + weight) // whole - total * before // whole)
        before += weight
    return parts


def ps_per_iteration(seconds_per_100):
    return round(Fraction(seconds_per_100) * PS_PER_SECOND / 100)


def worker_update_ps(name, elements):
    """What Fig. 12 leaves for a ring worker's update, or Table II's update where it says nothing."""
    table = TABLE_II[name]
    if name not in INC_COMPUTATION:
        return ps_per_iteration(table["update"])
    share, total = INC_COMPUTATION[name]
    summed = Fraction(4 * elements * (WORKERS - 1), WORKERS * SUM_BYTES_PER_SECOND) * 100
    rest = Fraction(share) * Fraction(total) - summed
    return ps_per_iteration(rest - sum(Fraction(table[k]) for k in ("forward", "backward", "copy")))


# -- text ------------------------------------------------------------------------------------------

def ns(ps):
    text = f"{ps // 1000}.{ps % 1000:03d}"
    return text.rstrip("0").rstrip(".")


def listed(tensors):
    """A row's tensors; nothing of a single one."""
    return " ".join(map(str, tensors)) if len(tensors) > 1 else ""


def share(percent):
    return f"{float(Fraction(percent) / 100):g}"


def trace_text(metadata, columns, rows):
    lines = ["#inca-trace v1"] + [f"# {key}: {value}" for key, value in metadata]
    lines += [",".join(columns)] + [",".join(str(field) for field in row) for row in rows]
    return "\n".join(lines) + "\n"


def paper_notes(name):
    table = TABLE_II[name]
    printed = ", ".join(f"{step} {table[step]}" for step in ("forward", "backward", "update"))
    update = "update_ns adds up to Table II's update (printed)"
    if name in INC_COMPUTATION:
        part, total = INC_COMPUTATION[name]
        update = (f"update_ns adds up to what Fig. 12 leaves for a ring worker (derived): {part} * "
                  f"{total} s of INC computation (measured off the figure) less forward, backward, "
                  "copy, and 3/4 of the gradient summed at 8.4 GB/s, per 100 iterations")
    notes = [
        ("steps", f"{printed} s per 100 iterations (Table II, printed)"),
        ("spread", "forward and backward over the layers by multiply-accumulates (batch "
                   "normalization: by elements passed on), updates by parameters (assumed)"),
        ("worker_update", update),
        ("aggregator_update", "aggregator_update_ns adds up to Table II's update (printed)"),
        ("widths", "Table III (printed), the model's shares on every layer (assumed)"),
    ]
    if name != "hdc":
        notes.append(("layers", "names and parameters as in torchvision"))
    else:
        notes.append(("contradiction", "the paper's text says five layers of width 500 (4.6 MB), but "
                                       "its 2.5 MB of gradients and Table II fit only 784-500-500-10"))
    if name == "vgg-16":
        notes.append(("misprint", "Table II prints 32.25 s for forward; only 35.25 makes its column "
                                  "add up to 823.65"))
    return notes


def paper_trace(name):
    layers = LAYERS[name]()
    elements = [sum(layer.tensors) for layer in layers]
    work = [layer.work for layer in layers]
    times = [spread(ps_per_iteration(TABLE_II[name]["forward"]), work),
             spread(ps_per_iteration(TABLE_II[name]["backward"]), work),
             spread(worker_update_ps(name, sum(elements)), elements),
             spread(ps_per_iteration(TABLE_II[name]["update"]), elements)]
    shares = [share(part) for bound in BOUNDS for part in TABLE_III[name][bound].split()]
    columns = ["layer", "elements", "tensors", "forward_ns", "backward_ns", "update_ns",
               "aggregator_update_ns"]
    columns += [f"b{bound}_w{width}" for bound in BOUNDS for width in WIDTHS]
    metadata = [("model", MODEL[name]), ("source", PAPER), ("class", "derived"),
                ("device", "NVIDIA Titan XP"), ("batch", BATCH[name]), ("gradient_type", "fp32")]
    rows = [[layer.name, elements[i], listed(layer.tensors)] + [ns(column[i]) for column in times]
            + shares for i, layer in enumerate(layers)]
    return trace_text(metadata + paper_notes(name), columns, rows)


def measured_trace(name, source, model, device, gradient_type="fp32"):
    key, device_name = MEASURED_DEVICE[device]
    times = model[key]
    metadata = [("model", MEASURED_MODEL[name]), ("source", source.split(";")[0]),
                ("class", "measured" if gradient_type == "fp32" else "derived"),
                ("device", device_name), ("gradient_type", gradient_type),
                ("rows", "consecutive layers whose gradients travel together, input side first")]
    if gradient_type != "fp32":
        metadata.append(("times", "measured with gradients in fp32; that they are of another type "
                                  "costs and saves no compute (assumed)"))
    if device == "a100":
        metadata.append(("samples", "the batch of the V100 run, which is not given"))
    columns = ["layer", "elements", "forward_ns", "backward_ns", "update_ns"]
    rows = [[f"bucket-{i + 1}", elements] +
            [ns(times[step][i]) for step in ("forward_ps", "backward_ps", "update_ps")]
            for i, elements in enumerate(model["parameters"])]
    if name in MEASURED_LAYERS:
        metadata.append(("parameters", "tensors as in torchvision, which fill the rows exactly"))
        columns.insert(2, "tensors")
        for row, tensors in zip(rows, measured_tensors(name, model["parameters"])):
            row.insert(2, listed(tensors))
    return trace_text(metadata, columns, rows)


def roofline_times(model):
    """[(forward, backward, update)] in ps."""
    def ps(flops, count):
        return (Fraction(flops * PS_PER_SECOND, FLOP_PER_SECOND)
                + Fraction(4 * count * PS_PER_SECOND, MEMORY_BYTES_PER_SECOND))

    times = []
    for tensor in model.tensors:
        forward = model.batch * ps(2 * tensor.macs, tensor.values)
        gradient = ps(0, tensor.elements if tensor.density < 1 else 0)
        update = ps(0, ADAM_PASSES * tensor.elements)
        times.append((round(forward), round(2 * forward + gradient), round(update)))
    return times


def bucket_times(model, elements, bucket_ps):
    """[(forward, backward, update)] in ps, of tensors that fill the measured buckets one by one."""
    times, rest = [], list(model.tensors)
    for size, forward, backward, update in zip(elements, *bucket_ps):
        count, filled = 0, 0
        while filled < size:
            filled += rest[count].elements
            count += 1
        work = [tensor.macs + tensor.values for tensor in rest[:count]]
        sizes = [tensor.elements for tensor in rest[:count]]
        assert filled == size, f"no bucket of {size} elements ends with {rest[count - 1].name}"
        times += zip(spread(forward, work), spread(backward, work), spread(update, sizes))
        rest = rest[count:]
    return times


def sparse_trace(model, times, times_source):
    metadata = [("model", model.title), ("source", model.source), ("class", "assumed"),
                ("device", "NVIDIA V100"), ("batch", model.batch), ("gradient_type", "fp32")]
    columns = ["layer", "elements", "forward_ns", "backward_ns", "update_ns", "density"]
    unions = all(tensor.union is not None for tensor in model.tensors)
    if unions:
        metadata.append(("stats_workers", sparse_models.UNION_WORKERS))
        columns.append("union_density")
    rows = []
    for tensor, steps in zip(model.tensors, times):
        shares = (tensor.density, tensor.union) if unions else (tensor.density,)
        rows.append([tensor.name, tensor.elements] + [ns(step) for step in steps]
                    + [f"{value:g}" for value in shares])
    return trace_text(metadata + model.notes + [("times", times_source)], columns, rows)


def sparse_traces(measured):
    traces = {}
    for name, make in sparse_models.MODELS.items():
        model = make()
        if name == "vgg-19":
            buckets = measured["models"]["vgg19"]
            steps = [buckets["v100"][step] for step in ("forward_ps", "backward_ps", "update_ps")]
            times = bucket_times(model, buckets["parameters"], steps)
            traces[name] = sparse_trace(model, times, MEASURED)
        else:
            traces[name] = sparse_trace(model, roofline_times(model), ROOFLINE)
    return traces


# -- statistics of small models' gradients -----------------------------------------------------------

def number(value):
    """Six digits, in the shorter of both forms, as INCA writes them."""
    decimal = Decimal(f"{value:.6g}").normalize()
    digits = "".join(map(str, decimal.as_tuple().digits))
    power = decimal.adjusted()
    scientific = f"{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{'-' if power < 0 else '+'}{abs(power):02d}"
    fixed = f"{decimal:f}"
    return fixed if len(fixed) <= len(scientific) else scientific


def small_model(name):
    """The layers of traces/source/small-NAME.csv, which `inca trace measure` wrote."""
    with open(TRACES / "source" / f"small-{name}.csv", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [dict(row, elements=int(row["elements"])) for row in rows]


def statistics_of(layers, densities=None):
    """Density, union and exponents of layers together; densities: others than those that were measured."""
    elements = sum(layer["elements"] for layer in layers)
    density, union = (sum(float(layer[column]) * layer["elements"] for layer in layers) / elements
                      for column in ("density", "union_density"))
    exponents = {}
    for layer in layers:
        for entry in layer["exponents"].split(";"):
            exponent, part = entry.split(":")
            exponents[int(exponent)] = exponents.get(int(exponent), 0) + float(part) * layer["elements"] / elements
    if densities:
        others = sum(part for exponent, part in exponents.items() if exponent > 0)
        exponents = {exponent: part * densities[0] / others for exponent, part in exponents.items()}
        exponents[0] = 1 - densities[0]
        density, union = densities
    entries = [(exponent, number(part)) for exponent, part in sorted(exponents.items()) if part >= 5e-7]
    return [number(density), number(union), ";".join(f"{exponent}:{part}" for exponent, part in entries)]


STATISTICS_COLUMNS = ["density", "union_density", "exponents"]


def like_small_gpt(model):
    """Statistics of each row, after those of the small transformer's layers of its kind."""
    small = small_model("gpt")
    kinds, rows = {}, []
    for row in model.rows:
        kind = row.name.split(".")[-1]
        if kind not in kinds:
            names = transformer_models.SMALL_LAYERS[kind]
            kinds[kind] = statistics_of([layer for layer in small if layer["layer"].split(".")[-1] in names],
                                        transformer_models.row_densities(row, model))
        rows.append(kinds[kind])
    return rows


def kind_of_residual(name):
    """conv1, fc, or one of the kinds of layers within the blocks."""
    last = name.split(".")[-1]
    is_norm = last.startswith("bn") or name.endswith("downsample.1")
    return name if name in ("conv1", "fc") else "norm" if is_norm else "conv"


def resnet50_a100(measured):
    """Layers of ResNet-50, whose times are those of the measured buckets that their tensors are in."""
    model, layers = measured["models"]["resnet50"], resnet50()
    tensors = [(i, elements, layer.work if len(layer.tensors) < 2 or (layer.name == "fc" and elements > 1000)
                else 0 if layer.name == "fc" else layer.work // 2)
               for i, layer in enumerate(layers) for elements in layer.tensors]
    times = [[0, 0, 0] for _ in layers]
    steps = [model[MEASURED_DEVICE["a100"][0]][step] for step in ("forward_ps", "backward_ps", "update_ps")]
    for bucket, size in enumerate(model["parameters"]):
        inside = []
        while sum(elements for _, elements, _ in inside) < size:
            inside.append(tensors.pop(0))
        for part, column in enumerate(steps):
            weights = [tensor[1 if part == 2 else 2] for tensor in inside]
            for (index, _, _), ps in zip(inside, spread(column[bucket], weights)):
                times[index][part] += ps
    small, kinds = small_model("resnet"), {}
    for layer in layers:
        kind = kind_of_residual(layer.name)
        if kind not in kinds:
            kinds[kind] = statistics_of([one for one in small if kind_of_residual(one["layer"]) == kind])
    shares = [share(part) for bound in BOUNDS for part in TABLE_III["resnet-50"][bound].split()]
    columns = (["layer", "elements", "tensors", "forward_ns", "backward_ns", "update_ns"] + STATISTICS_COLUMNS
               + [f"b{bound}_w{width}" for bound in BOUNDS for width in WIDTHS])
    metadata = [("model", "ResNet-50"), ("source", measured["source"].split(";")[0]), ("class", "derived"),
                ("device", "NVIDIA A100"), ("gradient_type", "fp32"), ("stats_workers", WORKERS),
                ("samples", "the batch of the V100 run, which is not given"),
                ("spread", "resnet50-a100's buckets, forward and backward over their layers by "
                           "multiply-accumulates (batch normalization: by elements passed on), updates by "
                           "parameters (assumed)"),
                ("statistics", "measured at step 200 of 4 workers that trained a small residual net on Fashion-MNIST "
                               "(tools/torch/small_models.py), by kind of layer; that ResNet-50's are distributed in "
                               "the same way is assumed"),
                ("widths", "INCEPTIONN's Table III of ResNet-50 (printed), on every layer (assumed)"),
                ("layers", "names and parameters as in torchvision")]
    rows = [[layer.name, sum(layer.tensors), listed(layer.tensors)] + [ns(step) for step in times[i]]
            + kinds[kind_of_residual(layer.name)] + shares for i, layer in enumerate(layers)]
    return trace_text(metadata, columns, rows)


def transformer_times(row, batch):
    """(forward, backward, update) in ps."""
    def through_memory(size):
        return Fraction(size * PS_PER_SECOND, transformer_models.MEMORY_BYTES_PER_SECOND)

    value = transformer_models.VALUE_BYTES
    flop_per_second = (transformer_models.PEAK_FLOP_PER_SECOND
                       * transformer_models.UTILISATION_PERCENT // 100)
    forward = batch * (Fraction(2 * row.macs * PS_PER_SECOND, flop_per_second)
                       + through_memory(value * row.values))
    update = through_memory(transformer_models.UPDATE_BYTES_PER_ELEMENT * sum(row.tensors))
    return (round(forward), round(2 * forward + through_memory(value * row.whole)), round(update))


def transformer_trace(name, model):
    transformer_models.check(name, model)
    metadata = [("model", model.title), ("source", model.source), ("class", "derived"),
                ("device", "NVIDIA A100"), ("batch", model.batch), ("gradient_type", "bf16"),
                ("sequence", f"{model.sequence} tokens a sample")]
    columns = ["layer", "elements", "tensors", "forward_ns", "backward_ns", "update_ns"]
    rows = [[row.name, sum(row.tensors), listed(row.tensors)]
            + [ns(step) for step in transformer_times(row, model.batch)] for row in model.rows]
    notes = list(transformer_models.NOTES)
    if name in transformer_models.WITH_STATISTICS:
        metadata.insert(6, ("stats_workers", WORKERS))
        columns += STATISTICS_COLUMNS
        rows = [row + more for row, more in zip(rows, like_small_gpt(model))]
        notes.append(transformer_models.STATISTICS)
        if model.rows[0].name == "embed_tokens":
            notes.append(transformer_models.TOUCHED)
    return trace_text(metadata + notes, columns, rows)


def netzip_trace():
    def sum_ps(size):  # of a tensor group, a ring without latency
        share = Fraction(2 * (NETZIP_GPUS - 1), NETZIP_GPUS)
        return round(share * size * PS_PER_SECOND / NVLINK_BYTES_PER_SECOND)

    activations, norms = (sum_ps(size) for size in NETZIP_SUMS)
    forward, backward = (1000 * time for time in NETZIP_EMBEDDING_NS)
    times = [("embedding", forward + activations, backward + activations + norms)]
    for i in range(NETZIP_LAYERS):
        times += [(f"layers.{i}.{kind}", 1000 * time + activations, 2000 * time)
                  for kind, time in NETZIP_PASS_NS.items()]
    elements = spread(NETZIP_PARAMETERS, [1] * len(times))
    updates = spread(1000 * NETZIP_OPTIMIZER_NS * NETZIP_WORKERS, [1] * len(times))
    metadata = [
        ("model", "GPT 7B, a quarter of it: one of the four GPUs of a tensor group"),
        ("source", "ece-fast-lab/MICRO-2025-NetZIP 44b2fa9 (github.com), the workload of 512 GPUs for SimAI; MIT licence, "
                   "(c) 2025 FAST Illinois Lab"),
        ("class", "derived"), ("device", "NVIDIA H100"), ("batch", 1), ("gradient_type", "bf16"),
        ("sequence", "2048 tokens a sample"),
        ("times", "of the workload, and with them the sums within a tensor group: 2 (n - 1) / n S / r with n = 4 GPUs, a "
                  "NVLink of r = 2,880 Gb/s and no latency; S = 16,777,216 bytes of activations (69.905 us) in each forward "
                  "pass and in the embedding's backward pass, and S = 3,244,294,144 bytes of the norms' gradients (13.518 ms) "
                  "in the latter"),
        ("assumed", "tensor groups are inside NVLink. The workload's own topology has one GPU a server, so that these sums "
                    "cross the network"),
        ("updates", f"{NETZIP_WORKERS} times the workload's 43.802754 ms, which each of so many workers that share out the "
                    "optimizer (training.sharding) then takes"),
        ("spread", "gradients and updates evenly over the rows (assumed): the workload has their sum only, and exchanges them "
                   "at once"),
    ]
    return trace_text(metadata, ["layer", "elements", "forward_ns", "backward_ns", "update_ns"],
                      [[name, elements[i], ns(forward), ns(backward), ns(updates[i])]
                       for i, (name, forward, backward) in enumerate(times)])


def all_traces():
    traces = {name: paper_trace(name) for name in LAYERS}
    measured = json.loads((TRACES / "source" / "measured-buckets.json").read_text())
    for name, model in measured["models"].items():
        for device in MEASURED_DEVICE:
            traces[f"{name}-{device}"] = measured_trace(name, measured["source"], model, device)
    for name in BF16:
        traces[f"{name}-a100-bf16"] = measured_trace(
            name, measured["source"], measured["models"][name], "a100", "bf16")
    traces["resnet-50-a100"] = resnet50_a100(measured)
    traces.update(sparse_traces(measured))
    for name, make in transformer_models.MODELS.items():
        traces[name] = transformer_trace(name, make())
    traces["sd-unet-a100"] = transformer_trace("sd-unet-a100", diffusion_models.stable_diffusion_unet())
    traces[NETZIP] = netzip_trace()
    return traces


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = []
    for name, text in all_traces().items():
        path = TRACES / f"{name}.csv"
        if arguments and (not path.exists() or path.read_text() != text):
            stale.append(path.name)
        elif not arguments:
            path.write_text(text)
    if stale:
        sys.exit("not what make-traces.py writes: " + ", ".join(stale))


main(sys.argv[1:])
