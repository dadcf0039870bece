# SPDX-License-Identifier: GPL-2.0-only
"""Fashion-MNIST, or other images in the same four IDX files, and the models that the examples train on it."""
import gzip
import math
import os

import torch

DATA = "/usr/share/datasets/fashion-mnist"
CLASSES = 10
LARGEST = 1 << 31  # bytes of a file that are read


def read_idx(folder, name, dimensions, digest=None):
    """The values of a file of bytes, gzip or plain, in its shape. @param digest takes the plain file's bytes"""
    if not os.path.isdir(folder):
        raise ValueError(f"{folder} is not there: apt install dataset-fashion-mnist.")
    paths = [os.path.join(folder, name + suffix) for suffix in (".gz", "")]
    path = next((path for path in paths if os.path.exists(path)), None)
    if path is None:
        raise ValueError(f"{folder} has neither {name}.gz nor {name}.")
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            header = file.read(4 + 4 * dimensions)
            kind, *sizes = (int.from_bytes(header[at:at + 4], "big") for at in range(0, 4 + 4 * dimensions, 4))
            if kind != 0x800 + dimensions or not 0 < math.prod(sizes) <= LARGEST:
                raise ValueError(f"{path} does not begin as an IDX file of bytes with {dimensions} dimensions.")
            data = file.read(math.prod(sizes) + 1)
    except (OSError, EOFError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    if len(data) != math.prod(sizes):
        than = "more" if len(data) > math.prod(sizes) else "fewer"
        raise ValueError(f"{path} should have {math.prod(sizes)} values, and has {than}.")
    if digest:
        digest.update(header + data)
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).reshape(sizes)


def read_images(part="train", folder=DATA, digest=None):
    """Images of 28 x 28 bytes and their classes. @param part is "train" or "t10k" (to test)"""
    images = read_idx(folder, f"{part}-images-idx3-ubyte", 3, digest)
    labels = read_idx(folder, f"{part}-labels-idx1-ubyte", 1, digest)
    if images.shape != (len(labels), 28, 28) or labels.max() >= CLASSES:
        raise ValueError(f"{folder}: {part} has {len(labels)} classes up to {labels.max()} for images of "
                         f"{' x '.join(map(str, images.shape))}; there must be as many images, of 28 x 28, and "
                         f"{CLASSES} classes from 0.")
    return images.unsqueeze(1), labels.long()


class FashionCnn(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = torch.nn.Conv2d(16, 32, 3, padding=1)
        self.fc1 = torch.nn.Linear(32 * 7 * 7, 512)
        self.fc2 = torch.nn.Linear(512, CLASSES)

    def forward(self, images):
        x = torch.max_pool2d(torch.relu(self.conv1(images)), 2)
        x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc2(torch.relu(self.fc1(x.flatten(1))))


class Hdc(torch.nn.Sequential):
    """INCEPTIONN's net for handwritten digits, by its size."""

    def __init__(self):
        super().__init__(torch.nn.Flatten(), torch.nn.Linear(784, 500), torch.nn.ReLU(), torch.nn.Linear(500, 500),
                         torch.nn.ReLU(), torch.nn.Linear(500, CLASSES))
