/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/goal-text.h"

#include "base/errors.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

constexpr std::int64_t PS_PER_NS = 1000;

std::string
GoalOperation(const ExportedOperation& operation)
{
    switch (operation.kind)
    {
    case ExportedOperation::Kind::COMPUTE:
        return fmt::format("calc {}", (operation.ps + PS_PER_NS / 2) / PS_PER_NS);
    case ExportedOperation::Kind::SEND:
        return fmt::format("send {}b to {} tag {}", operation.bytes, operation.peer, operation.tag);
    case ExportedOperation::Kind::RECEIVE:
        return fmt::format(
            "recv {}b from {} tag {}", operation.bytes, operation.peer, operation.tag);
    case ExportedOperation::Kind::ALL_REDUCE:
    case ExportedOperation::Kind::REDUCE_SCATTER:
    case ExportedOperation::Kind::ALL_GATHER:
        break;
    }
    throw InputError("--collectives: GOAL has no collectives; chakra has");
}

} // namespace

std::string
GoalText(Rank rank, const std::vector<ExportedOperation>& operations)
{
    auto text = fmt::format("rank {} {{\n", rank);
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        text += fmt::format("l{}: {}\n", i + 1, GoalOperation(operations[i]));
        for (const auto needed : operations[i].needs)
        {
            text += fmt::format("l{} requires l{}\n", i + 1, needed + 1);
        }
    }
    return text + "}\n";
}

} // namespace inca
