/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-json.h"

#include "base/printable.h"
#include "import/json-members.h"
#include "import/json-stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** "x.json:3: node 7: " */
std::string
PlaceOfNode(const JsonPlace& place, const ChakraNode& node)
{
    return fmt::format("{}:{}: node {}: ", place.file, place.line, node.id);
}

/** By its name, as protobuf's JSON has it, or its number; what is missing is 0. */
void
ReadType(const JsonPlace& place,
         const Json& object,
         const char* key,
         ChakraNode& node,
         ImportReport& report)
{
    const auto* member = FindMember(object, key);
    const bool isName =
        member != nullptr && member->is_string() &&
        member->get_ref<const std::string&>().find_first_not_of("0123456789") != std::string::npos;
    if (isName)
    {
        SetChakraType(PlaceOfNode(place, node), member->get<std::string>(), node, report);
        return;
    }
    SetChakraType(
        PlaceOfNode(place, node), CountMember(place, object, key).value_or(0), node, report);
}

std::vector<std::uint64_t>
IdsOf(const JsonPlace& place, const Json& node, const char* key)
{
    std::vector<std::uint64_t> ids;
    const auto* member = FindMember(node, key);
    if (member == nullptr)
    {
        return ids;
    }
    if (!member->is_array())
    {
        place.Refuse(key, "must be a list of nodes' ids");
    }
    for (const auto& id : *member)
    {
        ids.push_back(*CountMember(place, Json{{key, id}}, key));
    }
    return ids;
}

bool
BeginsWith(const std::string& text, const char* begin)
{
    return text.rfind(begin, 0) == 0;
}

/** @return what {"name": "comm_size", "int64Val": "1048576"} holds, of protobuf's JSON */
ChakraValue
ValueOf(const JsonPlace& place, const Json& attribute)
{
    ChakraValue value;
    value.text = TextMember(attribute, "stringVal");
    for (const auto& [key, member] : attribute.items())
    {
        const bool isInteger = BeginsWith(key, "int") || BeginsWith(key, "uint") ||
                               BeginsWith(key, "sint") || BeginsWith(key, "fixed") ||
                               BeginsWith(key, "sfixed");
        if (member.is_boolean())
        {
            value.integer = member.get<bool>() ? 1 : 0;
        }
        else if (isInteger && !member.is_object())
        {
            value.integer = IntegerMember(place, attribute, key.c_str());
        }
    }
    return value;
}

void
ReadJsonizerAttributes(const JsonPlace& place,
                       const Json& attributes,
                       ChakraNode& node,
                       ImportReport& report)
{
    if (!attributes.is_array())
    {
        place.Refuse("attr", "must be a list of attributes");
    }
    for (const auto& attribute : attributes)
    {
        if (!attribute.is_object())
        {
            place.Refuse("attr", "must be a list of objects");
        }
        TakeChakraAttribute(PlaceOfNode(place, node),
                            TextMember(attribute, "name"),
                            ValueOf(place, attribute),
                            node,
                            report);
    }
}

void
ReadJsonizerMetadata(const Json& object, ChakraGraph& graph, ImportReport& report)
{
    graph.version = TextMember(object, "version");
    const auto* attributes = FindMember(object, "attr");
    if (attributes != nullptr && attributes->is_array())
    {
        for (const auto& attribute : *attributes)
        {
            TakeChakraMetadata(TextMember(attribute, "name"), graph, report);
        }
    }
}

ChakraNode
JsonizerNode(const JsonPlace& place, const Json& object, ImportReport& report)
{
    ChakraNode node;
    node.id = CountMember(place, object, "id").value_or(0);
    node.name = TextMember(object, "name");
    ReadType(place, object, "type", node, report);
    node.controlDeps = IdsOf(place, object, "ctrlDeps");
    node.dataDeps = IdsOf(place, object, "dataDeps");
    node.start = CountMember(place, object, "startTimeMicros").value_or(0);
    node.duration = CountMember(place, object, "durationMicros").value_or(0);
    if (const auto* attributes = FindMember(object, "attr"); attributes != nullptr)
    {
        ReadJsonizerAttributes(place, *attributes, node, report);
    }
    static const std::vector<std::string> known{"id",
                                                "name",
                                                "type",
                                                "ctrlDeps",
                                                "dataDeps",
                                                "startTimeMicros",
                                                "durationMicros",
                                                "inputs",
                                                "outputs",
                                                "attr"};
    for (const auto& [key, value] : object.items())
    {
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            report.Unknown(PlaceOfNode(place, node), "key of a node", key, known);
        }
        else if (key == "inputs" || key == "outputs")
        {
            report.LeaveOut("inputs or outputs of a node", "sizes come from its collectives");
        }
    }
    return node;
}

ChakraNode
FeederNode(const JsonPlace& place, const Json& object, ImportReport& report)
{
    if (!object.is_object())
    {
        place.Refuse("", "must be a node");
    }
    ChakraNode node;
    node.id = CountMember(place, object, "Id").value_or(0);
    node.name = TextMember(object, "Name");
    ReadType(place, object, "NodeType", node, report);
    node.controlDeps = IdsOf(place, object, "ctrlDeps");
    node.dataDeps = IdsOf(place, object, "data_deps");
    static const std::vector<std::string> taken{"Id", "Name", "NodeType", "ctrlDeps", "data_deps"};
    for (const auto& [key, member] : object.items())
    {
        if (std::find(taken.begin(), taken.end(), key) != taken.end())
        {
            continue;
        }
        ChakraValue value;
        value.text = member.is_string() ? member.get<std::string>() : "";
        if (member.is_boolean())
        {
            value.integer = member.get<bool>() ? 1 : 0;
        }
        else if (member.is_number_integer())
        {
            value.integer = CountMember(place, object, key.c_str());
        }
        TakeChakraAttribute(PlaceOfNode(place, node), key, value, node, report);
    }
    return node;
}

} // namespace

ChakraGraph
ReadChakraJsonizer(ByteSource& source, ImportReport& report)
{
    ChakraGraph graph;
    graph.file = source.Name();
    ReadJsonPieces(source, true, [&](const JsonPlace& place, const Json& piece) {
        if (!piece.is_object())
        {
            place.Refuse("", "must be an object");
        }
        if (place.index == 0 && FindMember(piece, "id") == nullptr &&
            FindMember(piece, "type") == nullptr)
        {
            ReadJsonizerMetadata(piece, graph, report);
            return;
        }
        AddChakraNode(graph, JsonizerNode(place, piece, report), report);
    });
    return graph;
}

ChakraGraph
ReadChakraFeeder(ByteSource& source, ImportReport& report)
{
    ChakraGraph graph;
    graph.file = source.Name();
    ReadJsonPieces(source, false, [&](const JsonPlace& place, const Json& piece) {
        if (place.key == "workload_graph" && place.element)
        {
            AddChakraNode(graph, FeederNode(place, piece, report), report);
        }
        else
        {
            report.LeaveOut("member " + Printable(place.key.substr(0, 60)), "no node of the graph");
        }
    });
    return graph;
}

} // namespace inca
