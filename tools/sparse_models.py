# SPDX-License-Identifier: GPL-2.0-only
"""The four models of lossless homomorphic compression (arXiv 2402.07529), one entry per tensor.

That paper's abstract names the models; their set-ups here are those of OmniReduce's released code
(github.com/sands-lab/omnireduce-experiments), which trains NCF, LSTM, VGG-19 and BERT. For
make-traces.py.
"""
import math
from collections import namedtuple
from statistics import NormalDist

UNION_WORKERS = 4

# macs: multiply-accumulates of one sample's forward pass; values: fp32 values that it reads or
# writes besides them. density, union: shares of non-zero values, of one worker and of UNION_WORKERS
# together; None = not known.
Tensor = namedtuple("Tensor", "name elements macs values density union")
Model = namedtuple("Model", "title source batch tensors notes")


# -- tensors; uses: how often one sample goes through a layer -------------------------------------

def linear(name, inputs, outputs, uses=1, extra_macs=0):
    weights = inputs * outputs
    return [Tensor(f"{name}.weight", weights, uses * (weights + extra_macs), 0, 1, 1),
            Tensor(f"{name}.bias", outputs, 0, uses * 2 * outputs, 1, 1)]


def layer_norm(name, width, uses):
    return [Tensor(f"{name}.{part}", width, 0, uses * 2 * width, 1, 1)
            for part in ("weight", "bias")]


def embedding(name, rows, width, uses, density, union):
    return [Tensor(f"{name}.weight", rows * width, 0, uses * 2 * width, density, union)]


# -- rows of an embedding that a batch touches ----------------------------------------------------

def share(exact):
    """Four digits, far fewer than those in which one machine's logarithms differ from another's."""
    return float(f"{exact:.4g}")


def untouched_logs(chances):
    """ln(1 - p) of each row's chance p; n draws pass it by with chance exp(n ln(1 - p))."""
    return [math.log1p(-chance) for chance in chances]


def touched(logs, draws):
    """Expected rows that independent draws touch."""
    return -math.fsum(math.expm1(draws * log) for log in logs)


def densities(chances, draws):
    """Of one worker, and of UNION_WORKERS that draw from the same chances."""
    logs = untouched_logs(chances)
    return [share(touched(logs, n) / len(logs)) for n in (draws, UNION_WORKERS * draws)]


def draws_to_touch(logs, rows):
    """Draws after which the expected number of touched rows is at least rows."""
    low, high = rows - 1, 4 * rows
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if touched(logs, middle) < rows else (low, middle)
    return high


def log_uniform(rows):
    """Zipf's law as samplers of V words use it: rank k has chance ln((k + 2)/(k + 1))/ln(V + 1)."""
    return [math.log1p(1 / (rank + 1)) / math.log1p(rows) for rank in range(rows)]


def ml20m_activity(users):
    """Chances of users whose numbers of ratings have LensKit's log-normal fit of ML-20M."""
    normal, sigma, location, scale = NormalDist(), 1.609, 19.078, 43.087
    ratings = [location + scale * math.exp(sigma * normal.inv_cdf((i + 0.5) / users))
               for i in range(users)]
    whole = math.fsum(ratings)
    return [count / whole for count in ratings]


def mixed_with_uniform(chances, uniform_part):
    return [uniform_part / len(chances) + (1 - uniform_part) * chance for chance in chances]


# -- models ---------------------------------------------------------------------------------------

OMNIREDUCE = "github.com/sands-lab/omnireduce-experiments"


def ncf():
    """NeuMF: products of 64 factors beside an MLP 256-256-128-64, both over users and items."""
    users, items, batch, negatives = 498_975, 427_888, 1_048_576 // 8, 4 / 5
    of_users = densities(ml20m_activity(users), batch)
    of_items = densities(mixed_with_uniform(log_uniform(items), negatives), batch)
    tensors = (embedding("mf_user_embed", users, 64, 1, *of_users)
               + embedding("mf_item_embed", items, 64, 1, *of_items)
               + embedding("mlp_user_embed", users, 128, 1, *of_users)
               + embedding("mlp_item_embed", items, 128, 1, *of_items)
               + linear("mlp.0", 256, 256) + linear("mlp.1", 256, 128) + linear("mlp.2", 128, 64)
               + linear("final", 64 + 64, 1))
    notes = [
        ("sizes", f"printed: 498,975 users and 427,888 items, in {OMNIREDUCE}: models/NCF/ncf.py; "
                  "factors 64, MLP 256-256-128-64; 712.3 MB (679 MiB) in all"),
        ("samples", "1,048,576 over 8 workers (assumed): NVIDIA's NCF divides a batch of that size "
                    "by its GPUs (github.com/NVIDIA/DeepLearningExamples, "
                    "PyTorch/Recommendation/NCF)"),
        ("density_users", "derived: share of rows that a batch touches, for users as active as the "
                          "log-normal fit of ML-20M (codex.lenskit.org/movielens/ML20M) has them, "
                          "also after the expansion x4x16 (assumed)"),
        ("density_items", "derived alike: 4 of 5 samples are negatives drawn uniformly (the code's "
                          "default), the others follow Zipf's law (assumed)"),
        ("density_rest", "assumed: MLP and output are dense"),
        ("density_check", "84.5 % zeros are reported (unverified); these densities make 80.0 %, "
                          "and would make 28.5 % if each worker had the whole batch"),
    ]
    return Model("NCF (NeuMF) on ML-20M x4x16", f"{OMNIREDUCE}: models/NCF", batch, tensors, notes)


def lstm():
    words, width, hidden, sequences, length, sampled = 793_471, 256, 2048, 64 * 8, 20, 8192
    gates = 4 * hidden
    chances = log_uniform(words)
    tokens = sequences * length
    of_input = densities(chances, tokens)
    of_output = densities(chances, tokens + draws_to_touch(untouched_logs(chances), sampled))
    tensors = (embedding("encoder", words, width, length, *of_input)
               + [Tensor("rnn.weight_ih_l0", gates * width, length * gates * width, 0, 1, 1),
                  Tensor("rnn.weight_hh_l0", gates * hidden, length * gates * hidden, 0, 1, 1)]
               + [Tensor(f"rnn.bias_{part}_l0", gates, 0, length * 2 * gates, 1, 1)
                  for part in ("ih", "hh")]
               + linear("proj", hidden, width, length)
               + [Tensor("decoder.params.weight", words * width, length * (sampled + 1) * width, 0,
                         *of_output),
                  Tensor("decoder.params.bias", words, 0, length * 2 * (sampled + 1), *of_output)])
    notes = [
        ("sizes", "printed: vocabulary 793,471, embedding 256, hidden 2048, in "
                  f"{OMNIREDUCE}: models/LSTM/lm/main.py; the embeddings are 2 x 812.5 MB, with "
                  "the output's bias 1.63 GB; LSTM and projection are another 78 MB"),
        ("samples", "printed: sequences of 20 words; batch 64 times the script's scale of 8"),
        ("density_encoder", "derived: share of rows that 512 x 20 words of a Zipf vocabulary touch "
                            "(assumed; 0.004369 with the word counts of the released corpus)"),
        ("density_decoder", "derived alike: the batch's words and the 8192 distinct ones that the "
                            "sampled softmax draws from the same law (printed)"),
        ("density_rest", "assumed: LSTM and projection are dense"),
        ("density_check", "94.5 % zeros are reported (unverified); these densities make 94.4 %"),
    ]
    return Model("LSTM language model on Google Billion Words", f"{OMNIREDUCE}: models/LSTM",
                 sequences, tensors, notes)


def vgg19():
    """Its zeros are those of the whole model, since nothing says in which layer they are."""
    density = 0.68
    stages = [(64, 2, 224), (128, 2, 112), (256, 4, 56), (512, 4, 28), (512, 4, 14)]
    tensors, inputs, index = [], 3, 0
    for outputs, count, side in stages:
        for _ in range(count):
            name, weights, places = f"features.{index}", 9 * inputs * outputs, side**2
            tensors += [Tensor(f"{name}.weight", weights, weights * places, 0, density, None),
                        Tensor(f"{name}.bias", outputs, 0, 2 * outputs * places, density, None)]
            inputs, index = outputs, index + 2  # a ReLU after each
        index += 1                              # a pooling after each stage
    dense = (linear("classifier.0", 512 * 7**2, 4096) + linear("classifier.3", 4096, 4096)
             + linear("classifier.6", 4096, 1000))
    tensors += [tensor._replace(density=density, union=None) for tensor in dense]
    notes = [
        ("sizes", "derived: VGG's configuration E; names as in torchvision"),
        ("samples", "64 (assumed), the default of OmniReduce's models/CNN/main.py; the measurement "
                    "does not give it, but 128 would need 29 TFLOP/s, above the V100's 15.7"),
        ("density", "assumed: 32 % zeros are reported for the whole model (unverified), here on "
                    "every layer"),
    ]
    return Model("VGG-19", "times as in vgg19-v100, zeros as reported for OmniReduce's set-up", 64,
                 tensors, notes)


def bert_layer(name, width, inner, length):
    """Scores and their products with the values, 2 * length * width a token, count with `value`."""
    return (linear(f"{name}.attention.self.query", width, width, length)
            + linear(f"{name}.attention.self.key", width, width, length)
            + linear(f"{name}.attention.self.value", width, width, length, 2 * length * width)
            + linear(f"{name}.attention.output.dense", width, width, length)
            + layer_norm(f"{name}.attention.output.LayerNorm", width, length)
            + linear(f"{name}.intermediate.dense", width, inner, length)
            + linear(f"{name}.output.dense", inner, width, length)
            + layer_norm(f"{name}.output.LayerNorm", width, length))


def bert_base():
    words, positions, width, batch, length = 30_522, 512, 768, 4, 384
    of_words = densities(log_uniform(words), batch * length)
    tensors = (embedding("embeddings.word_embeddings", words, width, length, *of_words)
               + embedding("embeddings.position_embeddings", positions, width, length,
                           length / positions, length / positions)
               + embedding("embeddings.token_type_embeddings", 2, width, length, 1, 1)
               + layer_norm("embeddings.LayerNorm", width, length))
    for index in range(12):
        tensors += bert_layer(f"encoder.layer.{index}", width, 4 * width, length)
    tensors += linear("pooler.dense", width, width)
    notes = [
        ("sizes", "printed: vocabulary 30,522, hidden 768, 12 layers; 512 positions, 2 segments, "
                  "inner 3072 as in the public bert-base-uncased, without a task's head"),
        ("samples", "4 sequences of 384 tokens (assumed), as OmniReduce fine-tunes BERT-large "
                    f"({OMNIREDUCE}: models/BERT/run.sh)"),
        ("density_words", "derived: share of rows that 4 x 384 tokens of a Zipf vocabulary touch "
                          "(assumed)"),
        ("density_positions", "derived: 384 of 512, the same on every worker"),
        ("density_rest", "assumed: dense, the pooler too, which only some tasks train"),
        ("density_check", "9.3 % zeros are reported (unverified), which is BERT-large's word "
                          "embedding; BERT-base's is 21.4 % of it"),
    ]
    return Model("BERT-base", f"{OMNIREDUCE}: models/BERT", batch, tensors, notes)


MODELS = {"bert-base": bert_base, "lstm": lstm, "ncf": ncf, "vgg-19": vgg19}
