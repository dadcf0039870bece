/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/param-trace.h"

#include "base/printable.h"
#include "import/collective-name.h"
#include "import/element-type.h"
#include "import/json-members.h"
#include "import/json-stream.h"
#include "import/operation-sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Elements times bytes beyond it are no message. */
constexpr std::uint64_t MOST_ELEMENTS = 1ULL << 50U;
constexpr std::size_t MOST_OPERATIONS = 5'000'000;

/** Of commsTraceParser.py: of collectives, and of computations. @{ */
const std::vector<std::string> g_collectiveKeys{
    "comms",     "in_msg_size",  "out_msg_size", "dtype",     "world_size", "pg_id",
    "root",      "global_ranks", "startTime_ns", "req",       "markers",    "in_split",
    "out_split", "src_rank",     "dst_rank",     "use_batch", "id",         "backend_id",
    "pg_desc",   "marker_stack", "seqnum"};
const std::vector<std::string> g_computationKeys{"compute",
                                                 "markers",
                                                 "count",
                                                 "mm_dim",
                                                 "mm0_dim0",
                                                 "mm0_dim1",
                                                 "mm1_dim0",
                                                 "mm1_dim1",
                                                 "dtype",
                                                 "direction",
                                                 "emb_dim",
                                                 "num_embs",
                                                 "bag_size",
                                                 "batch_size",
                                                 "num_emb_tables",
                                                 "num_emb_tables_per_device",
                                                 "num_emb_tables_batched",
                                                 "id"};
/** @} */

void
CheckKeys(const JsonPlace& place,
          const Json& element,
          const std::vector<std::string>& known,
          ImportReport& report)
{
    for (const auto& [key, value] : element.items())
    {
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            report.Unknown(place.Prefix(""), "key of an element", key, known);
        }
    }
}

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
    if (IsSilent(operation.collective))
    {
        report.LeaveOut(operation.collective, "moves nothing");
        return std::nullopt;
    }
    CheckCollective(place.Prefix("comms"), operation.collective, report);
    const auto typeName = TextMember(element, "dtype");
    const auto type = FindElementType(typeName);
    if (!type)
    {
        report.Unknown(place.Prefix("dtype"), "type of elements", typeName, ElementTypeNames());
        return std::nullopt;
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
            CheckKeys(place, element, g_collectiveKeys, report);
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
            CheckKeys(place, element, g_computationKeys, report);
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
