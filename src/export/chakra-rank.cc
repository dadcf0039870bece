/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/chakra-rank.h"

namespace inca
{

namespace
{

constexpr std::int64_t PS_PER_US = 1'000'000;

void
SetCollective(ChakraCollective collective, ChakraNode& node)
{
    node.type = ChakraType::COMM_COLL;
    node.commType = static_cast<std::uint64_t>(collective);
}

ChakraNode
NodeOf(Rank rank, const ExportedOperation& operation)
{
    ChakraNode node;
    node.name = operation.name;
    node.onCpu = false;
    switch (operation.kind)
    {
    case ExportedOperation::Kind::COMPUTE:
        node.type = ChakraType::COMP;
        node.duration = static_cast<std::uint64_t>((operation.ps + PS_PER_US / 2) / PS_PER_US);
        return node;
    case ExportedOperation::Kind::SEND:
        node.type = ChakraType::COMM_SEND;
        node.commSource = rank;
        node.commDestination = operation.peer;
        node.commTag = operation.tag;
        break;
    case ExportedOperation::Kind::RECEIVE:
        node.type = ChakraType::COMM_RECV;
        node.commSource = operation.peer;
        node.commDestination = rank;
        node.commTag = operation.tag;
        break;
    case ExportedOperation::Kind::ALL_REDUCE:
        SetCollective(ChakraCollective::ALL_REDUCE, node);
        break;
    case ExportedOperation::Kind::REDUCE_SCATTER:
        SetCollective(ChakraCollective::REDUCE_SCATTER, node);
        break;
    case ExportedOperation::Kind::ALL_GATHER:
        SetCollective(ChakraCollective::ALL_GATHER, node);
        break;
    }
    node.commSize = operation.bytes;
    return node;
}

} // namespace

ChakraGraph
ChakraOf(Rank rank, const std::vector<ExportedOperation>& operations)
{
    ChakraGraph graph;
    graph.version = "0.0.4";
    for (const auto& operation : operations)
    {
        auto node = NodeOf(rank, operation);
        node.id = graph.nodes.size();
        node.needs.assign(operation.needs.begin(), operation.needs.end());
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

} // namespace inca
