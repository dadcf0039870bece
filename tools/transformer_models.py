# SPDX-License-Identifier: GPL-2.0-only
"""Transformers as they are trained in 16 bits, a row per half of a block. For make-traces.py.

Sizes are those of the public implementations named in each entry, tensor by tensor. Times are derived:
the multiply-accumulates of a batch on an NVIDIA A100 at a stated share of its peak, other values once
through its memory.
"""
from collections import namedtuple

import sparse_models

# NVIDIA's data sheet of the A100 80GB SXM: 312 TFLOP/s in bf16 with dense matrices, 2,039 GB/s.
PEAK_FLOP_PER_SECOND = 312_000_000_000_000
UTILISATION_PERCENT = 40
MEMORY_BYTES_PER_SECOND = 2_039_000_000_000
# Adam with weights of 16 bits and a copy in fp32: reads gradient (2), weight and two moments (12),
# writes weight and two moments (12) and the weight of 16 bits (2).
UPDATE_BYTES_PER_ELEMENT = 28
VALUE_BYTES = 2

NOTES = [
    ("times", "derived: forward 2 FLOP a multiply-accumulate at 0.40 of the A100's 312 TFLOP/s in bf16 "
              "(assumed), what a row reads or writes of an embedding once through memory at 2,039 GB/s; "
              "backward twice that, for an embedding also its whole gradient; update 28 bytes an element "
              "through memory (Adam, weights kept in fp32, too)"),
    ("attention", "scores and their use count in full, as without a mask (2 multiply-accumulates of "
                  "sequence x sequence x width)"),
]

# macs: multiply-accumulates of one sample's forward pass; values: of 16 bits, that it reads or writes
# besides; whole: values of a gradient that is written as a whole.
Row = namedtuple("Row", "name tensors macs values whole")
Model = namedtuple("Model", "title source batch sequence rows")


def attention_macs(sequence, width):
    return 2 * sequence * sequence * width


def rows_of_blocks(names, blocks, attention, feed_forward, sequence, width):
    """@names of the two halves, with the block's number; each half's tensors."""
    rows = []
    for block in range(blocks):
        for name, tensors, more in ((names[0], attention, attention_macs(sequence, width)),
                                    (names[1], feed_forward, 0)):
            matrices = sum(tensor for tensor in tensors if tensor > 4 * width)
            rows.append(Row(name.format(block), tensors, sequence * matrices + more, 0, 0))
    return rows


def gpt2(title, source, blocks, width, batch, sequence=1024):
    vocabulary = 50257
    attention = [width, width, width * 3 * width, 3 * width, width * width, width]
    feed_forward = [width, width, width * 4 * width, 4 * width, 4 * width * width, width]
    embedding = [vocabulary * width, sequence * width]
    rows = [Row("wte+wpe", embedding, 0, 3 * sequence * width, sum(embedding))]
    rows += rows_of_blocks(("h.{}.attn", "h.{}.mlp"), blocks, attention, feed_forward, sequence, width)
    # the output layer's weights are those of wte
    rows.append(Row("ln_f+head", [width, width], sequence * vocabulary * width, 0, 0))
    return Model(title, source, batch, sequence, rows)


def vit_b16():
    width, sequence, patch = 768, 197, 16 * 16 * 3
    attention = [width, width, 3 * width * width, 3 * width, width * width, width]
    feed_forward = [width, width, 4 * width * width, 4 * width, 4 * width * width, width]
    rows = [Row("conv_proj", [width, width * patch, width, sequence * width],
                (sequence - 1) * width * patch, 0, 0)]
    rows += rows_of_blocks(("layers.{}.attention", "layers.{}.mlp"), 12, attention, feed_forward,
                           sequence, width)
    rows.append(Row("ln+head", [width, width, 1000 * width, 1000], 1000 * width, 0, 0))
    return Model("ViT-B/16, 224 x 224", "vit_b_16 in torchvision (sizes)", 256, sequence, rows)


def llama(title, source, inner, keys, vocabulary, batch, sequence):
    """@keys: the width of all heads of keys, and of values."""
    width = 4096
    attention = [width, width * width, width * keys, width * keys, width * width]
    feed_forward = [width] + 3 * [width * inner]
    rows = [Row("embed_tokens", [vocabulary * width], 0, 2 * sequence * width, vocabulary * width)]
    rows += rows_of_blocks(("layers.{}.self_attn", "layers.{}.mlp"), 32, attention, feed_forward,
                           sequence, width)
    rows.append(Row("norm+lm_head", [width, vocabulary * width], sequence * vocabulary * width, 0, 0))
    return Model(title, source, batch, sequence, rows)


def llama_7b():
    return llama("Llama 7B", "LLaMA 7B as in Hugging Face transformers (sizes)", 11008, 4096, 32000, 4, 2048)


def llama_8b():
    return llama("Llama 3.1 8B", "meta-llama/Llama-3.1-8B in Hugging Face transformers (sizes)", 14336, 1024, 128256, 1, 8192)


HUGGING_FACE = "openai-community/{} in Hugging Face transformers (sizes)"

MODELS = {
    "gpt2-small-a100": lambda: gpt2("GPT-2 small (124M)", HUGGING_FACE.format("gpt2"), 12, 768, 32),
    "gpt2-medium-a100": lambda: gpt2("GPT-2 medium (355M)", HUGGING_FACE.format("gpt2-medium"), 24, 1024, 16),
    "gpt-1.3b-a100": lambda: gpt2("GPT of 1.3 B", "GPT-3 XL's 24 blocks of width 2048 (arXiv 2005.14165, "
                                  "Table 2.1), with GPT-2's vocabulary (sizes)", 24, 2048, 8, 2048),
    "vit-b16-a100": vit_b16,
    "llama-7b-a100": llama_7b,
    "llama-3.1-8b-a100": llama_8b,
}

# GPT-3 XL: (50,257 + 2,048) * 2,048 + 24 * (12 * 2,048^2 + 13 * 2,048) + 2 * 2,048
PARAMETERS = {"gpt2-small-a100": 124_439_808, "gpt2-medium-a100": 354_823_168,
              "gpt-1.3b-a100": 1_315_723_264,
              "vit-b16-a100": 86_567_656, "llama-7b-a100": 6_738_415_616,
              "llama-3.1-8b-a100": 8_030_261_248, "sd-unet-a100": 865_910_724}


def check(name, model):
    """The sum of what is written is the model's number of parameters, as its implementation counts it."""
    found = sum(sum(row.tensors) for row in model.rows)
    assert found == PARAMETERS[name], f"{name}: {found} parameters"


# -- statistics ------------------------------------------------------------------------------------

# Layers of the small transformer (tools/torch/small_models.py) whose gradients a row's are taken to be like.
SMALL_LAYERS = {"attn": ("ln_1", "attn", "attn_proj"), "self_attn": ("ln_1", "attn", "attn_proj"),
                "mlp": ("ln_2", "mlp", "mlp_proj"), "wte+wpe": ("wte", "wpe"), "embed_tokens": ("wte",),
                "ln_f+head": ("ln_f",), "norm+lm_head": ("wte",)}
WITH_STATISTICS = ("gpt2-small-a100", "gpt2-medium-a100", "gpt-1.3b-a100", "llama-7b-a100")
STATISTICS = ("statistics", "measured at step 200 of 4 workers that trained a small GPT on bytes of text "
                            "(tools/torch/small_models.py), by kind of layer; that large models' are distributed "
                            "in the same way is assumed")
TOUCHED = ("touched", "embed_tokens has gradients in the rows of words that a batch holds, drawn by Zipf's law (assumed)")


def row_densities(row, model):
    """Density and union of 4 where a batch touches some rows of an embedding alone; None: those measured."""
    if row.name != "embed_tokens":
        return None
    vocabulary = 32000
    return sparse_models.densities(sparse_models.log_uniform(vocabulary), model.batch * model.sequence)
