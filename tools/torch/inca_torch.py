# SPDX-License-Identifier: GPL-2.0-only
"""Records a training in PyTorch as a trace that INCA replays.

    import inca_torch
    with inca_torch.record(ddp_model, "out/"):
        ...the training loop, as it is...

writes out/trace.csv (docs/formats.md, "Native trace"): layers, their tensors, the order in which gradients become
ready, and what forward, backward and the optimizer take per layer. With values=(1, 50) every worker also writes its
own gradients of those steps, out/step-1/worker-0.safetensors and so on, for `training.values_file` and
`inca trace measure`.

This file needs nothing but torch (1.13 or later), and may be copied beside a training script.

How times are taken: hooks tell when a layer's forward pass begins and when a parameter's gradient is ready.
A layer is a module that owns parameters. Its forward pass lasts until the next layer's begins, so activations and
pooling count for the layer before them; its backward pass lasts from the moment when the gradients of the layer
before (in order of readiness) are all ready until its own are. The loss is part of the first of these.
The time of the hooks themselves is left out, and told. Medians over steps are written.
"""
import ctypes
import functools
import gc
import json
import os
import platform
import statistics
import sys
import tempfile
import time
import types

import torch

__all__ = ["record"]


class _HostClock:
    """Nanoseconds of this process: of the wall, or of the processor while this thread is on it."""

    def __init__(self, now):
        self.mark = self.host_ns = now

    def ns(self, begin, end):
        return end - begin

    def hooks_ns(self, passes):
        """What the hooks of these passes took, by the same clock."""
        return sum(left - entered for marks in passes for _, entered, left in marks.forward + marks.backward)


class _CudaClock:
    """Marks in the stream that computes; they are read when all is done."""

    def __init__(self):
        self._hooks_ns = 0
        self.host_ns = time.perf_counter_ns

    def mark(self):
        began = time.perf_counter_ns()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        self._hooks_ns += time.perf_counter_ns() - began
        return event

    def ns(self, begin, end):
        end.synchronize()
        return round(begin.elapsed_time(end) * 1e6)

    def hooks_ns(self, _):
        """What the host spent on marks since it was last asked."""
        spent, self._hooks_ns = self._hooks_ns, 0
        return spent


class _Layer:
    """A module that owns parameters, and those of them that have gradients."""

    def __init__(self, name, parameters):
        self.name = name
        self.parameters = parameters
        self.elements = sum(parameter.numel() for parameter in parameters)


_BEGIN, _END = -1, -2  # of the model's forward pass


class _Marks:
    """What happened in one forward and backward pass, and when: (what, entered, left) of each hook."""

    def __init__(self):
        self.forward = []   # index of the layer that begins, _BEGIN or _END; again if the model is called again
        self.backward = []  # (layer, tensor) whose gradient is ready


def _ascii(text):
    """As traces are, and different where texts are."""
    return text.encode("ascii", "backslashreplace").decode()


def _layers_of(model):
    """The layers in the order in which the model names them; a shared parameter belongs to the first."""
    known, layers = set(), []
    for name, module in model.named_modules():
        own = [p for p in module.parameters(recurse=False) if p.requires_grad and id(p) not in known]
        known.update(id(parameter) for parameter in own)
        if own:
            layers.append((module, _Layer(_ascii(name or "model"), own)))
    return layers


def _optimizer_of(model):
    """The one optimizer that holds parameters of the model."""
    wanted = {id(parameter) for parameter in model.parameters()}
    found = [
        thing for thing in gc.get_objects()
        if issubclass(type(thing), torch.optim.Optimizer)
        and any(id(p) in wanted for group in thing.param_groups for p in group["params"])
    ]
    if len(found) != 1:
        raise ValueError(f"inca_torch: {len(found) or 'no'} optimizers hold the model's parameters; "
                         "make one before record(), or name it: record(..., optimizer=...)")
    return found[0]


def _clock_of(name, model):
    on_gpu = any(parameter.is_cuda for parameter in model.parameters())
    if name is None:
        name = "gpu" if on_gpu else "wall"
    if name == "gpu" and on_gpu:
        return name, _CudaClock()
    if name == "wall" and not on_gpu:
        return name, _HostClock(time.perf_counter_ns)
    if name == "cpu" and not on_gpu and torch.get_num_threads() == 1:
        return name, _HostClock(time.thread_time_ns)
    raise ValueError(f"inca_torch: clock='{name}' does not fit: 'gpu' is for models on a GPU, 'wall' for those on the "
                     "CPU, and 'cpu' for those on the CPU with torch.set_num_threads(1)")


def _rank_and_workers():
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return 0, 1


def _check_folder(out):
    """A folder may be there, but not with another recording in it, which would be mixed with this one."""
    os.makedirs(out, exist_ok=True)
    tempfile.TemporaryFile(dir=out).close()  # else it would be told when the training is over
    left = sorted(name for name in os.listdir(out) if name == "trace.csv" or name.startswith("step-"))
    if left:
        raise FileExistsError(f"inca_torch: {os.path.join(out, left[0])} is there already, of another recording; "
                              "remove it, or record into another folder")


def _write_whole(path, *parts):
    """Writes a file that has its name only once it is whole."""
    part = f"{path}.part-{os.getpid()}"
    try:
        with open(part, "wb") as file:
            for data in parts:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def write_safetensors(path, tensors, metadata):
    """Writes fp32 tensors on the CPU, end to end in their order. @param metadata of texts"""
    header, end = {"__metadata__": metadata}, 0
    for name, tensor in tensors.items():
        begin, end = end, end + 4 * tensor.numel()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    data = (ctypes.string_at(t.data_ptr(), 4 * t.numel()) for t in map(torch.Tensor.contiguous, tensors.values()))
    _write_whole(path, len(text).to_bytes(8, "little"), text, *data)


def _processor():
    """The processor's name, where the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _count(number, thing):
    return f"{number} {thing if number == 1 else thing + ('es' if thing.endswith('s') else 's')}"


def _csv(text):
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text


def _ns(value):
    """Nanoseconds with at most three digits after the point."""
    return f"{max(0, value):.3f}".rstrip("0").rstrip(".")


class _Recorder:
    """The hooks, what they have seen, and what becomes of it."""

    def __init__(self, model, out, options):
        self._model = getattr(model, "module", model) if _is_parallel(model) else model
        self._ddp = model if _is_parallel(model) else None
        self._out, self._options = out, options
        self._modules = _layers_of(self._model)
        self._layers = [layer for _, layer in self._modules]
        if not self._layers:
            raise ValueError("inca_torch: the model has no parameters that have gradients")
        self._optimizer = options["optimizer"] or _optimizer_of(self._model)
        self._clock_name, self._clock = _clock_of(options["clock"], self._model)
        self._rank, self._workers = _rank_and_workers()
        self._handles = []
        self._ended = False
        self._step = 1          # that is under way
        self._marks = None      # of the pass that is under way; None: none is
        self._passes = []       # of this step
        self._readiness = {}    # (layer, tensor): its place in the order of the first step, as DDP takes it
        self._measured = []     # the passes that were measured
        self._updates = []      # (begin, end) of each whole call of the optimizer
        self._split = []        # the same for each layer, of each call that was split
        self._step_ns = []      # of each measured step, on the host, and of these the hooks'
        self._hooks_ns = []
        self._step_began = None
        self._gradients = {}    # (layer, tensor) of a step whose values are wanted
        self._values_ns = []
        self._batch = options["batch"]

    # -- what is hooked ---------------------------------------------------------------------------

    def begin(self):
        add = self._handles.append
        add(self._model.register_forward_pre_hook(self._model_begins))
        for index, (module, layer) in enumerate(self._modules):
            add(module.register_forward_pre_hook(lambda *_, index=index: self._layer_begins(index)))
            for tensor, parameter in enumerate(layer.parameters):
                add(parameter.register_hook(lambda gradient, at=(index, tensor): self._ready(at, gradient)))
        add(self._model.register_forward_hook(self._model_ends))
        step = self._optimizer.step

        @functools.wraps(step)  # learning rate schedulers look whether they have wrapped it
        def update(_, *args, **kwargs):
            return self._update(step, args, kwargs)

        self._step_before = vars(self._optimizer).get("step")
        self._step_hook = types.MethodType(update, self._optimizer)
        self._optimizer.step = self._step_hook

    def end(self):
        for handle in self._handles:
            handle.remove()
        self._ended = True
        if vars(self._optimizer).get("step") is not self._step_hook:
            pass  # a scheduler that was made meanwhile has wrapped the hook, which only passes on from now on
        elif self._step_before is None:
            del self._optimizer.step
        else:
            self._optimizer.step = self._step_before
        if self._rank == 0:
            self._finish()

    # -- hooks --------------------------------------------------------------------------------------

    def _wants_times(self):
        first = self._options["skip"] + 1
        return first <= self._step < first + self._options["steps"] and not self._wants_values()

    def _wants_values(self):
        return self._step in self._options["values"]

    def _mark(self, marks, what):
        """Notes that a hook was entered; its own time ends with this call."""
        entered = self._clock.mark()
        marks.append((what, entered, self._clock.mark()))

    def _model_begins(self, _, inputs):
        if not (torch.is_grad_enabled() and self._model.training):
            return
        if self._batch is None:
            sizes = [value.size(0) for value in inputs if isinstance(value, torch.Tensor) and value.dim() > 0]
            self._batch = sizes[0] if sizes else None
        if self._wants_times():
            if self._step_began is None:
                self._step_began = self._clock.host_ns()
            if self._marks is None or self._marks.backward:
                self._marks = _Marks()
            self._mark(self._marks.forward, _BEGIN)
        if self._gradients and not any(p.grad is not None and p.grad.any() for p in self._model.parameters()):
            self._gradients = {}  # of a step that was left out, as by a GradScaler after an overflow

    def _is_in_forward(self):
        return self._marks is not None and self._marks.forward[-1][0] != _END and torch.is_grad_enabled()

    def _layer_begins(self, index):
        if self._is_in_forward():
            self._mark(self._marks.forward, index)

    def _model_ends(self, *_):
        if self._is_in_forward():
            self._mark(self._marks.forward, _END)

    def _ready(self, at, gradient):
        if self._step == 1:
            self._readiness.setdefault(at, len(self._readiness))
        if self._marks is not None:
            if not self._marks.backward:
                self._passes.append(self._marks)
            self._mark(self._marks.backward, at)
        if self._wants_values():
            began = time.perf_counter_ns()
            own = gradient.detach().to_dense() if gradient.is_sparse else gradient.detach()
            own = own.to(device="cpu", dtype=torch.float32, copy=True)
            before = self._gradients.get(at)
            self._gradients[at] = own if before is None else before + own
            self._values_ns.append(time.perf_counter_ns() - began)

    def _update(self, step, args, kwargs):
        """Calls the optimizer; every other call is split, if that was asked for, to see what each layer takes."""
        if self._ended:
            return step(*args, **kwargs)
        if (args[0] if args else kwargs.get("closure")) is not None:
            raise ValueError("inca_torch: an optimizer that is given a closure trains within its step, which cannot be "
                             "recorded")
        if self._wants_values():
            self._write_values()
        if not (self._wants_times() and self._passes):
            result = step(*args, **kwargs)
        elif self._options["split_update"] and self._step % 2 == 0:
            result = self._split_update(lambda: step(*args, **kwargs))
        else:
            begin = self._clock.mark()
            result = step(*args, **kwargs)
            self._updates.append((begin, self._clock.mark()))
        self._end_step()
        return result

    def _split_update(self, step):
        """Calls the optimizer for each layer alone; every time another one is first, and finds nothing warm."""
        groups, result = self._optimizer.param_groups, None
        times = [None] * len(self._layers)
        try:
            for turn in range(len(self._layers)):
                index = (turn + len(self._split)) % len(self._layers)
                own = {id(parameter) for parameter in self._layers[index].parameters}
                parts = [{**group, "params": [p for p in group["params"] if id(p) in own]} for group in groups]
                self._optimizer.param_groups = [part for part in parts if part["params"]]
                begin = self._clock.mark()
                result = step()
                times[index] = (begin, self._clock.mark())
        finally:
            self._optimizer.param_groups = groups
        self._split.append(times)
        return result

    def _end_step(self):
        if self._step_began is not None and self._passes:
            self._step_ns.append(self._clock.host_ns() - self._step_began)
            self._hooks_ns.append(self._clock.hooks_ns(self._passes))
        self._measured += self._passes
        self._passes, self._marks, self._gradients, self._step_began = [], None, {}, None
        self._step += 1

    # -- files ----------------------------------------------------------------------------------------

    def _write_values(self):
        began = time.perf_counter_ns()
        divisor = self._workers if self._options["divide"] else 1
        tensors = {}
        for index, layer in enumerate(self._layers):
            parts = [
                self._gradients.get((index, tensor), torch.zeros(parameter.shape)).reshape(-1)
                for tensor, parameter in self._tensors(index)]
            tensors[layer.name] = torch.cat(parts) / divisor
        folder = os.path.join(self._out, f"step-{self._step}")
        os.makedirs(folder, exist_ok=True)
        metadata = {"step": str(self._step), "worker": str(self._rank), "workers": str(self._workers)}
        write_safetensors(os.path.join(folder, f"worker-{self._rank}.safetensors"), tensors, metadata)
        self._values_ns.append(time.perf_counter_ns() - began)

    def _turned(self, things, place):
        """Sorted against the order of readiness, so that the last is ready first; what never was ready is first."""
        return sorted(things, key=lambda thing: -self._readiness.get(place(thing), len(self._readiness)))

    def _tensors(self, index):
        """(tensor, parameter) of a layer, in the order in which they stand in traces and files of values."""
        return self._turned(enumerate(self._layers[index].parameters), lambda tensor: (index, tensor[0]))

    def _finish(self):
        if not self._measured:
            print(f"inca_torch: nothing measured: no training step after the first {self._options['skip']}, which "
                  "are skipped (skip=), other than those whose values were wanted", file=sys.stderr)
            return
        _write_whole(os.path.join(self._out, "trace.csv"), self._trace_text().encode())
        print(self._report(), file=sys.stderr)

    def _order(self):
        """Indices of the layers against the order in which all of their gradients were ready: input side first."""
        done = {}
        for (index, _), place in self._readiness.items():
            done[index] = max(done.get(index, 0), place)
        return sorted(range(len(self._layers)), key=lambda index: -done.get(index, len(self._readiness)))

    def _forward_ns(self, marks):
        """Of one pass, {layer: ns}: a layer has what is between its hook and the next."""
        times = {}
        begun = next((what for what, _, _ in marks.forward if what >= 0), 0)
        for (what, _, left), (_, entered, _) in zip(marks.forward, marks.forward[1:]):
            begun = what if what >= 0 else begun
            if what != _END:
                times[begun] = times.get(begun, 0) + self._clock.ns(left, entered)
        return times

    def _backward_ns(self, marks):
        """Of one pass, {layer: ns}: a layer has what is between the last gradient of the one before and its own."""
        last = {at[0]: position for position, (at, _, _) in enumerate(marks.backward)}
        times, waiting, left = {}, 0, marks.forward[-1][2]
        for position, (at, entered, leaving) in enumerate(marks.backward):
            waiting += self._clock.ns(left, entered)
            left = leaving
            if last[at[0]] == position:
                times[at[0]] = times.get(at[0], 0) + waiting
                waiting = 0
        return times

    def _update_ns(self):
        """([ns per layer], what is to be said of them)."""
        whole = statistics.median(self._clock.ns(*times) for times in self._updates) if self._updates else None
        if self._split:
            parts = [statistics.median(self._clock.ns(*times[i]) for times in self._split)
                     for i in range(len(self._layers))]
            note = f"the optimizer called for each layer alone, medians of {len(self._split)} steps"
            if whole is not None:
                parts = [part * whole / max(1, sum(parts)) for part in parts]
                note += f"; scaled to the call for all layers, {_ns(whole / 1000)} us (median of {len(self._updates)})"
            return parts, note
        elements = sum(layer.elements for layer in self._layers)
        return ([whole * layer.elements / elements for layer in self._layers],
                "the optimizer's call for all layers, measured; spread by elements (assumed)")

    def _medians(self, times_of):
        each = [times_of(marks) for marks in self._measured]
        return [statistics.median(times.get(index, 0) for times in each) for index in range(len(self._layers))]

    def _metadata(self, update_note):
        kinds = {parameter.dtype for layer in self._layers for parameter in layer.parameters}
        gradient_type = {torch.float16: "fp16", torch.bfloat16: "bf16"}.get(kinds.pop() if len(kinds) == 1 else None,
                                                                            "fp32")
        on_gpu = self._clock_name == "gpu"
        threads = _count(torch.get_num_threads(), "thread")
        device = torch.cuda.get_device_name() if on_gpu else f"{_processor()}, {threads}"
        how = {"gpu": "the GPU's events", "wall": "the wall's clock", "cpu": "processor time of the training's thread"}
        lines = [("model", self._options["name"] or type(self._model).__name__),
                 ("source", f"recorded by inca_torch with PyTorch {torch.__version__}"),
                 ("class", "measured"), ("device", device), ("batch", self._batch), ("gradient_type", gradient_type),
                 ("recorded", f"medians of {_count(len(self._measured), 'pass')} of worker 0 of {self._workers}, after "
                              f"{_count(self._options['skip'], 'step')}; {how[self._clock_name]}"),
                 ("update", update_note), ("overhead", self._overhead())]
        buckets = self._ddp_buckets()
        return lines + ([("ddp_bucket_bytes", buckets)] if buckets else [])

    def _ddp_buckets(self):
        """Bytes of DDP's buckets, as it tells them."""
        try:
            data = self._ddp._get_ddp_logging_data()
            return data.get("rebuilt_bucket_sizes") or data.get("bucket_sizes")
        except (AttributeError, RuntimeError):
            return None

    def _trace_text(self):
        forward, backward = self._medians(self._forward_ns), self._medians(self._backward_ns)
        update, note = self._update_ns()
        lines = ["#inca-trace v1"]
        lines += [f"# {key}: {' '.join(str(value).split())}"
                  for key, value in self._metadata(note) if value is not None]
        lines.append("layer,elements,tensors,forward_ns,backward_ns,update_ns")
        for index in self._order():
            layer = self._layers[index]
            sizes = " ".join(str(parameter.numel()) for _, parameter in self._tensors(index))
            lines.append(",".join([_csv(layer.name), str(layer.elements), sizes]
                                  + [_ns(times[index]) for times in (forward, backward, update)]))
        return _ascii("\n".join(lines) + "\n")

    def _overhead(self):
        hooks = statistics.median(self._hooks_ns) / 1e6
        step = statistics.median(self._step_ns) / 1e6
        return f"hooks took {hooks:.3g} ms of a step's {step:.4g} ms ({100 * hooks / step:.2g} %), not in the times"

    def _report(self):
        text = (f"inca_torch: {os.path.join(self._out, 'trace.csv')}: {_count(len(self._layers), 'layer')}, "
                f"{_count(sum(layer.elements for layer in self._layers), 'value')}, "
                f"{_count(len(self._measured), 'pass')} measured\n"
                f"inca_torch: {self._overhead()}")
        steps = sorted(step for step in self._options["values"] if step < self._step)
        if steps:
            each = sum(self._values_ns) / len(steps) / 1e6
            text += (f"\ninca_torch: values of {_count(self._workers, 'worker')} at "
                     f"step{'s' if len(steps) > 1 else ''} {', '.join(map(str, steps))} took {each:.3g} ms a step, "
                     "in which no times were taken")
        missed = sorted(step for step in self._options["values"] if step >= self._step)
        if missed:
            text += f"\ninca_torch: no values of {', '.join(map(str, missed))}: there were {self._step - 1} steps"
        return text


def _is_parallel(model):
    return isinstance(model, torch.nn.parallel.DistributedDataParallel)


def _check_kind(model):
    """Refuses what has no hooks of its layers, or more than one of each, and what holds such a module."""
    instead = "record the model with DistributedDataParallel, or alone in one process"
    refused = {"FullyShardedDataParallel": "has no gradients of whole layers", "FSDPModule": "has no gradients of "
               "whole layers", "DataParallel": "copies the model for each pass", "OptimizedModule": "(torch.compile) "
               "calls no hooks of layers"}
    for module in model.modules():
        kinds = [cls.__name__ for cls in type(module).__mro__]
        if getattr(module, "_compiled_call_impl", None) is not None:  # module.compile() of PyTorch 2.2 and later
            kinds.append("OptimizedModule")
        for kind in kinds:
            if kind in refused:
                raise ValueError(f"inca_torch: {kind} {refused[kind]}; {instead}")


class record:
    """A context: what is trained in it, is recorded when it ends, also when it ends by an exception.

    model: DistributedDataParallel, or any other module; out: a folder without another recording.
    optimizer: needed only if several hold the model's parameters.
    values: steps, from 1, whose gradients every worker writes; they are its own, of its own batch, before any sum;
        divide=True divides them by the number of workers, as DDP does before it sends them.
    skip, steps: so many steps are passed over at first (DDP forms its buckets anew after one), so many are measured.
    batch: samples per worker; else the first size of the model's first input. name: the model's, for people.
    clock: "gpu" (the default there), "wall" (on the CPU) or "cpu", the processor time of the training's own thread,
        for one thread (torch.set_num_threads(1)) whose cores are shared.
    split_update: measures the optimizer layer by layer, in every other measured step, by calling it for each layer
        alone; for those that treat each value by itself, as SGD and Adam do. Else its time is spread by elements.
    """

    def __init__(self, model, out, *, optimizer=None, values=(), skip=5, steps=20, batch=None, name=None, clock=None,
                 split_update=False, divide=False):
        values = {int(step) for step in values}
        if skip < 1 or steps < 1 or any(step < 1 for step in values):
            raise ValueError("inca_torch: skip, steps and the steps of values are whole numbers from 1")
        _check_kind(model)
        _check_folder(out)
        options = {"optimizer": optimizer, "values": values, "skip": skip, "steps": steps, "batch": batch,
                   "name": name, "clock": clock, "split_update": split_update, "divide": divide}
        self._recorder = _Recorder(model, out, options)

    def __enter__(self):
        self._recorder.begin()
        return self

    def __exit__(self, *_):
        self._recorder.end()
