/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/param-trace.h"

#include "base/printable.h"
#include "import/element-type.h"
#include "import/json-records.h"
#include "import/operation-sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace inca
{

namespace
{

/** Elements times bytes beyond it are no message. */
constexpr std::uint64_t MOST_ELEMENTS = 1ULL << 50U;
constexpr std::size_t MOST_OPERATIONS = 5'000'000;

const std::array<const char*, 19> g_collectives{"allreduce",
                                                "reducescatter",
                                                "reducescatterv",
                                                "reducescatterbase",
                                                "allgather",
                                                "allgatherv",
                                                "allgatherbase",
                                                "alltoall",
                                                "alltoallv",
                                                "alltoallbase",
                                                "alltoallsingle",
                                                "broadcast",
                                                "reduce",
                                                "gather",
                                                "scatter",
                                                "send",
                                                "recv",
                                                "isend",
                                                "irecv"};

std::string
GroupOf(const JsonPlace& place, const Json& element)
{
    const auto* group = FindMember(element, "pg_id");
    return group == nullptr ? ""
                            : std::to_string(IntegerMember(place, element, "pg_id").value_or(0));
}

RecordedPhase
MarkedPhase(const Json& element)
{
    const auto* markers = FindMember(element, "markers");
    auto phase = RecordedPhase::UNKNOWN;
    if (markers != nullptr && markers->is_array())
    {
        for (const auto& marker : *markers)
        {
            const auto found = marker.is_string() ? PhaseOfName(marker.get<std::string>())
                                                  : RecordedPhase::UNKNOWN;
            phase = found == RecordedPhase::UNKNOWN ? phase : found;
        }
    }
    return phase;
}

/** A collective; nothing of one that moves no data. */
std::optional<RecordedOperation>
CollectiveOf(const JsonPlace& place, const Json& element, ImportReport& report)
{
    RecordedOperation operation;
    operation.collective = NormalisedCollective(TextMember(element, "comms"));
    static const std::array<const char*, 4> silent{"init", "wait", "barrier", "batchisendirecv"};
    if (std::find(silent.begin(), silent.end(), operation.collective) != silent.end())
    {
        report.LeaveOut(operation.collective, "moves nothing");
        return std::nullopt;
    }
    if (std::find(g_collectives.begin(), g_collectives.end(), operation.collective) ==
        g_collectives.end())
    {
        report.Doubt(fmt::format("{}:{}: {}.comms: unknown '{}'",
                                 place.file,
                                 place.line,
                                 place.Text(),
                                 Printable(operation.collective.substr(0, 40))));
    }
    const auto typeName = TextMember(element, "dtype");
    const auto type = FindElementType(typeName);
    if (!type)
    {
        place.Refuse("dtype", "unknown type '" + Printable(typeName.substr(0, 40)) + "'");
    }
    const auto elements = CountMember(place, element, "in_msg_size").value_or(0);
    if (elements > MOST_ELEMENTS)
    {
        place.Refuse("in_msg_size", "more than 2^50 elements");
    }
    operation.elementType = type->name;
    operation.bytes = elements * type->bytes;
    operation.group = GroupOf(place, element);
    operation.phase = MarkedPhase(element);
    if (IsSum(operation.collective) && BytesOfGradientType(type->name) == 0)
    {
        report.LeaveOut(operation.collective + " of " + type->name,
                        "no gradients of fp32, fp16 or bf16",
                        operation.bytes);
        return std::nullopt;
    }
    return operation;
}

} // namespace

RecordedTraining
ReadParamTrace(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    std::vector<RecordedOperation> operations;
    std::optional<std::uint64_t> workers;
    ReadJsonPieces(source, false, [&](const JsonPlace& place, const Json& element) {
        if (FindMember(element, "comms") != nullptr)
        {
            report.Read("collective");
            if (auto operation = CollectiveOf(place, element, report))
            {
                const auto size = CountMember(place, element, "world_size");
                workers = IsSum(operation->collective) && size ? size : workers;
                operations.push_back(std::move(*operation));
                if (operations.size() > MOST_OPERATIONS)
                {
                    place.Refuse("", "more than 5 million collectives");
                }
            }
        }
        else if (FindMember(element, "compute") != nullptr)
        {
            report.Read("computation");
            report.LeaveOut("computation " +
                                Printable(TextMember(element, "compute").substr(0, 40)),
                            "the format has no times");
        }
        else
        {
            report.Doubt(fmt::format("{}:{}: {}: neither \"comms\" nor \"compute\"",
                                     place.file,
                                     place.line,
                                     place.Text()));
        }
    });
    auto training = TrainingOfSequence(operations, options, report);
    training.workers = workers;
    report.Warn("no times: the trace's layers take none, and nothing overlaps");
    return training;
}

} // namespace inca
