/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-text.h"

#include "base/errors.h"
#include "import/chakra-file.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

using Kind = ExportedOperation::Kind;

constexpr std::int64_t PS_PER_NS = 1000;
constexpr std::int64_t PS_PER_US = 1'000'000;

std::string
GoalOperation(const ExportedOperation& operation)
{
    const bool onGpu = operation.kind == Kind::COMPUTE && !operation.onHost;
    const auto* const cpu = onGpu ? "" : " cpu 1"; // 0 need not be said
    switch (operation.kind)
    {
    case Kind::COMPUTE:
        return fmt::format("calc {}{}", (operation.ps + PS_PER_NS / 2) / PS_PER_NS, cpu);
    case Kind::SEND:
    case Kind::RECEIVE:
        return fmt::format("{} {}b {} {} tag {}{}",
                           operation.kind == Kind::SEND ? "send" : "recv",
                           operation.bytes,
                           operation.kind == Kind::SEND ? "to" : "from",
                           operation.peer,
                           operation.tag,
                           cpu);
    default:
        throw InputError("--collectives: GOAL has no collectives; chakra has");
    }
}

chakra::Attribute&
Add(const char* name, chakra::Node& node)
{
    auto& attribute = *node.add_attr();
    attribute.set_name(name);
    return attribute;
}

void
SetMessage(Rank source, Rank destination, std::uint32_t tag, chakra::Node& node)
{
    Add("comm_src", node).set_int32_val(static_cast<std::int32_t>(source));
    Add("comm_dst", node).set_int32_val(static_cast<std::int32_t>(destination));
    Add("comm_tag", node).set_int32_val(static_cast<std::int32_t>(tag));
}

chakra::Node
NodeOf(Rank rank, const ExportedOperation& operation)
{
    chakra::Node node;
    node.set_name(operation.name);
    node.mutable_data_deps()->Add(operation.needs.begin(), operation.needs.end());
    Add("is_cpu_op", node).set_bool_val(operation.onHost); // which goes on beside the GPU's
    if (operation.kind == Kind::COMPUTE)
    {
        node.set_type(chakra::COMP_NODE);
        node.set_duration_micros(
            static_cast<std::uint64_t>((operation.ps + PS_PER_US / 2) / PS_PER_US));
        return node;
    }
    const bool isSend = operation.kind == Kind::SEND;
    const bool isMessage = isSend || operation.kind == Kind::RECEIVE;
    if (!isMessage)
    {
        Add("comm_type", node)
            .set_int64_val(operation.kind == Kind::ALL_REDUCE       ? chakra::ALL_REDUCE
                           : operation.kind == Kind::REDUCE_SCATTER ? chakra::REDUCE_SCATTER
                                                                    : chakra::ALL_GATHER);
        Add(CHAKRA_PLAIN_BYTES, node).set_uint64_val(operation.plainBytes);
    }
    Add("comm_size", node).set_int64_val(static_cast<std::int64_t>(operation.bytes));
    if (isMessage)
    {
        SetMessage(
            isSend ? rank : operation.peer, isSend ? operation.peer : rank, operation.tag, node);
    }
    node.set_type(isSend      ? chakra::COMM_SEND_NODE
                  : isMessage ? chakra::COMM_RECV_NODE
                              : chakra::COMM_COLL_NODE);
    return node;
}

} // namespace

std::string
ChakraText(Rank rank,
           const std::string& gradientType,
           const std::vector<ExportedOperation>& operations)
{
    chakra::GlobalMetadata metadata;
    metadata.set_version("0.0.4");
    auto& type = *metadata.add_attr();
    type.set_name(CHAKRA_GRADIENT_TYPE);
    type.set_string_val(gradientType);
    std::string text;
    AppendChakra(metadata, text);
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        auto node = NodeOf(rank, operations[i]);
        node.set_id(i);
        AppendChakra(node, text);
    }
    return text;
}

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
