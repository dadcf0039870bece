/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_TORCH_RECORDING_H
#define INCA_IMPORT_TORCH_RECORDING_H

#include "inca/import/byte-source.h"
#include "inca/import/recorded-training.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace inca
{

/** Something that PyTorch recorded and that says where in an iteration it was. */
struct TorchMark
{
    enum class Kind : std::uint8_t
    {
        STEP,       ///< ProfilerStep#n
        FORWARD,    ///< a range around the forward pass
        BACKWARD,   ///< a range around the backward pass
        UPDATE,     ///< a range around the optimizer's step
        NODE,       ///< autograd works on an operator's gradient
        GRADIENT,   ///< autograd has a parameter's gradient
        COPY,       ///< DDP copies a gradient into its bucket
        COLLECTIVE, ///< DDP or another caller starts one
    };

    Kind kind{Kind::STEP};
    std::int64_t begin{0}; ///< on the CPU (ns); an execution trace's ids, which have that order
    std::int64_t end{0};
    const std::string* name{nullptr}; ///< one of TorchRecording::names
    std::int64_t sequence{-1};        ///< of a NODE's operator in forward; -1: unknown
    std::uint64_t elements{0};        ///< of a GRADIENT or COPY; 0: unknown
    std::uint64_t rowElements{1};     ///< the same: of all but its first dimension
    const std::string* type{nullptr}; ///< the same: its type, another one of names
    std::size_t collective{0};        ///< in TorchRecording::collectives
};

struct TorchCollective
{
    std::string name;        ///< normalised: "allreduce"
    std::string elementType; ///< fp32, ...; empty: unknown
    std::string group;
    std::uint64_t groupSize{0}; ///< 0: unknown
    std::uint64_t elements{0};
    std::uint64_t bytes{0};
    std::optional<std::int64_t> ns{}; ///< that it went on, waiting for others included
};

/** Work of a GPU, or a collective of a backend on the CPU. (ns) */
struct DeviceWork
{
    std::int64_t launch{0}; ///< by the CPU
    std::int64_t begin{0};
    std::int64_t end{0};
    bool isCollective{false};
};

/** What either of PyTorch's two kinds of record says of data-parallel training. */
struct TorchRecording
{
    std::string file;
    bool hasTimes{false};
    std::vector<TorchMark> marks;          ///< by begin
    std::unordered_set<std::string> names; ///< that marks point to
    std::vector<TorchCollective> collectives;
    std::optional<std::uint64_t> worldSize;
    std::string device;

    // -- with times
    std::vector<DeviceWork> work; ///< by launch
    std::vector<DeviceWork> runs; ///< by launch, of the collectives
    std::unordered_map<std::int64_t, std::int64_t>
        forwards; ///< when operators of forward began (ns), by their sequence numbers
};

/** An execution trace (ExecutionTraceObserver), of either schema. @throws InputError naming file and node */
TorchRecording ReadExecutionTrace(ByteSource& source, ImportReport& report);

/** A Kineto profile (export_chrome_trace), in a stream. @throws InputError naming file and event */
TorchRecording ReadKineto(ByteSource& source, ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_TORCH_RECORDING_H
