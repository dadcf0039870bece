/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-protobuf.h"

#include "base/errors.h"
#include "import/protobuf.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_MESSAGE_BYTES = 16U << 20U;

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

/** @param place of the node */
void
ReadAttribute(const std::string& place,
              std::string_view message,
              ChakraNode& node,
              ImportReport& report)
{
    constexpr std::uint32_t DOC_STRING = 2;
    constexpr std::uint32_t STRING_VALUE = 29;
    constexpr std::uint32_t LAST_VALUE = 32; // bytes_list
    std::string name;
    ChakraValue value;
    ProtobufReader reader(message);
    while (const auto field = reader.Next())
    {
        if (field->number == 1)
        {
            name = field->Text();
        }
        else if (IsInteger(field->number))
        {
            value.integer = IntegerOf(*field);
        }
        else if (field->number == STRING_VALUE)
        {
            value.text = field->Text();
        }
        else if (field->number < DOC_STRING || field->number > LAST_VALUE)
        {
            report.Unknown(place + "attr: ",
                           "field of an attribute in et_def.proto",
                           std::to_string(field->number),
                           {});
        }
    }
    TakeChakraAttribute(place, name, value, node, report);
}

ChakraNode
NodeOf(const std::string& file, std::string_view message, ImportReport& report)
{
    ChakraNode node;
    ProtobufReader reader(message);
    const auto place = [&] { return fmt::format("{}: node {}: ", file, node.id); };
    bool isTyped = false;
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
            SetChakraType(place(), field->Varint(), node, report);
            isTyped = true;
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
            ReadAttribute(place(), field->Message(), node, report);
            break;
        default:
            report.Unknown(
                place(), "field of a node in et_def.proto", std::to_string(field->number), {});
        }
    }
    if (!isTyped)
    {
        SetChakraType(place(), 0, node, report);
    }
    return node;
}

void
ReadMetadata(std::string_view message, ChakraGraph& graph, ImportReport& report)
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
            TakeChakraMetadata(
                name && name->number == 1 ? name->Text() : std::string(), graph, report);
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

} // namespace

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
        ImportReport ignored(true);
        ReadMetadata(text.substr(0, *size), graph, ignored);
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
                ReadMetadata(messages.Message(), graph, report);
            }
            else
            {
                AddChakraNode(graph, NodeOf(graph.file, messages.Message(), report), report);
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
