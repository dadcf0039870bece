# SPDX-License-Identifier: GPL-2.0-only
"""Stable Diffusion v2's UNet as it is trained on latents of 64 x 64, a row per block. For make-traces.py.

Sizes are those of the public implementation, tensor by tensor; times are derived as transformer_models.py says.
"""
from transformer_models import Model, Row, attention_macs

WIDTHS = (320, 640, 1280, 1280)  # of the levels, the finest first; each level halves the side
SIDE = 64
TIME_WIDTH = 4 * WIDTHS[0]
TEXT_WIDTH, TEXT_TOKENS = 1024, 77
BLOCKS = 2  # of residuals on a level's way down; one more on its way up


class Block:
    """Tensors and multiply-accumulates of one sample's forward pass."""

    def __init__(self):
        self.tensors, self.macs = [], 0

    def dense(self, inputs, outputs, tokens, bias=True):
        self.tensors += [inputs * outputs] + ([outputs] if bias else [])
        self.macs += inputs * outputs * tokens

    def conv(self, inputs, outputs, side, kernel=3):
        self.dense(inputs * kernel * kernel, outputs, side * side)

    def norm(self, width):
        self.tensors += [width, width]

    def residual(self, inputs, outputs, side):
        self.norm(inputs)
        self.conv(inputs, outputs, side)
        self.dense(TIME_WIDTH, outputs, 1)
        self.norm(outputs)
        self.conv(outputs, outputs, side)
        if inputs != outputs:
            self.conv(inputs, outputs, side, 1)

    def attention(self, width, side, context, context_tokens):
        tokens = side * side
        self.dense(width, width, tokens, False)
        self.dense(context, width, context_tokens, False)
        self.dense(context, width, context_tokens, False)
        self.dense(width, width, tokens)
        self.macs += 2 * tokens * context_tokens * width

    def transformer(self, width, side):
        tokens = side * side
        self.norm(width)
        self.dense(width, width, tokens)
        self.attention(width, side, width, tokens)
        self.dense(width, 8 * width, tokens)
        self.dense(4 * width, width, tokens)
        self.attention(width, side, TEXT_WIDTH, TEXT_TOKENS)
        for _ in range(3):
            self.norm(width)
        self.dense(width, width, tokens)

    def row(self, name):
        return Row(name, self.tensors, self.macs, 0, 0)


def stable_diffusion_unet():
    rows, skips, width, side = [], [WIDTHS[0]], WIDTHS[0], SIDE
    entry = Block()
    entry.dense(width, TIME_WIDTH, 1)
    entry.dense(TIME_WIDTH, TIME_WIDTH, 1)
    entry.conv(4, width, side)
    rows.append(entry.row("time_embed+conv_in"))
    coarsest = len(WIDTHS) - 1
    for level, outputs in enumerate(WIDTHS):
        for block in range(BLOCKS):
            part = Block()
            part.residual(width, outputs, side)
            width = outputs
            if level < coarsest:
                part.transformer(width, side)
            rows.append(part.row(f"down.{level}.{block}"))
            skips.append(width)
        if level < coarsest:
            side //= 2
            part = Block()
            part.conv(width, width, side)
            rows.append(part.row(f"down.{level}.half"))
            skips.append(width)
    middle = Block()
    middle.residual(width, width, side)
    middle.transformer(width, side)
    middle.residual(width, width, side)
    rows.append(middle.row("middle"))
    for level in range(coarsest, -1, -1):
        for block in range(BLOCKS + 1):
            part = Block()
            part.residual(width + skips.pop(), WIDTHS[level], side)
            width = WIDTHS[level]
            if level < coarsest:
                part.transformer(width, side)
            if level > 0 and block == BLOCKS:
                side *= 2
                part.conv(width, width, side)
            rows.append(part.row(f"up.{level}.{block}"))
    last = Block()
    last.norm(width)
    last.conv(width, 4, side)
    rows.append(last.row("conv_out"))
    return Model("Stable Diffusion v2's UNet", "v2-inference.yaml of Stability-AI/stablediffusion (sizes)", 32, SIDE * SIDE,
                 rows)
