/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-node.h"

#include "base/errors.h"
#include "base/printable.h"

#include <algorithm>
#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_NODES = 4'000'000;
constexpr std::size_t MOST_DEPENDENCIES = 20'000'000;

const std::vector<std::string> g_typeNames{"INVALID_NODE",
                                           "METADATA_NODE",
                                           "MEM_LOAD_NODE",
                                           "MEM_STORE_NODE",
                                           "COMP_NODE",
                                           "COMM_SEND_NODE",
                                           "COMM_RECV_NODE",
                                           "COMM_COLL_NODE"};
const std::vector<std::string> g_collectiveNames{"ALL_REDUCE",
                                                 "REDUCE",
                                                 "ALL_GATHER",
                                                 "GATHER",
                                                 "SCATTER",
                                                 "BROADCAST",
                                                 "ALL_TO_ALL",
                                                 "REDUCE_SCATTER",
                                                 "REDUCE_SCATTER_BLOCK",
                                                 "BARRIER"};

/**
 * Attributes of which nothing is needed: of ASTRA-sim's memory and roofline models, of PyTorch's execution
 * trace (chakra_converter, chakra_trace_link), and of chakra_generator's node with an attribute of each type.
 */
const std::vector<std::string> g_unusedAttributes{
    "num_ops",     "tensor_size",   "tensor_loc",   "comm_priority",  "involved_dim",
    "rf_id",       "fw_parent",     "seq_id",       "scope",          "tid",
    "fw_tid",      "op_schema",     "stream",       "kernel_backend", "kernel_file",
    "double",      "double_list",   "float",        "float_list",     "int32",
    "int32_list",  "int64",         "int64_list",   "uint32",         "uint32_list",
    "uint64",      "uint64_list",   "sint32",       "sint32_list",    "sint64",
    "sint64_list", "fixed32",       "fixed32_list", "fixed64",        "fixed64_list",
    "sfixed32",    "sfixed32_list", "sfixed64",     "sfixed64_list",  "bool",
    "bool_list",   "string",        "string_list",  "bytes",          "bytes_list"};

using IntegerPlaces = std::map<std::string, std::optional<std::uint64_t> ChakraNode::*>;

const IntegerPlaces&
Places()
{
    static const IntegerPlaces places{{"comm_type", &ChakraNode::commType},
                                      {"comm_size", &ChakraNode::commSize},
                                      {"comm_src", &ChakraNode::commSource},
                                      {"comm_dst", &ChakraNode::commDestination},
                                      {"comm_tag", &ChakraNode::commTag}};
    return places;
}

std::vector<std::string>
KnownAttributes()
{
    auto known = g_unusedAttributes;
    for (const auto& [name, member] : Places())
    {
        known.push_back(name);
    }
    known.insert(known.end(), {"is_cpu_op", "runtime", "pg_name"});
    return known;
}

/** Sizes and times are written as integers with a sign, too. */
void
RequireCount(const std::string& place, const std::string& name, std::uint64_t value)
{
    if (value > static_cast<std::uint64_t>(INT64_MAX))
    {
        throw InputError(place + name + ": must be from 0 to 2^63, got " +
                         std::to_string(static_cast<std::int64_t>(value)));
    }
}

bool
TakeInteger(const std::string& place,
            ChakraNode& node,
            const std::string& name,
            std::uint64_t value)
{
    if (name == "comm_size" || name == "runtime")
    {
        RequireCount(place, name, value);
    }
    if (name == "is_cpu_op")
    {
        node.onCpu = value != 0;
        return true;
    }
    if (name == "runtime") // of 2023's traces
    {
        node.duration = value;
        return true;
    }
    const auto found = Places().find(name);
    if (found == Places().end())
    {
        return false;
    }
    node.*(found->second) = value;
    return true;
}

} // namespace

std::string
ChakraCollectiveName(std::uint64_t type)
{
    return type < g_collectiveNames.size() ? g_collectiveNames[type]
                                           : "collective " + std::to_string(type);
}

void
TakeChakraAttribute(const std::string& place,
                    const std::string& name,
                    const ChakraValue& value,
                    ChakraNode& node,
                    ImportReport& report)
{
    if (name == "pg_name")
    {
        node.group = value.text;
        return;
    }
    if (value.integer && TakeInteger(place, node, name, *value.integer))
    {
        return;
    }
    static const auto known = KnownAttributes();
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        report.Unknown(place + "attr: ", "attribute of a node", name, known);
        return;
    }
    if (std::find(g_unusedAttributes.begin(), g_unusedAttributes.end(), name) ==
        g_unusedAttributes.end())
    {
        report.Doubt(place + name + ": has no whole number");
        return;
    }
    report.LeaveOut(name, "attribute that says nothing of sizes, times or order");
}

void
SetChakraType(const std::string& place, std::uint64_t type, ChakraNode& node, ImportReport& report)
{
    if (type == 0 || type >= g_typeNames.size())
    {
        const auto name = type == 0 ? g_typeNames.front() : std::to_string(type);
        report.Unknown(place + "type: ",
                       "type of a node",
                       name,
                       {std::next(g_typeNames.begin()), g_typeNames.end()});
        return;
    }
    node.type = static_cast<ChakraType>(type);
}

void
SetChakraType(const std::string& place,
              const std::string& name,
              ChakraNode& node,
              ImportReport& report)
{
    const auto found = std::find(g_typeNames.begin(), g_typeNames.end(), name);
    if (found == g_typeNames.end())
    {
        report.Unknown(place + "type: ", "type of a node", name, g_typeNames);
        return;
    }
    SetChakraType(place, static_cast<std::uint64_t>(found - g_typeNames.begin()), node, report);
}

void
TakeChakraMetadata(const std::string& name, ChakraGraph& graph, ImportReport& report)
{
    graph.fromText |= name == "input_file";
    report.LeaveOut("metadata " + Printable(name.substr(0, 60)), "describes the file");
}

void
AddChakraNode(ChakraGraph& graph, ChakraNode node, ImportReport& report)
{
    if (graph.nodes.size() == MOST_NODES)
    {
        throw InputError(graph.file + ": more than 4 million nodes");
    }
    graph.dependencies += node.controlDeps.size() + node.dataDeps.size();
    if (graph.dependencies > MOST_DEPENDENCIES)
    {
        throw InputError(graph.file + ": more than 20 million dependencies");
    }
    report.Read(g_typeNames[static_cast<std::size_t>(node.type)]);
    graph.nodes.push_back(std::move(node));
}

} // namespace inca
