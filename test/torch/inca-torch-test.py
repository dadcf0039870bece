# SPDX-License-Identifier: GPL-2.0-only
"""Tests of tools/torch, with Debian's PyTorch: inca-torch-test.py ROOT INCA [-v] [TEST...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT, INCA = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
TOOLS = ROOT / "tools" / "torch"
sys.dont_write_bytecode = True  # a test leaves nothing behind in the tree
sys.path.insert(0, str(TOOLS))

try:
    import torch
except ImportError:
    print("skipped: there is no PyTorch (apt install python3-torch)")
    sys.exit(77)

import inca_torch  # noqa: E402


class Time:
    """A clock that stands still but for what is said to take time."""

    now = 0

    @classmethod
    def mark(cls):
        return cls.now


class Event:
    """A mark in a GPU's stream, as PyTorch tells of it: in milliseconds, and only once it is done."""

    def __init__(self, enable_timing):
        assert enable_timing
        self.is_done = False

    def record(self):
        self.at = Time.now

    def synchronize(self):
        self.is_done = True

    def elapsed_time(self, end):
        assert end.is_done
        return (end.at - self.at) / 1e6


class Work(torch.autograd.Function):
    """x * weight, which takes some time forward and some backward."""

    @staticmethod
    def forward(context, x, weight, forward_ns, backward_ns):
        context.save_for_backward(x, weight)
        context.ns = backward_ns
        Time.now += forward_ns
        return x * weight

    @staticmethod
    def backward(context, gradient):
        x, weight = context.saved_tensors
        Time.now += context.ns
        return gradient * weight, (gradient * x).sum(), None, None


class Layer(torch.nn.Module):
    """One parameter and its Work, or without a parameter an activation."""

    def __init__(self, forward_ns, backward_ns, has_weight=True):
        super().__init__()
        weight = torch.ones(())
        self.weight = torch.nn.Parameter(weight) if has_weight else weight
        self.times = forward_ns, backward_ns

    def forward(self, x):
        return Work.apply(x, self.weight, *self.times)


class TimedSgd(torch.optim.SGD):
    """2 ns for each parameter."""

    def step(self, closure=None):
        Time.now += 2 * sum(len(group["params"]) for group in self.param_groups)
        return super().step(closure)


def read_trace(path):
    """(metadata, rows as dictionaries)"""
    lines = pathlib.Path(path).read_text().splitlines()
    notes = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    header, *rows = [line.split(",") for line in lines if not line.startswith("#")]
    return notes, [dict(zip(header, row)) for row in rows]


def read_safetensors(path):
    """(metadata, {name: list of values}), by the format's description alone"""
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    metadata, values, end = header.pop("__metadata__", {}), {}, 0
    for name, entry in header.items():
        begin, stop = entry["data_offsets"]
        assert begin == end and entry["dtype"] == "F32", entry
        end = stop
        part = bytearray(data[8 + length + begin:8 + length + stop])
        values[name] = torch.frombuffer(part, dtype=torch.float32).tolist()
    assert 8 + length + end == len(data)
    return metadata, values


def inca(*arguments):
    done = subprocess.run([str(INCA), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, env={**os.environ, "INCA_TRACES": str(ROOT / "traces")})
    return done.returncode, done.stdout, done.stderr


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "out")
        Time.now = 0
        torch.manual_seed(1)

    def timed(self, steps=4, evaluate=False, passes=1, clock=None, **options):
        """Trains layers a and b with an activation between, and a loss of 5 and 7 ns; with the clock that stands."""
        model = torch.nn.Sequential()
        model.add_module("a", Layer(3, 20))
        model.add_module("activation", Layer(2, 1, has_weight=False))
        model.add_module("b", Layer(4, 10))
        optimizer = TimedSgd(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, skip=1, **options) as recording:
            recording._recorder._clock = clock or inca_torch._HostClock(Time.mark)
            for _ in range(steps):
                optimizer.zero_grad()
                for _ in range(passes):
                    if evaluate:
                        with torch.no_grad():
                            model(torch.ones(8))
                    Work.apply(model(torch.ones(8)), torch.ones(()), 5, 7).sum().backward()
                optimizer.step()
        return model, optimizer

    def times(self):
        return [[row["layer"]] + [row[name] for name in ("forward_ns", "backward_ns", "update_ns")]
                for row in read_trace(self.out + "/trace.csv")[1]]

    # a's forward pass has the activation behind it: 3 + 2. b is the first to be ready: the loss, forward and
    # backward, and b itself, 5 + 7 + 10; then a, with the activation's backward: 1 + 20. The optimizer takes 2 ns
    # for each of two parameters, which is spread by elements, of which each layer has one.
    def test_times_are_those_between_hooks(self):
        self.timed()
        self.assertEqual(self.times(), [["a", "5", "21", "2"], ["b", "4", "22", "2"]])

    @unittest.mock.patch("torch.cuda.Event", Event)
    def test_times_on_a_gpu_are_those_between_events(self):
        self.timed(clock=inca_torch._CudaClock())
        self.assertEqual(self.times(), [["a", "5", "21", "2"], ["b", "4", "22", "2"]])

    def test_the_optimizer_is_measured_layer_by_layer(self):
        self.timed(steps=6, split_update=True)
        self.assertEqual(self.times(), [["a", "5", "21", "2"], ["b", "4", "22", "2"]])
        self.assertIn("for each layer alone", read_trace(self.out + "/trace.csv")[0]["update"])

    # what is evaluated between training steps, without gradients, is no part of them
    def test_evaluation_is_left_out(self):
        self.timed(evaluate=True)
        self.assertEqual(self.times(), [["a", "5", "21", "2"], ["b", "4", "22", "2"]])

    # 2 of 3 steps are measured, of 2 passes each; an update has both behind it
    def test_accumulated_passes_are_each_measured(self):
        self.timed(steps=3, passes=2)
        self.assertEqual(self.times(), [["a", "5", "21", "2"], ["b", "4", "22", "2"]])
        self.assertIn("medians of 4 passes", read_trace(self.out + "/trace.csv")[0]["recorded"])

    # two calls of the model, 5 + 4 ns each, before one backward pass; what is between them is no part of either
    def test_calls_before_one_backward_pass_count_together(self):
        model = torch.nn.Sequential()
        model.add_module("a", Layer(5, 20))
        model.add_module("b", Layer(4, 10))
        optimizer = TimedSgd(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, skip=1) as recording:
            recording._recorder._clock = inca_torch._HostClock(Time.mark)
            for _ in range(3):
                first = model(torch.ones(8))
                Time.now += 1000
                (first + model(torch.ones(8))).sum().backward()
                optimizer.step()
        self.assertEqual([row[:2] for row in self.times()], [["a", "10"], ["b", "8"]])

    def test_nothing_is_left_behind(self):
        model, optimizer = self.timed()
        self.assertNotIn("step", vars(optimizer))
        for module in model.modules():
            self.assertFalse(module._forward_hooks or module._forward_pre_hooks)
        self.assertFalse(any(parameter._backward_hooks for parameter in model.parameters()))
        self.assertEqual(os.listdir(self.out), ["trace.csv"])

    def test_inca_reads_the_trace(self):
        self.timed()
        code, text, complaint = inca("trace", "show", self.out + "/trace.csv")
        self.assertEqual((code, complaint), (0, ""))
        self.assertIn("\nbatch          8\n", text)

    # y = w x with x = 1, 2, 3 in one pass and 10 in another: the gradient is 6, then 10, together 16
    def test_values_of_accumulated_passes_add_up(self):
        model = torch.nn.Linear(1, 1, bias=False)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, values=[2]):
            for _ in range(3):
                optimizer.zero_grad()
                for batch in ([1.0, 2.0, 3.0], [10.0]):
                    model(torch.tensor(batch).reshape(-1, 1)).sum().backward()
                optimizer.step()
        self.assertEqual(sorted(os.listdir(self.out)), ["step-2"])  # no step was measured
        metadata, values = read_safetensors(self.out + "/step-2/worker-0.safetensors")
        self.assertEqual(metadata, {"step": "2", "worker": "0", "workers": "1"})
        self.assertEqual(values, {"model": [16.0]})

    # of y = w x with x = 10, the gradient is thrown away with the step; with x = 1, 2, 3 it is 6
    def test_gradients_of_a_step_that_is_left_out_do_not_count(self):
        model = torch.nn.Linear(1, 1, bias=False)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, values=[1]):
            for batch, is_left_out in (([10.0], True), ([1.0, 2.0, 3.0], False)):
                optimizer.zero_grad()
                model(torch.tensor(batch).reshape(-1, 1)).sum().backward()
                if not is_left_out:  # as a GradScaler decides
                    optimizer.step()
        self.assertEqual(read_safetensors(self.out + "/step-1/worker-0.safetensors")[1], {"model": [6.0]})

    def test_names_stay_different_in_ascii(self):
        model = torch.nn.Sequential()
        for name in "\u00e9\u00fc":
            model.add_module(name, torch.nn.Linear(1, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, skip=1, values=[1]):
            for _ in range(2):
                model(torch.ones(1, 1)).sum().backward()
                optimizer.step()
        self.assertEqual([row["layer"] for row in read_trace(self.out + "/trace.csv")[1]], ["\\xe9", "\\xfc"])
        values = self.out + "/step-1/worker-0.safetensors"
        self.assertEqual(inca("trace", "measure", values, "--trace", self.out + "/trace.csv")[0], 0)

    # the file's values stand in the order of the trace's tensors
    def test_values_and_tensors_have_one_order(self):
        model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.Flatten(), torch.nn.Linear(8, 3))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, values=[1], skip=1):
            for _ in range(2):
                optimizer.zero_grad()
                model(torch.rand(4, 1, 4, 4)).square().sum().backward()
                expected = {name: parameter.grad.flatten().tolist() for name, parameter in model.named_parameters()} \
                    if _ == 0 else expected
                optimizer.step()
        _, values = read_safetensors(self.out + "/step-1/worker-0.safetensors")
        by_size = {len(numbers): numbers for numbers in expected.values()}  # 18, 2, 24 and 3: all differ
        for row in read_trace(self.out + "/trace.csv")[1]:
            sizes = [int(size) for size in row["tensors"].split()]
            self.assertEqual(sum(sizes), int(row["elements"]))
            self.assertEqual(values[row["layer"]], [number for size in sizes for number in by_size[size]])

    def test_sixteen_bits_are_told(self):
        model = torch.nn.Linear(4, 4).bfloat16()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with inca_torch.record(model, self.out, skip=1, values=[1], batch=7):
            for _ in range(2):
                model(torch.ones(4, 4).bfloat16()).sum().backward()
                optimizer.step()
        notes, _ = read_trace(self.out + "/trace.csv")
        self.assertEqual((notes["gradient_type"], notes["batch"]), ("bf16", "7"))
        self.assertEqual(inca("trace", "measure", self.out + "/step-1/worker-0.safetensors", "--trace",
                              self.out + "/trace.csv")[0], 0)

    def test_an_exception_passes_through(self):
        model = torch.nn.Linear(1, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with self.assertRaisesRegex(KeyError, "mine"):
            with inca_torch.record(model, self.out, skip=1):
                for step in range(3):
                    if step == 2:
                        raise KeyError("mine")
                    model(torch.ones(1, 1)).sum().backward()
                    optimizer.step()
        self.assertTrue(os.path.exists(self.out + "/trace.csv"))
        self.assertNotIn("step", vars(optimizer))

    def test_a_scheduler_may_wrap_the_optimizer(self):
        model = torch.nn.Linear(1, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
        before = optimizer.step
        with inca_torch.record(model, self.out, skip=1):
            for _ in range(3):
                model(torch.ones(1, 1)).sum().backward()
                optimizer.step()
                scheduler.step()
        self.assertEqual(optimizer.step, before)
        self.assertEqual(optimizer.param_groups[0]["lr"], 0.125)
        self.assertTrue(os.path.exists(self.out + "/trace.csv"))

    def test_a_scheduler_may_be_made_meanwhile(self):
        model = torch.nn.Linear(1, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
        with inca_torch.record(model, self.out, skip=1):
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
            for _ in range(3):
                model(torch.ones(1, 1)).sum().backward()
                optimizer.step()
                scheduler.step()
        before = model.weight.item()
        optimizer.step()  # still does what it did
        self.assertNotEqual(model.weight.item(), before)
        self.assertIn("medians of 2 passes", read_trace(self.out + "/trace.csv")[0]["recorded"])

    def test_misuse_is_told(self):
        model = torch.nn.Linear(1, 1)

        def refusal(*arguments, **options):
            with self.assertRaises((ValueError, FileExistsError)) as raised:
                inca_torch.record(*arguments, **options)
            return str(raised.exception)

        self.assertIn("no optimizers hold the model's parameters", refusal(model, self.out))
        optimizers = [torch.optim.SGD(model.parameters(), lr=0.1) for _ in range(2)]
        self.assertIn("2 optimizers", refusal(model, self.out))
        self.assertIn("clock='gpu' does not fit", refusal(model, self.out, optimizer=optimizers[0], clock="gpu"))
        self.assertIn("whole numbers from 1", refusal(model, self.out, optimizer=optimizers[0], values=[0]))
        self.assertIn("no parameters", refusal(torch.nn.ReLU(), self.out))
        self.assertIn("copies the model", refusal(torch.nn.DataParallel(model), self.out))
        compiled = type("OptimizedModule", (torch.nn.Sequential,), {})(model)
        self.assertIn("torch.compile", refusal(torch.nn.Sequential(compiled), self.out))
        model._compiled_call_impl = print  # what model.compile() sets
        self.assertIn("torch.compile", refusal(model, self.out))
        model._compiled_call_impl = None
        with self.assertRaises(OSError):  # no place for files, whoever asks
            inca_torch.record(model, "/proc/self/fdinfo", optimizer=optimizers[0])
        with self.assertRaisesRegex(ValueError, "closure"):
            with inca_torch.record(model, self.out, optimizer=optimizers[0]):
                optimizers[0].step(lambda: model(torch.ones(1, 1)).sum())
        os.makedirs(self.out + "/step-3")
        self.assertIn("step-3 is there already", refusal(model, self.out, optimizer=optimizers[0]))


def average(rank, folder):
    """One of two workers, each with data of its own; rank 0 keeps what DDP makes of the gradients."""
    torch.distributed.init_process_group("gloo", f"file://{folder}/meeting", rank=rank, world_size=2)
    torch.manual_seed(rank)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(6, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with inca_torch.record(model, folder + "/out", values=[2], skip=1, divide=True):
        for step in (1, 2, 3):
            optimizer.zero_grad()
            model(torch.rand(4, 6)).square().sum().backward()
            if rank == 0 and step == 2:
                torch.save(torch.cat([model.module.weight.grad.flatten(), model.module.bias.grad]), folder + "/mean")
            optimizer.step()
    torch.distributed.destroy_process_group()


class SeveralWorkers(unittest.TestCase):
    def setUp(self):
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    # what workers send, divided by their number, adds up to what DDP gives the optimizer; fp32 sums of two
    # numbers do not depend on their order
    def test_values_are_what_ddp_averages(self):
        torch.multiprocessing.spawn(average, (self.folder,), 2)
        parts = [read_safetensors(f"{self.folder}/out/step-2/worker-{worker}.safetensors")[1]["model"]
                 for worker in range(2)]
        mean = torch.load(self.folder + "/mean")
        self.assertNotEqual(parts[0], parts[1])
        sums = torch.tensor(parts[0]) + torch.tensor(parts[1])
        sizes = read_trace(self.folder + "/out/trace.csv")[1][0]["tensors"].split()
        in_order = mean if sizes == ["30", "5"] else torch.cat([mean[30:], mean[:30]])
        self.assertTrue(torch.equal(sums, in_order), (sums, in_order))

    def example(self, workers):
        out = f"{self.folder}/{workers}"
        subprocess.run([sys.executable, str(TOOLS / "fashion_cnn.py"), "--out", out, "--workers", str(workers),
                        "--steps", "8", "--values", "1,2"], check=True, stdout=subprocess.DEVNULL)
        notes, rows = read_trace(out + "/trace.csv")
        # 1*16*9 + 16, 16*32*9 + 32, 32*49*512 + 512, 512*10 + 10
        self.assertEqual([(row["layer"], row["elements"]) for row in rows],
                         [("conv1", "160"), ("conv2", "4640"), ("fc1", "803328"), ("fc2", "5130")])
        self.assertEqual(notes["class"], "measured")
        return out

    def runs(self, out, workers):
        """The recording, replayed with its own gradients, of which every sum is verified, and in DDP's buckets."""
        with open(self.folder + "/run.toml", "w", encoding="ascii") as file:
            file.write("[training]\nvalues = true\n")
        code, text, complaint = inca(
            "run", self.folder + "/run.toml", "--set", f"training.trace={out}/trace.csv", "--set",
            f"training.values_file={out}/step-2/worker-{{worker}}.safetensors", "--set", f"cluster.workers={workers}",
            "--json", "--out", out + "/run")
        self.assertEqual(code, 0, complaint)
        row = json.loads(text)
        self.assertGreater(row["sum_error_max"], 0)  # fp32 sums, beside fp64
        # fc2 and fc1.bias are below the first MiB, which fc1.weight reaches: 803,328 + 5,130 values; 4,800 are left
        self.assertEqual(read_trace(out + "/trace.csv")[0]["ddp_bucket_bytes"], "3233832, 19200")
        self.assertEqual(row["buckets"], 2)

    def measures(self, out, workers):
        for step in (1, 2):
            files = [f"{out}/step-{step}/worker-{worker}.safetensors" for worker in range(workers)]
            code, _, complaint = inca("trace", "measure", *files, "--trace", out + "/trace.csv", "-o", out + "/mine.csv")
            self.assertEqual(code, 0, complaint)
            notes, rows = read_trace(out + "/mine.csv")
            self.assertEqual(notes["stats_workers"], str(workers))
            self.assertGreater(float(rows[2]["density"]), 0)

    def test_the_example_with_2_workers(self):
        out = self.example(2)
        self.runs(out, 2)
        self.measures(out, 2)

    def test_the_example_with_4_workers(self):
        out = self.example(4)
        self.runs(out, 4)
        self.measures(out, 4)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
