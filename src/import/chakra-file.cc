/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-file.h"

#include "base/errors.h"
#include "base/printable.h"
#include "import/json-records.h"
#include "import/protobuf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace inca
{

namespace
{

constexpr std::size_t MOST_MESSAGE_BYTES = 16U << 20U;
constexpr std::size_t MOST_NODES = 4'000'000;
constexpr std::size_t MOST_DEPENDENCIES = 20'000'000;
constexpr const char* UNUSED = "attribute that says nothing of sizes, times or order";

const std::array<const char*, 8> g_typeNames{"INVALID_NODE",
                                             "METADATA_NODE",
                                             "MEM_LOAD_NODE",
                                             "MEM_STORE_NODE",
                                             "COMP_NODE",
                                             "COMM_SEND_NODE",
                                             "COMM_RECV_NODE",
                                             "COMM_COLL_NODE"};
const std::array<const char*, 10> g_collectiveNames{"ALL_REDUCE",
                                                    "REDUCE",
                                                    "ALL_GATHER",
                                                    "GATHER",
                                                    "SCATTER",
                                                    "BROADCAST",
                                                    "ALL_TO_ALL",
                                                    "REDUCE_SCATTER",
                                                    "REDUCE_SCATTER_BLOCK",
                                                    "BARRIER"};

/** Numbers of et_def.proto's fields that hold integers and booleans; those of 15 to 18 are zigzag. */
bool
IsInteger(std::uint32_t number)
{
    return number == 7 || number == 9 || number == 11 || number == 13 || number == 15 ||
           number == 17 || number == 19 || number == 21 || number == 23 || number == 25 ||
           number == 27;
}

std::uint64_t
IntegerOf(const ProtobufField& field)
{
    const auto value = field.Varint();
    const bool isZigZag = field.number == 15 || field.number == 17;
    return isZigZag ? (value >> 1U) ^ (~(value & 1U) + 1) : value;
}

/** Puts an integer attribute where it belongs. @return whether there is such a place */
bool
TakeAttribute(ChakraNode& node, const std::string& name, std::uint64_t value)
{
    static const std::map<std::string, std::optional<std::uint64_t> ChakraNode::*> places{
        {"comm_type", &ChakraNode::commType},
        {"comm_size", &ChakraNode::commSize},
        {"comm_src", &ChakraNode::commSource},
        {"comm_dst", &ChakraNode::commDestination},
        {"comm_tag", &ChakraNode::commTag}};
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
    const auto found = places.find(name);
    if (found == places.end())
    {
        return false;
    }
    node.*(found->second) = value;
    return true;
}

void
ReadAttribute(std::string_view message, ChakraNode& node, ImportReport& report)
{
    std::string name;
    std::optional<std::uint64_t> value;
    std::string text;
    ProtobufReader reader(message);
    while (const auto field = reader.Next())
    {
        if (field->number == 1)
        {
            name = field->Text();
        }
        else if (IsInteger(field->number))
        {
            value = IntegerOf(*field);
        }
        else if (field->number == 29)
        {
            text = field->Text();
        }
    }
    if (name == "pg_name" && !text.empty())
    {
        node.group = text;
        return;
    }
    if (!value || !TakeAttribute(node, name, *value))
    {
        report.LeaveOut(Printable(name.substr(0, 60)), UNUSED);
    }
}

void
SetType(ChakraNode& node, std::uint64_t type)
{
    if (type >= g_typeNames.size())
    {
        throw ProtobufError(fmt::format("type {} is none of Chakra's", type));
    }
    node.type = static_cast<ChakraType>(type);
}

ChakraNode
NodeOf(const std::string& file, std::string_view message, ImportReport& report)
{
    ChakraNode node;
    ProtobufReader reader(message);
    while (const auto field = reader.Next())
    {
        switch (field->number)
        {
        case 1:
            node.id = field->Varint();
            break;
        case 2:
            node.name = field->Text();
            break;
        case 3:
            SetType(node, field->Varint());
            break;
        case 4:
            field->AppendVarints(node.controlDeps);
            break;
        case 5:
            field->AppendVarints(node.dataDeps);
            break;
        case 6:
            node.start = field->Varint();
            break;
        case 7:
            node.duration = field->Varint();
            break;
        case 8:
        case 9:
            field->Message();
            report.LeaveOut("inputs or outputs of a node", "sizes come from its collectives");
            break;
        case 10:
            ReadAttribute(field->Message(), node, report);
            break;
        default:
            report.Doubt(fmt::format(
                "{}: node {}: field {} is unknown in et_def.proto", file, node.id, field->number));
        }
    }
    return node;
}

void
ReadMetadata(std::string_view message, ChakraGraph& graph)
{
    ProtobufReader reader(message);
    while (const auto field = reader.Next())
    {
        if (field->number == 1)
        {
            graph.version = field->Text();
        }
        else if (field->number == 2)
        {
            ProtobufReader attribute(field->Message());
            const auto name = attribute.Next();
            graph.fromText |= name && name->number == 1 && name->Text() == "input_file";
        }
        else
        {
            throw ProtobufError(
                fmt::format("field {} is unknown in GlobalMetadata", field->number));
        }
    }
}

/** The messages of a file, each with its length before it. */
class Messages
{
  public:
    explicit Messages(ByteSource& source)
        : m_source(source)
    {
    }

    /** @return whether there is another */
    bool Next()
    {
        m_start = m_end;
        auto size = TakeSize();
        if (!size)
        {
            return false;
        }
        if (*size > MOST_MESSAGE_BYTES)
        {
            Refuse("a message of more than 16 MiB");
        }
        m_message.resize(*size);
        for (std::size_t at = 0; at < *size;)
        {
            const auto count = m_source.Read(m_message.data() + at, *size - at);
            if (count == 0)
            {
                Refuse(fmt::format("is cut off: a message of {} bytes has {}", *size, at));
            }
            at += count;
            m_end += count;
        }
        return true;
    }

    std::string_view Message() const
    {
        return m_message;
    }

    [[noreturn]] void Refuse(const std::string& text) const
    {
        throw InputError(fmt::format("{}: byte {}: {}", m_source.Name(), m_start, text));
    }

  private:
    std::optional<std::size_t> TakeSize()
    {
        std::string digits;
        char digit = '\0';
        do
        {
            if (m_source.Read(&digit, 1) == 0)
            {
                if (digits.empty())
                {
                    return std::nullopt;
                }
                Refuse("is cut off in a message's length");
            }
            ++m_end;
            digits.push_back(digit);
        } while ((static_cast<std::uint8_t>(digit) & 0x80U) != 0 && digits.size() < 5);
        std::string_view left = digits;
        const auto size = TakeVarint(left);
        if (!size)
        {
            Refuse("is no Chakra trace: a message's length has more than 5 bytes");
        }
        return static_cast<std::size_t>(*size);
    }

    ByteSource& m_source;
    std::string m_message;
    std::uint64_t m_start{0};
    std::uint64_t m_end{0};
};

void
AddNode(ChakraGraph& graph, ChakraNode node, ImportReport& report)
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

// -- JSON ------------------------------------------------------------------------------------------

std::uint64_t
TypeOf(const JsonPlace& place, const Json& node, const char* key)
{
    const auto name = TextMember(node, key);
    const auto found = std::find(g_typeNames.begin(), g_typeNames.end(), name);
    if (found != g_typeNames.end())
    {
        return static_cast<std::uint64_t>(found - g_typeNames.begin());
    }
    const auto type = CountMember(place, node, key).value_or(0);
    if (type >= g_typeNames.size())
    {
        place.Refuse(key, fmt::format("{} is none of Chakra's types", type));
    }
    return type;
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

/** One of protobuf's JSON: {"name": "comm_size", "int64Val": "1048576"}. */
void
TakeJsonizerAttribute(const JsonPlace& place,
                      const Json& attribute,
                      ChakraNode& node,
                      ImportReport& report)
{
    const auto name = TextMember(attribute, "name");
    if (name == "pg_name")
    {
        node.group = TextMember(attribute, "stringVal");
        return;
    }
    if (attribute.is_object())
    {
        for (const auto& [key, value] : attribute.items())
        {
            if (value.is_boolean() && TakeAttribute(node, name, value.get<bool>() ? 1 : 0))
            {
                return;
            }
            if (key != "name" &&
                (key.rfind("int", 0) == 0 || key.rfind("uint", 0) == 0 ||
                 key.rfind("sint", 0) == 0 || key.find("fixed") == 0 || key.find("sfixed") == 0) &&
                !value.is_object() &&
                TakeAttribute(node, name, CountMember(place, attribute, key.c_str()).value_or(0)))
            {
                return;
            }
        }
    }
    report.LeaveOut(Printable(name.substr(0, 60)), UNUSED);
}

ChakraNode
JsonizerNode(const JsonPlace& place, const Json& object, ImportReport& report)
{
    ChakraNode node;
    node.id = CountMember(place, object, "id").value_or(0);
    node.name = TextMember(object, "name");
    node.type = static_cast<ChakraType>(TypeOf(place, object, "type"));
    node.controlDeps = IdsOf(place, object, "ctrlDeps");
    node.dataDeps = IdsOf(place, object, "dataDeps");
    node.start = CountMember(place, object, "startTimeMicros").value_or(0);
    node.duration = CountMember(place, object, "durationMicros").value_or(0);
    if (const auto* attributes = FindMember(object, "attr"); attributes != nullptr)
    {
        for (const auto& attribute : *attributes)
        {
            TakeJsonizerAttribute(place, attribute, node, report);
        }
    }
    static const std::array<const char*, 10> known{"id",
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
            report.Doubt(fmt::format("{}:{}: node {}: unknown key '{}'",
                                     place.file,
                                     place.line,
                                     node.id,
                                     Printable(key.substr(0, 60))));
        }
    }
    return node;
}

ChakraNode
FeederNode(const JsonPlace& place, const Json& object, ImportReport& report)
{
    ChakraNode node;
    node.id = CountMember(place, object, "Id").value_or(0);
    node.name = TextMember(object, "Name");
    node.type = static_cast<ChakraType>(TypeOf(place, object, "NodeType"));
    node.controlDeps = IdsOf(place, object, "ctrlDeps");
    node.dataDeps = IdsOf(place, object, "data_deps");
    if (!object.is_object())
    {
        place.Refuse("", "must be a node");
    }
    for (const auto& [key, value] : object.items())
    {
        if (key == "pg_name" && value.is_string())
        {
            node.group = value.get<std::string>();
        }
        else if (value.is_boolean() && TakeAttribute(node, key, value.get<bool>() ? 1 : 0))
        {
            continue;
        }
        else if (value.is_number_integer() && key != "Id" && key != "NodeType" &&
                 !TakeAttribute(node, key, CountMember(place, object, key.c_str()).value_or(0)))
        {
            report.LeaveOut(Printable(key.substr(0, 60)), UNUSED);
        }
    }
    return node;
}

} // namespace

std::string
ChakraCollectiveName(std::uint64_t type)
{
    return type < g_collectiveNames.size() ? g_collectiveNames[type]
                                           : "collective " + std::to_string(type);
}

bool
IsChakraProtobuf(std::string_view text)
{
    try
    {
        const auto size = TakeVarint(text);
        if (!size || *size > text.size())
        {
            return false;
        }
        ChakraGraph graph;
        ReadMetadata(text.substr(0, *size), graph);
        text.remove_prefix(*size);
        return !graph.version.empty() || text.empty() || TakeVarint(text).has_value();
    }
    catch (const ProtobufError&)
    {
        return false;
    }
}

ChakraGraph
ReadChakraProtobuf(ByteSource& source, ImportReport& report)
{
    ChakraGraph graph;
    graph.file = source.Name();
    Messages messages(source);
    for (bool isFirst = true; messages.Next(); isFirst = false)
    {
        try
        {
            if (isFirst)
            {
                ReadMetadata(messages.Message(), graph);
            }
            else
            {
                AddNode(graph, NodeOf(graph.file, messages.Message(), report), report);
            }
        }
        catch (const ProtobufError& error)
        {
            messages.Refuse(fmt::format("{} {}: {}",
                                        isFirst ? "GlobalMetadata" : "node",
                                        graph.nodes.size(),
                                        error.what()));
        }
    }
    return graph;
}

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
            graph.version = TextMember(piece, "version");
            return;
        }
        AddNode(graph, JsonizerNode(place, piece, report), report);
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
            AddNode(graph, FeederNode(place, piece, report), report);
        }
        else
        {
            report.LeaveOut("member " + Printable(place.key.substr(0, 60)), "no node of the graph");
        }
    });
    return graph;
}

std::string
FormatChakra(const ChakraGraph& graph)
{
    ProtobufWriter metadata;
    metadata.Bytes(1, graph.version);
    auto text = metadata.Delimited();
    const auto attribute = [](const char* name, std::uint32_t number, std::uint64_t value) {
        ProtobufWriter writer;
        writer.Bytes(1, name);
        writer.Varint(number, value);
        return writer.Message();
    };
    for (const auto& node : graph.nodes)
    {
        ProtobufWriter writer;
        writer.Varint(1, node.id);
        writer.Bytes(2, node.name);
        writer.Varint(3, static_cast<std::uint64_t>(node.type));
        for (const auto id : node.controlDeps)
        {
            writer.Varint(4, id);
        }
        for (const auto id : node.dataDeps)
        {
            writer.Varint(5, id);
        }
        if (node.duration > 0)
        {
            writer.Varint(7, node.duration);
        }
        writer.Bytes(10, attribute("is_cpu_op", 27, node.onCpu.value_or(false) ? 1 : 0));
        const std::pair<const char*, std::optional<std::uint64_t>> attributes[] = {
            {"comm_type", node.commType}, {"comm_size", node.commSize}};
        for (const auto& [name, value] : attributes)
        {
            if (value)
            {
                writer.Bytes(10, attribute(name, 9, *value));
            }
        }
        const std::pair<const char*, std::optional<std::uint64_t>> ends[] = {
            {"comm_src", node.commSource},
            {"comm_dst", node.commDestination},
            {"comm_tag", node.commTag}};
        for (const auto& [name, value] : ends)
        {
            if (value)
            {
                writer.Bytes(10, attribute(name, 7, *value)); // int32_val
            }
        }
        text += writer.Delimited();
    }
    return text;
}

} // namespace inca
