# SPDX-License-Identifier: GPL-2.0-only
"""Trains in PyTorch with gradients that go through the exchange of one of INCA's scenarios.

A training with DistributedDataParallel takes two lines more:

    import inca_accuracy
    ddp_model.register_comm_hook(*inca_accuracy.comm_hook(ddp_model, "inc-c.toml"))

All workers in one process with one thread are repeatable, and leave a curve for `inca accuracy`:

    inca_accuracy.train(Model, lambda parameters: torch.optim.SGD(parameters, lr=0.1), (images, labels),
                        (test_images, test_labels), scenario="inc-c.toml", epochs=17, seed=1, curve="out/inc-c-1.csv")

Both find out what an exchange does to accuracy. Neither is fast: a process goes through the exchange of all workers.
The arithmetic is that of `inca run` with `training.values`, to the bit. It is in libinca-values, which is looked for in
INCA_VALUES_LIBRARY, in the build tree or the installation in which this file stands, and where the system looks for
libraries. This file needs nothing but that library and torch (1.13 or later), and may be copied beside a training
script.

Error feedback: a worker adds to its gradient what its encoder has lost so far, p = gradient + residual. It sends
q = decode(encode(p)), sparse and of 16 bits first if the scenario says so, and keeps residual = p - q. What is lost on
the way, where sums are coded again or a switch rounds them, is nobody's residual.
"""
import contextlib
import copy
import ctypes
import functools
import inspect
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import platform
import sys
import sysconfig
import time
import weakref

import torch

__all__ = ["IncaError", "Exchange", "comm_hook", "train", "batches", "side_by_side"]

VERSION = 1  # INCA_VALUES_VERSION of the library for which this file is
NAME = "libinca-values.so.0"
COLUMNS = ("step", "epoch", "accuracy", "loss", "train_loss", "bits_per_value", "zero_share", "replica_difference_max",
           "misfits", "left_share")


class IncaError(RuntimeError):
    """What INCA refuses, and why."""


# -- the library ------------------------------------------------------------------------------------------


class Counts(ctypes.Structure):
    """What an exchange has put on the wire, and what became of its values (inca-values.h)."""

    _fields_ = [("bits_per_value", ctypes.c_double), ("gradient_bytes", ctypes.c_uint64),
                ("weight_bytes", ctypes.c_uint64), ("misfits", ctypes.c_uint64), ("estimated", ctypes.c_uint64),
                ("replica_difference", ctypes.c_double)]


@functools.lru_cache(maxsize=None)
def _library():
    """The library, from where it is named, from around tools/torch or share/inca/torch, or from the system."""
    named, above = os.environ.get("INCA_VALUES_LIBRARY"), pathlib.Path(__file__).resolve().parents
    places = [above[2] / "build" / "release", above[3] / "lib", above[3] / "lib64",
              above[3] / "lib" / str(sysconfig.get_config_var("MULTIARCH"))] if len(above) > 3 else []
    path = named or str(next((place / NAME for place in places if (place / NAME).exists()), NAME))
    try:
        library = ctypes.CDLL(path)
        version = library.inca_values_version()
    except OSError as error:
        advice = "" if named else f" Nor is it in a build or an installation around {__file__}: build INCA, or set " \
                                  "INCA_VALUES_LIBRARY to the library."
        raise IncaError(f"The library cannot be loaded: {error}.{advice}") from None
    except AttributeError:
        raise IncaError(f"{path} is not INCA's library of values.") from None
    if version != VERSION:
        raise IncaError(f"{path} has version {version} of its interface, and this inca_accuracy.py is for {VERSION}: "
                        "take both from the same INCA.")
    library.inca_values_open.restype = ctypes.POINTER(ctypes.c_char)  # what stands there is the library's
    library.inca_values_elements.restype = ctypes.c_uint64
    library.inca_values_describe.restype = ctypes.c_char_p
    return library


def _check_type(values, what):
    """Refuses what fp32 does not hold."""
    kind = getattr(values, "dtype", type(values).__name__)
    if kind not in (torch.float32, torch.float16, torch.bfloat16):
        raise IncaError(f"{what} must be a tensor of float32, float16 or bfloat16, and is of {kind}.")


class Exchange(contextlib.AbstractContextManager):
    """The exchange of a scenario; a context that closes it.

    scenario: the path of a TOML file, or the text of one; settings: "key=value" each, as of `inca run --set`.
    tensors: elements of each tensor of the model, in its order; None takes those of the scenario's trace.
    """

    def __init__(self, scenario, tensors=None, settings=()):
        self._library, self._message, self._results = _library(), ctypes.create_string_buffer(4096), None
        self._complaint = (self._message, ctypes.c_size_t(len(self._message)))  # where the library says why it refuses
        sizes, texts = list(tensors or ()), [setting.encode() for setting in settings]
        self._handle = self._library.inca_values_open(
            os.fsencode(scenario), (ctypes.c_char_p * len(texts))(*texts), ctypes.c_size_t(len(texts)),
            (ctypes.c_uint64 * len(sizes))(*sizes) if sizes else None, ctypes.c_size_t(len(sizes)), *self._complaint)
        if not self._handle:
            raise IncaError(self._message.value.decode(errors="replace"))
        self.close = weakref.finalize(self, self._library.inca_values_close, self._handle)
        self.workers = self._library.inca_values_workers(self._handle)
        self.elements = self._library.inca_values_elements(self._handle)

    def __exit__(self, *_):
        self.close()

    def _open(self):
        if not self.close.alive:
            raise IncaError("The exchange is closed.")
        return self._handle

    def _checked(self, function, *arguments):
        if function(self._open(), *arguments, *self._complaint):
            raise IncaError(self._message.value.decode(errors="replace"))

    @staticmethod
    def _fitting(own, *shape):
        """The same values as the library takes them."""
        _check_type(own, "A gradient")
        if tuple(own.shape) != shape:
            raise IncaError(f"The exchange is of {' x '.join(map(str, shape))} values, and was given "
                            f"{' x '.join(map(str, own.shape))}.")
        return own.detach().to(device="cpu", dtype=torch.float32).contiguous()

    def run(self, own):
        """Goes through one exchange of a matrix that has a row for each worker, its gradient.

        Returns a matrix that has a row for each worker, the sum as it holds it, and the Counts of this exchange. The
        next run reuses the matrix.
        """
        own, counts = self._fitting(own, self.workers, self.elements), Counts()
        if self._results is None:
            self._results = torch.empty_like(own)
        rows = ((ctypes.c_void_p * self.workers)(*map(torch.Tensor.data_ptr, each)) for each in (own, self._results))
        self._checked(self._library.inca_values_run, *rows, ctypes.byref(counts))
        return self._results, counts

    def code(self, worker, own):
        """What this worker's own encoder leaves of its gradient, decode(encode(own))."""
        own = self._fitting(own, self.elements)
        coded = torch.empty_like(own)
        pointers = (ctypes.c_void_p(values.data_ptr()) for values in (own, coded))
        self._checked(self._library.inca_values_code, worker, *pointers)
        return coded

    def describe(self):
        """A dictionary of what the exchange is, and of its runs since it was opened or reset (inca-values.h)."""
        described = self._library.inca_values_describe(self._open())
        if described is None:
            raise IncaError("There is not enough memory to describe the exchange.")
        return json.loads(described)

    def reset(self):
        """Forgets what describe() says of the runs so far."""
        self._library.inca_values_reset(self._open())


class _Alone(Exchange):
    """In the place of an exchange: one worker, whose gradient is the sum."""

    def __init__(self, elements):
        self.workers, self.elements, self.close = 1, elements, lambda: None

    def run(self, own):
        return own, Counts()

    def reset(self):
        pass

    def code(self, worker, own):
        return own

    def describe(self):
        return {"exchange": "none", "codec": "none", "value_path": "0" * 16, "lossless": True}


def _open(parameters, scenario, settings, workers):
    """The exchange of a model's gradients among so many workers, or, if that is None, as many as the scenario has."""
    if not parameters:
        raise IncaError("The model has no parameters that are trained.")
    for parameter in parameters:
        _check_type(parameter, "A parameter that is trained")
    sizes = [parameter.numel() for parameter in parameters]
    if scenario is not None:
        return Exchange(scenario, sizes, [*settings, *([f"cluster.workers={workers}"] if workers else [])])
    if workers not in (None, 1) or settings:
        raise IncaError("Several workers, and settings, need a scenario: without one there is no exchange.")
    return _Alone(sum(sizes))


def _trained(model):
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def _check_average(average):
    if average not in ("after", "before"):
        raise IncaError("average is 'after' (the sum is divided by the number of workers) or 'before' (each worker's "
                        f"gradient is, before it is sent), and not {average!r}.")


def _feed_back(exchange, worker, own, residual):
    """Own becomes what this worker sends of it and of its residual, which becomes what it does not send."""
    whole = own + residual
    own.copy_(exchange.code(worker, whole))
    torch.sub(whole, own, out=residual)


# -- DistributedDataParallel ------------------------------------------------------------------------------


class _State:
    """Collects the buckets of a backward pass, and lets all of them through one exchange when the last is there."""

    def __init__(self, model, scenario, settings, average, error_feedback):
        _check_average(average)
        if not isinstance(model, torch.nn.parallel.DistributedDataParallel):
            raise IncaError(f"comm_hook() is for a DistributedDataParallel, and the model is a {type(model).__name__}.")
        self._group = model.process_group
        self._rank, workers = torch.distributed.get_rank(self._group), torch.distributed.get_world_size(self._group)
        parameters = _trained(model.module)
        self.exchange = _open(parameters, scenario, settings, workers)
        self.counts = None  # of the last exchange
        ends = itertools.accumulate(parameter.numel() for parameter in parameters)
        self._places = {id(parameter): slice(end - parameter.numel(), end) for parameter, end in zip(parameters, ends)}
        self._average = average
        self._residual = torch.zeros(self.exchange.elements) if error_feedback else None
        self._waiting = []  # (future, buffer, [(gradient, place)]) of each bucket

    def take(self, bucket):
        """The future of a bucket's mean."""
        buffer = bucket.buffer()
        future = torch.futures.Future(devices=[buffer.device] if buffer.is_cuda else None)
        places = [self._places[id(parameter)] for parameter in bucket.parameters()]
        self._waiting.append((future, buffer, list(zip(bucket.gradients(), places))))
        if bucket.is_last():
            waiting, self._waiting = self._waiting, []
            self._exchange([pair for _, _, pairs in waiting for pair in pairs], buffer.device)
            for each, whole, _ in waiting:
                each.set_result(whole)
        return future

    def _exchange(self, gradients, device):
        own = torch.zeros(self.exchange.elements)
        for gradient, place in gradients:
            own[place] = gradient.reshape(-1).cpu()
        if self._average == "before":
            own /= self.exchange.workers
        if self._residual is not None:
            _feed_back(self.exchange, self._rank, own, self._residual)
        rows = torch.empty(self.exchange.workers, len(own), device=device)
        torch.distributed.all_gather(list(rows), own.to(device), group=self._group)
        results, self.counts = self.exchange.run(rows)
        mean = results[self._rank] / (self.exchange.workers if self._average == "after" else 1)
        for gradient, place in gradients:
            gradient.copy_(mean[place].view_as(gradient))


def comm_hook(model, scenario, settings=(), average="after", error_feedback=False):
    """(state, hook) for model.register_comm_hook(*comm_hook(model, ...)) of a model in DistributedDataParallel.

    cluster.workers is set to the number of processes. A backward pass goes through one exchange of all of the model's
    tensors, in its order: the buckets that count are the scenario's, not DDP's. Every process gathers the plain
    gradients of all and replays the whole exchange. state.exchange is it, and state.counts what the last one had.
    """
    return _State(model, scenario, settings, average, error_feedback), _State.take


# -- curves -----------------------------------------------------------------------------------------------


def _write_whole(path, write):
    """Has a file written that has its name only once it is whole."""
    write(path + ".part")
    os.replace(path + ".part", path)


def _text(value):
    if isinstance(value, float):
        return f"{value:.9g}" if math.isfinite(value) else ""
    return "" if value is None else str(value)


class _Curve:
    """A curve file, and beside it what is needed to go on after a kill."""

    def __init__(self, path, notes):
        self._path, self._state = path, os.path.splitext(path)[0] + ".state"
        lines = (" ".join(f"# {key}: {value}".split()) for key, value in notes.items())
        self._head = [line.encode("ascii", "backslashreplace").decode()
                      for line in ("#inca-curve v1", *lines, ",".join(COLUMNS))]

    def write(self, rows, state):
        """The rows so far, and what is needed to go on; None where that was the last."""
        if state is not None:
            _write_whole(self._state, lambda part: torch.save({"head": self._head, "rows": rows, **state}, part))
        lines = [*self._head, *(",".join(map(_text, row)) for row in rows)]
        _write_whole(self._path, lambda part: pathlib.Path(part).write_text("\n".join(lines) + "\n", encoding="ascii"))
        if state is None and os.path.exists(self._state):
            os.remove(self._state)

    def _check(self, path, head, rows, planned):
        """Refuses what another training has left: with other notes, or evaluated at other steps."""
        theirs, ours = ([*lines, *(f"a row of step {step}" for step in steps)]
                        for lines, steps in ((head, [row[0] for row in rows]), (self._head, planned[:len(rows)])))
        for their, our in itertools.zip_longest(theirs, ours, fillvalue="nothing"):
            if their != our:
                raise IncaError(f"{path} is of another training: it has '{their}' where this one has '{our}'. Remove "
                                "it, or give this curve another name.")

    def left(self, planned):
        """(rows, state) of an earlier start, with a state if there is something to go on from; ([], None) without."""
        if os.path.exists(self._state):
            try:
                state = torch.load(self._state, weights_only=False)  # ours, with whatever optimizers keep
                head, rows = state["head"], state["rows"]
            except Exception as error:  # whatever a damaged file leads to
                raise IncaError(f"{self._state} cannot be read: {error}. Remove it to begin anew.") from None
            self._check(self._state, head, rows, planned)
            return rows, state
        if not os.path.exists(self._path):
            return [], None
        with open(self._path, encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
        rows = [line.split(",") for line in lines if line[:1].isdigit()]
        rows = [[int(row[0]), *(float(cell) if cell else None for cell in row[1:])] for row in rows]
        self._check(self._path, lines[:len(lines) - len(rows)], rows, planned)
        if len(rows) < len(planned):
            raise IncaError(f"{self._path} ends before step {planned[len(rows)]}, and there is no {self._state} from "
                            "which to go on. Remove it, or give this curve another name.")
        return rows, None


class _Line:
    """A line on a terminal: how far trainings are, and how long they will still take."""

    def __init__(self, trainings):
        self.table = torch.zeros(trainings, 3, dtype=torch.float64).share_memory_()  # step, steps, accuracy
        self._began = self._shown = 0

    def tell(self, training, *done):
        self.table[training] = torch.tensor(done)
        self.show()

    def show(self):
        now, done = time.monotonic(), self.table[:, 0].sum().item()
        if not sys.stderr.isatty() or not done or now - self._shown < 0.2:
            return
        self._began, self._shown = self._began or (now, done), now
        steps = int(self.table[:, 1].max()) * len(self.table)
        new = done - self._began[1]
        left = f", {(steps - done) * (now - self._began[0]) / new / 60:.1f} minutes left" if new else ""
        accuracies = " ".join(f"{100 * accuracy:.2f}" if most else "-" for _, most, accuracy in self.table.tolist())
        print(f"\rstep {done:.0f} of {steps}, accuracy {accuracies} %{left}\033[K", end="", file=sys.stderr, flush=True)

    def close(self):
        if self._shown:
            print(file=sys.stderr)


# -- virtual workers --------------------------------------------------------------------------------------


def _epoch_steps(count, batch, workers):
    steps = count // (batch * workers)
    if not steps:
        raise IncaError(f"The data has {count} items, fewer than the {workers} x {batch} of one step.")
    return steps


def batches(count, batch, workers, seed):
    """Without end, each step's items: a row of indices for every worker.

    Every epoch is shuffled anew; the items that do not fill its last step are left out.
    """
    steps = _epoch_steps(count, batch, workers)
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield from torch.randperm(count, generator=generator)[:steps * workers * batch].reshape(steps, workers, batch)


def _count(data):
    return len(data[0] if isinstance(data, tuple) else data)


def _items(data, chosen):
    """[inputs, targets]: of two tensors, or of a sequence of pairs."""
    if isinstance(data, tuple):
        return [tensor[chosen] for tensor in data]
    return torch.utils.data.default_collate([data[index] for index in chosen.tolist()])


def _called(thing, values):
    """The call that makes such a thing, with what differs from the defaults."""
    defaults = {name: parameter.default for name, parameter in inspect.signature(type(thing)).parameters.items()
                if name in values and name not in ("optimizer", "last_epoch", "verbose")}
    given = (f"{name}={values[name]}" for name, default in defaults.items() if values[name] != default)
    return f"{type(thing).__name__}({', '.join(given)})"


def _engine():
    """What the bits of a training depend on: torch, the library for matrix products and the processor."""
    blas, processor = "unknown BLAS", platform.machine()
    with contextlib.suppress(OSError, StopIteration):  # elsewhere than on Linux
        mapped = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").split()
        names = {"/".join(path.split("/")[-2:]) for path in mapped if "blas" in path.rpartition("/")[2]}
        blas = " ".join(sorted(names)) or "BLAS of torch"
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return f"torch {torch.__version__}, {blas}, {processor}"


class _Replica:
    """A model with its optimizer, and its schedule if it has one: all workers', or one's where their sums differ."""

    def __init__(self, model, make_optimizer):
        self.model, self._make_optimizer, self.parameters = model, make_optimizer, _trained(model)
        made = make_optimizer(self.parameters)
        self.optimizer, self.schedule = made if isinstance(made, tuple) else (made, None)
        self._parts = [part for part in (self.model, self.optimizer, self.schedule) if part is not None]

    def learn(self, items, loss, out):
        """Writes the gradient of the loss of these items to out. @return the loss"""
        inputs, targets = items
        for parameter in self.parameters:
            parameter.grad = None
        value = loss(self.model(inputs), targets)
        value.backward()
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in self.parameters]
        torch.cat([gradient.reshape(-1).float() for gradient in gradients], out=out)
        return value.item()

    def step(self, gradient):
        parts = gradient.split([parameter.numel() for parameter in self.parameters])
        for parameter, part in zip(self.parameters, parts):
            parameter.grad = part.view_as(parameter).to(parameter.dtype)
        for part in self._parts[1:]:
            part.step()

    def state(self):
        return [copy.deepcopy(part.state_dict()) for part in self._parts]

    def load(self, state):
        for part, its in zip(self._parts, state):
            part.load_state_dict(its)

    def copy(self):
        other = _Replica(copy.deepcopy(self.model), self._make_optimizer)
        other.load(self.state())
        return other


class _Training:
    """Virtual workers, and what they have come to."""

    def __init__(self, first, exchange, data, test, options):
        self._replicas, self._exchange, self._data, self._test, self._options = [first], exchange, data, test, options
        self._order = batches(_count(data), options["batch"], exchange.workers, options["seed"])
        self._epoch_steps = _epoch_steps(_count(data), options["batch"], exchange.workers)
        self._own = torch.zeros(exchange.workers, exchange.elements)
        self._residual = torch.zeros_like(self._own) if options["error_feedback"] else None
        self._step, self._tally = 0, []  # steps that are done; what each since the last row had

    def _learn(self, chosen):
        """All workers begin with worker 0's buffers, and worker 0's are kept, as in DDP. @return the mean loss"""
        buffers, total = [buffer.clone() for buffer in self._replicas[0].model.buffers()], 0.0
        for worker in reversed(range(len(chosen))):
            replica = self._replicas[worker % len(self._replicas)]
            for buffer, common in zip(replica.model.buffers(), buffers):
                buffer.copy_(common)
            total += replica.learn(_items(self._data, chosen[worker]), self._options["loss"], self._own[worker])
        return total / len(chosen)

    def _train(self):
        """One step of all workers."""
        own, workers, elements = self._own, self._exchange.workers, self._exchange.elements
        loss = self._learn(next(self._order))
        if self._options["average"] == "before":
            own /= workers
        for worker in range(workers if self._residual is not None else 0):
            _feed_back(self._exchange, worker, own[worker], self._residual[worker])
        sums, counts = self._exchange.run(own)
        zeros = 1 - torch.count_nonzero(sums[0]).item() / elements
        self._tally.append((loss, counts.bits_per_value, zeros, counts.estimated / elements, counts.replica_difference,
                            counts.misfits))
        if counts.replica_difference > 0 and len(self._replicas) == 1:
            self._replicas += [self._replicas[0].copy() for _ in range(workers - 1)]
        for replica, total in zip(self._replicas, sums):
            replica.step(total / (workers if self._options["average"] == "after" else 1))
        self._step += 1

    def _row(self):
        """The row of a curve: what worker 0's model has learned, and what exchanges since the last row had."""
        accuracy, loss = self._evaluate()
        columns, self._tally = list(zip(*self._tally)), []
        *means, left = [sum(column) / len(column) for column in columns[:4]] or [None] * 4
        most = [max(column) for column in columns[4:]] or [None] * 2
        return [self._step, self._step / self._epoch_steps, accuracy, loss, *means, *most, left]

    def _evaluate(self):
        model = copy.deepcopy(self._replicas[0].model).eval()
        right = predicted = total = 0
        with torch.no_grad():
            for chosen in torch.arange(_count(self._test)).split(1000):
                inputs, targets = _items(self._test, chosen)
                outputs = model(inputs)
                total += self._options["loss"](outputs, targets).item() * len(chosen)
                right += (outputs.argmax(1) == targets).sum().item()
                predicted += targets.numel()
        return right / predicted, total / _count(self._test)

    def _state(self):
        return {"step": self._step, "replicas": [replica.state() for replica in self._replicas],
                "residual": self._residual, "draws": torch.get_rng_state()}

    def _load(self, state):
        self._step, self._residual = state["step"], state["residual"]
        self._replicas += [self._replicas[0].copy() for _ in state["replicas"][1:]]
        for replica, its in zip(self._replicas, state["replicas"]):
            replica.load(its)
        torch.set_rng_state(state["draws"])
        self._order = itertools.islice(self._order, self._step, None)

    def notes(self):
        first, about = self._replicas[0], self._exchange.describe()
        schedule = f", {_called(first.schedule, vars(first.schedule))}" if first.schedule else ""
        return {"model": type(first.model).__name__, "data": f"{_count(self._data)} items", "engine": _engine(),
                "workers": self._exchange.workers, "batch": self._options["batch"], "seed": self._options["seed"],
                "optimizer": _called(first.optimizer, first.optimizer.defaults) + schedule,
                "average": self._options["average"], "error_feedback": "no" if self._residual is None else "yes",
                "exchange": about["exchange"], "codec": about["codec"], "value_path": about["value_path"],
                "lossless": "yes" if about["lossless"] else "no",
                "tensors": " ".join(str(parameter.numel()) for parameter in first.parameters)}

    def run(self, epochs, every, curve, progress):
        """Trains, or goes on where an earlier start was. @return rows, and worker 0's model"""
        steps = max(1, round(epochs * self._epoch_steps))
        planned = [*range(0, steps, every), steps]
        rows, state = curve.left(planned) if curve else ([], None)
        if state:
            self._load(state)
        elif rows:
            return rows, None
        for step in planned[len(rows):]:
            while self._step < step:
                self._train()
                progress(self._step, steps, rows[-1][2])
            rows.append(self._row())
            if curve:
                curve.write(rows, self._state() if step < steps else None)
        return rows, self._replicas[0].model


def train(model, optimizer, data, test, *, scenario=None, settings=(), workers=None, batch=25, epochs=1, seed=1,
          average="after", error_feedback=False, evaluate_every=200, loss=torch.nn.functional.cross_entropy, curve=None,
          notes=None, progress=None):
    """Trains with virtual workers, in this process, which it sets to one thread: the same seed gives the same bits.

    model: makes the model, on the CPU. Its initialisation and the order of the data are drawn from seed.
    optimizer: makes of a list of parameters an optimizer, or (optimizer, schedule) of which each step calls both.
    data, test: (inputs, targets), two tensors, or a sequence of such pairs; batch: items per worker and step.
    scenario, settings: as of Exchange, with cluster.workers set to workers if that is given. None: one worker, without
        an exchange.
    average: "after" divides the sum by the workers, "before" each gradient before it is sent.
    loss: of outputs and targets, a mean. An output's largest value along dimension 1 is the class that it predicts.
    curve: a file (docs/formats.md, "Accuracy curve"), written whole at each evaluation. Beside it is what is needed to
        go on after a kill, .state: the same call goes on, to the same bits, and does nothing if the curve is complete.
    notes: for the curve, over those that are found, such as model and data.
    progress: called with step, steps and the last accuracy; None: a line on stderr, if that is a terminal.

    Where workers end with different sums, each has its own weights and optimizer, and worker 0's are evaluated.
    Buffers, as of batch normalisation, are worker 0's, as in DDP. Returns the curve's rows and worker 0's model, which
    is None where nothing was left to train.
    """
    _check_average(average)
    if min(batch, evaluate_every) < 1 or seed < 0 or epochs <= 0:
        raise IncaError("batch and evaluate_every are whole numbers from 1, seed is one from 0, epochs is more than 0.")
    options = {"batch": batch, "seed": seed, "average": average, "error_feedback": error_feedback, "loss": loss}
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    first, line = _Replica(model(), optimizer), _Line(1)
    with _open(first.parameters, scenario, settings, workers) as exchange, contextlib.closing(line):
        training = _Training(first, exchange, data, test, options)
        file = _Curve(os.fspath(curve), {**training.notes(), **(notes or {})}) if curve else None
        return training.run(epochs, evaluate_every, file, progress or functools.partial(line.tell, 0))


def _child(index, work, seeds, cores, table):
    with cores:
        work(seeds[index], lambda *done: table[index].copy_(torch.tensor(done)))


def side_by_side(work, seeds, processes=None):
    """Calls work(seed, progress) for each seed in a process of its own, as many at once as there are cores.

    work: a function of a module, which hands progress to train(). The first that fails ends all, as Ctrl-C does.
    """
    cores = multiprocessing.get_context("spawn").Semaphore(processes or len(os.sched_getaffinity(0)))
    line = _Line(len(seeds))
    children = torch.multiprocessing.spawn(_child, (work, seeds, cores, line.table), len(seeds), join=False)
    try:
        while not children.join(0.2):
            line.show()
    except (torch.multiprocessing.ProcessRaisedException, torch.multiprocessing.ProcessExitedException) as error:
        raise IncaError(str(error).rpartition("IncaError: ")[2].strip()) from None
    finally:
        line.close()
        for child in children.processes:
            child.terminate()
            child.join()
