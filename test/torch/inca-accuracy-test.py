# SPDX-License-Identifier: GPL-2.0-only
"""Tests of inca_accuracy and its example, with Debian's PyTorch: inca-accuracy-test.py ROOT LIBRARY [-v] [TEST...]"""
import functools
import gzip
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

ROOT, LIBRARY = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
TOOLS = ROOT / "tools" / "torch"
sys.dont_write_bytecode = True  # a test leaves nothing behind in the tree
sys.path.insert(0, str(TOOLS))
os.environ.update(INCA_VALUES_LIBRARY=str(LIBRARY), PYTHONDONTWRITEBYTECODE="1")
os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")

try:
    import torch
except ImportError:
    print("skipped: there is no PyTorch (apt install python3-torch)")
    sys.exit(77)
from torch.nn.functional import cross_entropy  # noqa: E402

import fashion  # noqa: E402
import inca_accuracy  # noqa: E402
from inca_accuracy import Exchange, IncaError  # noqa: E402

RING = '[cluster]\nworkers = 2\n[exchange]\nalgorithm = "ring"\n'
CODED = ("codec.name=inceptionn", "ring.owner_copy=coded")
COLUMNS = "step,epoch,accuracy,loss,train_loss,bits_per_value,zero_share,replica_difference_max,misfits,left_share"


def small_net():
    return torch.nn.Sequential(torch.nn.Linear(6, 40), torch.nn.ReLU(), torch.nn.Linear(40, 3))


def net_with_buffers(dropout=0.0):
    return torch.nn.Sequential(torch.nn.Linear(6, 40), torch.nn.BatchNorm1d(40), torch.nn.Dropout(dropout),
                               torch.nn.ReLU(), torch.nn.Linear(40, 3))


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1, momentum=0.9)


def sgd_by_schedule(parameters):
    optimizer = sgd(parameters)
    return optimizer, torch.optim.lr_scheduler.StepLR(optimizer, 3, gamma=0.5)


def make_data(count):
    inputs = torch.randn(count, 6, generator=torch.Generator().manual_seed(count))
    return inputs, inputs[:, :3].argmax(1)


def train(**options):
    """(rows, model) of 6 steps, if there are 2 workers"""
    options = {"batch": 4, "evaluate_every": 2, "model": small_net, "optimizer": sgd, **options}
    return inca_accuracy.train(data=make_data(48), test=make_data(30), **options)


def flat(tensors):
    return torch.cat([tensor.detach().flatten().double() for tensor in tensors])


class Exchanges(unittest.TestCase):
    # A sum of W values has W - 1 additions, each off by at most 2^-24 of a partial sum, which is at most the sum of the
    # magnitudes and what they are off themselves: (1 + 2^-24)^(W-1) < 1 + 2^-20
    def test_a_ring_without_a_codec_rounds_as_additions_do(self):
        own = torch.randn(4, 1000, generator=torch.Generator().manual_seed(1))
        with Exchange(RING, [900, 100], ["cluster.workers=4"]) as exchange:
            self.assertEqual((exchange.workers, exchange.elements), (4, 1000))
            sums, counts = exchange.run(own)
            self.assertEqual(exchange.describe()["runs"], 1)
            exchange.reset()
            self.assertEqual(exchange.describe()["runs"], 0)
        exact, magnitudes = own.double().sum(0), own.double().abs().sum(0)
        self.assertTrue(((sums.double() - exact).abs() <= 3 * 2**-24 * (1 + 2**-20) * magnitudes).all())
        self.assertFalse(torch.equal(sums[0].double(), exact))  # 1000 sums of fp32 are not all exact
        self.assertTrue(all(torch.equal(row, sums[0]) for row in sums))
        self.assertEqual((counts.bits_per_value, counts.replica_difference), (32, 0))

    # INCEPTIONN cuts bits off; what has none to cut off stays
    def test_an_encoder_loses_once(self):
        own = torch.randn(1000, generator=torch.Generator().manual_seed(1)) / 100
        with Exchange(RING, [1000], CODED) as coded, Exchange(RING, [1000]) as plain:
            once = coded.code(1, own)
            self.assertFalse(torch.equal(once, own))
            self.assertTrue(torch.equal(coded.code(1, once), once))
            self.assertTrue(torch.equal(plain.code(1, own), own))

    def test_sixteen_bits_are_widened(self):
        own = torch.tensor([[1.5, -2.0], [0.25, 2.0]])
        with Exchange(RING, [2]) as exchange:
            for kind in (torch.float32, torch.float16, torch.bfloat16):
                self.assertEqual(exchange.run(own.to(kind))[0].tolist(), [[1.75, 0], [1.75, 0]])

    def refuses(self, told, call, *arguments, **options):
        with self.assertRaisesRegex(IncaError, told):
            call(*arguments, **options)

    def test_misuse_is_told(self):
        with Exchange(RING, [2]) as exchange:
            for own, told in ((torch.ones(3, 2), "2 x 2 values, and was given 3 x 2"), ([[1.0], [1.0]], "is of list"),
                              (torch.ones(2, 2).double(), "is of torch.float64"),
                              (torch.tensor([[1.0, 1], [1, float("nan")]]), "worker 1 .* element 1"),
                              (torch.tensor([[float("-inf"), 1], [1, 1]]), "worker 0 .* element 0")):
                self.refuses(told, exchange.run, own)
            self.assertEqual(exchange.run(torch.ones(2, 2))[0].tolist(), [[2, 2], [2, 2]])  # and goes on
        self.refuses("^The exchange is closed.$", exchange.run, torch.ones(2, 2))
        self.refuses("nonsense", Exchange, RING, [2], ["exchange.nonsense=1"])
        self.refuses("not-there.toml", Exchange, "not-there.toml", [2])
        self.refuses("'after'", train, scenario=RING, average="between")
        self.refuses("need a scenario", train, workers=2)
        self.refuses("fewer than the 2 x 25", train, scenario=RING, batch=25)
        self.refuses("torch.float64", train, scenario=RING, model=lambda: small_net().double())
        self.refuses("the model is a Sequential", inca_accuracy.comm_hook, small_net(), RING)

    def test_a_library_that_does_not_fit_is_refused(self):
        self.addCleanup(inca_accuracy._library.cache_clear)
        for library, version, told in (("/not/there.so", 1, "/not/there.so: cannot open"),
                                       ("libc.so.6", 1, "libc.so.6 is not INCA's library"),
                                       (str(LIBRARY), 99, "is for 99: take both from the same INCA")):
            inca_accuracy._library.cache_clear()
            with unittest.mock.patch.dict(os.environ, INCA_VALUES_LIBRARY=library), \
                    unittest.mock.patch("inca_accuracy.VERSION", version):
                self.refuses(told, Exchange, RING, [2])


class Training(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.curve = pathlib.Path(folder.name) / "curve.csv"

    def by_hand(self, exchange=None, average="after", error_feedback=False):
        """The weights after an epoch, by a loop that has nothing of inca_accuracy but the exchange."""
        torch.manual_seed(1)
        model, (inputs, targets), workers = small_net(), make_data(48), exchange.workers if exchange else 1
        optimizer, residuals = sgd(model.parameters()), [0.0] * workers
        for chosen in torch.randperm(48, generator=torch.Generator().manual_seed(1)).split(workers * 4):
            sent = []
            for worker, own in enumerate(chosen.split(4)):
                model.zero_grad()
                cross_entropy(model(inputs[own]), targets[own]).backward()
                gradient = torch.cat([parameter.grad.flatten() for parameter in model.parameters()])
                gradient = gradient / workers if average == "before" else gradient
                if error_feedback:
                    wanted = gradient + residuals[worker]
                    gradient = exchange.code(worker, wanted)
                    residuals[worker] = wanted - gradient
                sent.append(gradient)
            total = exchange.run(torch.stack(sent))[0][0] if exchange else sent[0]
            total = total / workers if average == "after" else total
            for parameter, part in zip(model.parameters(), total.split([p.numel() for p in model.parameters()])):
                parameter.grad = part.view_as(parameter)
            optimizer.step()
        return flat(model.parameters())

    def test_one_worker_is_plain_torch(self):
        self.assertTrue(torch.equal(flat(train()[1].parameters()), self.by_hand()))

    def test_virtual_workers_are_a_loop_over_workers(self):
        for options in itertools.product(("after", "before"), (False, True)):
            _, model = train(scenario=RING, settings=CODED, average=options[0], error_feedback=options[1])
            with Exchange(RING, [240, 40, 120, 3], CODED) as exchange:
                self.assertTrue(torch.equal(flat(model.parameters()), self.by_hand(exchange, *options)), options)

    def test_a_curve_has_its_columns(self):
        rows, _ = train(scenario=RING, settings=CODED, curve=self.curve, notes={"data": "made\nup"})
        lines = self.curve.read_text(encoding="ascii").splitlines()
        notes = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
        self.assertEqual((lines[0], lines[15]), ("#inca-curve v1", COLUMNS))
        self.assertEqual(list(notes), ["model", "data", "engine", "workers", "batch", "seed", "optimizer", "average",
                                       "error_feedback", "exchange", "codec", "value_path", "lossless", "tensors"])
        self.assertEqual([notes[key] for key in ("data", "workers", "optimizer", "error_feedback", "tensors")],
                         ["made up", "2", "SGD(lr=0.1, momentum=0.9)", "no", "240 40 120 3"])
        self.assertRegex(notes["value_path"], "^[0-9a-f]{16}$")
        first, *cells = [line.split(",") for line in lines[16:]]
        self.assertEqual(first[:2] + first[4:], ["0", "0"] + [""] * 6)  # nothing was exchanged
        self.assertEqual([row[:2] for row in cells], [["2", "0.333333333"], ["4", "0.666666667"], ["6", "1"]])
        for cell, row in zip(cells, rows[1:]):
            self.assertIn(cell[2], [f"{right / 30:.9g}" for right in range(31)])
            self.assertEqual(cell[3:5], [f"{value:.9g}" for value in row[3:5]])
            self.assertTrue(2 <= float(cell[5]) <= 34, cell)  # INCEPTIONN's narrowest and widest value
            self.assertTrue(0 < float(cell[6]) < 1, cell)
            self.assertEqual(cell[7:], ["0", "0", "0"])

    # workers whose sums differ, a residual, momentum, a schedule, buffers and draws: all of it is needed to go on
    def test_a_killed_training_goes_on_to_the_same_bits(self):
        options = {"scenario": RING, "settings": ["codec.name=inceptionn"], "error_feedback": True, "epochs": 2,
                   "curve": self.curve, "model": functools.partial(net_with_buffers, 0.5), "optimizer": sgd_by_schedule}
        rows, _ = train(**options)
        self.assertGreater(rows[-1][7], 0)  # the owner's copy is exact, and the others' are not
        text = self.curve.read_bytes()
        self.assertIsNone(train(**options)[1])  # is done already

        def kill(step, *_):
            if step == killed_at:
                raise KeyboardInterrupt

        for killed_at in (1, 5, 11):
            self.curve.unlink()
            self.assertRaises(KeyboardInterrupt, train, progress=kill, **options)
            self.assertEqual(train(**options)[0], rows)
            self.assertEqual(self.curve.read_bytes(), text)
            self.assertEqual(os.listdir(self.curve.parent), ["curve.csv"])

    def test_another_training_is_refused(self):
        options = {"scenario": RING, "curve": self.curve}
        train(**options)
        for other, told in (({"settings": CODED}, "codec: "), ({"evaluate_every": 3}, "row of step 2"),
                            ({"seed": 2}, "'# seed: 1' where this one has '# seed: 2'"),
                            ({"epochs": 2}, "ends before step 8")):
            self.assertRaisesRegex(IncaError, told, train, **options, **other)
        self.curve.with_suffix(".state").write_bytes(b"PK")
        self.assertRaisesRegex(IncaError, "cannot be read", train, **options)


def in_ddp(rank, folder):
    """One of two workers."""
    torch.distributed.init_process_group("gloo", f"file://{folder}/meeting", rank=rank, world_size=2)
    torch.distributed._DEFAULT_FIRST_BUCKET_BYTES = 100  # so that there are several buckets from the second step on
    for average in ("after", "before"):
        torch.save(trained_in_ddp(rank, average), f"{folder}/{average}-{rank}")
    torch.distributed.destroy_process_group()


def trained_in_ddp(rank, average):
    """(weights, buffers) of this worker after an epoch"""
    torch.manual_seed(1)
    model = torch.nn.parallel.DistributedDataParallel(net_with_buffers(), bucket_cap_mb=0.0005)
    model.register_comm_hook(*inca_accuracy.comm_hook(model, RING, CODED, average, error_feedback=average == "after"))
    optimizer, (inputs, targets) = sgd(model.parameters()), make_data(48)
    for chosen in itertools.islice(inca_accuracy.batches(48, 4, 2, seed=1), 6):
        optimizer.zero_grad()
        cross_entropy(model(inputs[chosen[rank]]), targets[chosen[rank]]).backward()
        optimizer.step()
    assert "," in model._get_ddp_logging_data()["rebuilt_bucket_sizes"]
    return flat(model.parameters()), flat(model.buffers())


class Ddp(unittest.TestCase):
    def test_the_hook_is_virtual_workers(self):
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(in_ddp, (folder,), 2)
            for average in ("after", "before"):
                (weights, buffers), (others, _) = (torch.load(f"{folder}/{average}-{rank}") for rank in (0, 1))
                _, model = train(scenario=RING, settings=CODED, model=net_with_buffers, average=average,
                                 error_feedback=average == "after")
                self.assertTrue(torch.equal(weights, flat(model.parameters())), average)
                self.assertTrue(torch.equal(buffers, flat(model.buffers())), average)  # worker 0's
                self.assertTrue(torch.equal(weights, others), average)


class Example(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "ring.toml").write_text(RING, encoding="ascii")
        for part, count in (("train", 8), ("t10k", 5)):
            images = b"\0\0\x08\x03" + b"".join(size.to_bytes(4, "big") for size in (count, 28, 28))
            (self.folder / f"{part}-images-idx3-ubyte").write_bytes(images + bytes(range(196)) * 4 * count)
            labels = b"\0\0\x08\x01" + count.to_bytes(4, "big") + bytes(range(count))
            (self.folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))

    def start(self, *arguments):
        return subprocess.Popen([sys.executable, TOOLS / "fashion_accuracy.py", "--scenario", self.folder / "ring.toml",
                                 "--data", self.folder, "--out", self.folder, "--batch", "2", *arguments],
                                stderr=subprocess.PIPE, text=True)

    def test_an_interrupt_ends_all_seeds_and_leaves_what_is_needed_to_go_on(self):
        child = self.start("--seeds", "1,2", "--epochs", "1e5", "--evaluate-every", "5")
        states = [self.folder / f"ring-{seed}.state" for seed in (1, 2)]
        while not all(state.exists() for state in states) and child.poll() is None:
            time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        self.assertEqual((child.communicate()[1], child.returncode),
                         ("Stopped. The same command goes on from the last evaluation of each seed.\n", 130))
        self.assertTrue(all(state.exists() for state in states))

    def test_files_that_do_not_fit_are_refused(self):
        begin = b"\0\0\x08\x01\0\0\0\x08"
        for data, told in ((begin + bytes(7), "should have 8 values, and has fewer"), (b"", "does not begin as an IDX"),
                           (begin + bytes(9), "should have 8 values, and has more"), (b"\x1f\x8b", "does not begin"),
                           (begin[:4] + b"\xff" * 4, "does not begin"), (begin + b"\x0a" * 8, "10 classes from 0")):
            (self.folder / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(data))
            self.assertRaisesRegex(ValueError, told, fashion.read_images, "train", self.folder)
        (self.folder / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(begin + bytes(8))[:-4])
        child = self.start()
        self.assertRegex(child.communicate()[1], "^fashion_accuracy: .*train-labels-idx1-ubyte.gz cannot be read")
        self.assertEqual(child.returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
