/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/chakra-file.h"

#include "base/errors.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_MESSAGE_BYTES = 4U << 20U;
constexpr std::size_t MOST_NODES = 4'000'000;
constexpr std::size_t MOST_DEPENDENCIES = 20'000'000;
constexpr std::size_t LENGTH_BYTES = 5; ///< at most, of a message's length

/** The integer or boolean that an attribute holds; nothing of others. */
std::optional<std::int64_t>
IntegerOf(const chakra::Attribute& attribute)
{
    using Of = chakra::Attribute;
    switch (attribute.value_case())
    {
    case Of::kInt32Val:
        return attribute.int32_val();
    case Of::kInt64Val:
        return attribute.int64_val();
    case Of::kUint32Val:
        return attribute.uint32_val();
    case Of::kUint64Val:
        return static_cast<std::int64_t>(attribute.uint64_val());
    case Of::kBoolVal:
        return attribute.bool_val() ? 1 : 0;
    default:
        return std::nullopt;
    }
}

/** What a node's message says. @throws InputError of a count below 0 */
ChakraNode
NodeOf(const std::string& file, const chakra::Node& message, ImportReport& report)
{
    const auto place = fmt::format("{}: node {}: ", file, message.id());
    const auto find = [&all = message.attr()](const char* name) {
        const auto found = std::find_if(
            all.begin(), all.end(), [name](const auto& one) { return one.name() == name; });
        return found == all.end() ? nullptr : &*found;
    };
    const auto integer = [&](const char* name) {
        const auto* attribute = find(name);
        const auto value = attribute == nullptr ? std::nullopt : IntegerOf(*attribute);
        if (attribute != nullptr && !value)
        {
            report.Doubt(place + name + ": has no whole number");
        }
        return value;
    };
    const auto count = [&](const char* name) {
        const auto value = integer(name);
        if (value && *value < 0)
        {
            throw InputError(
                fmt::format("{}{}: must be from 0 to 2^63, got {}", place, name, *value));
        }
        return value;
    };
    ChakraNode node;
    node.id = message.id();
    node.name = message.name();
    const auto type = message.type();
    if (type == chakra::INVALID_NODE || !chakra::NodeType_IsValid(type))
    {
        report.Doubt(fmt::format("{}type: unknown '{}'", place, static_cast<int>(type)));
    }
    else
    {
        node.type = type;
    }
    node.needs.assign(message.ctrl_deps().begin(), message.ctrl_deps().end());
    node.needs.insert(node.needs.end(), message.data_deps().begin(), message.data_deps().end());
    node.start = message.start_time_micros();
    node.duration = message.duration_micros();
    if (const auto runtime = count("runtime")) // of 2023's traces
    {
        node.duration = static_cast<std::uint64_t>(*runtime);
    }
    const auto onCpu = integer("is_cpu_op");
    node.onCpu = onCpu ? std::optional(*onCpu != 0) : std::nullopt;
    const auto* group = find("pg_name");
    node.group = group == nullptr ? "" : group->string_val();
    node.commType = integer("comm_type");
    node.commSize = count("comm_size");
    return node;
}

/** Reads the messages of a file, each with its length before it. */
class MessageReader
{
  public:
    explicit MessageReader(ByteSource& source)
        : m_source(source)
    {
    }

    /** @return whether there is another @param what it is, for complaints */
    bool Next(google::protobuf::MessageLite& message, const std::string& what)
    {
        m_start = m_end;
        const auto size = TakeSize();
        if (!size)
        {
            return false;
        }
        if (*size > MOST_MESSAGE_BYTES)
        {
            Refuse("a message of more than 4 MiB");
        }
        m_message.resize(*size);
        std::size_t at = 0;
        for (std::size_t count = 1; at < *size && count > 0; at += count)
        {
            count = m_source.Read(m_message.data() + at, *size - at);
        }
        m_end += at;
        if (at < *size)
        {
            Refuse(fmt::format("is cut off: a message of {} bytes has {}", *size, at));
        }
        if (!message.ParseFromString(m_message))
        {
            Refuse(what + " is no message of Chakra: damaged or cut off");
        }
        return true;
    }

  private:
    [[noreturn]] void Refuse(const std::string& text) const
    {
        throw InputError(fmt::format("{}: byte {}: {}", m_source.Name(), m_start, text));
    }

    /** @return nothing at the file's end */
    std::optional<std::size_t> TakeSize()
    {
        std::size_t size = 0;
        for (unsigned i = 0; i < LENGTH_BYTES; ++i)
        {
            char digit = '\0';
            if (m_source.Read(&digit, 1) == 0)
            {
                if (i == 0)
                {
                    return std::nullopt;
                }
                Refuse("is cut off in a message's length");
            }
            ++m_end;
            const auto bits = static_cast<unsigned char>(digit);
            size |= static_cast<std::size_t>(bits & 0x7fU) << (7 * i);
            if (bits < 0x80U)
            {
                return size;
            }
        }
        Refuse("is no Chakra trace: a message's length has more than 5 bytes");
    }

    ByteSource& m_source;
    std::string m_message;
    std::uint64_t m_start{0};
    std::uint64_t m_end{0};
};

} // namespace

void
AppendChakra(const google::protobuf::MessageLite& message, std::string& text)
{
    std::uint8_t length[LENGTH_BYTES];
    const auto* const end = google::protobuf::io::CodedOutputStream::WriteVarint32ToArray(
        static_cast<std::uint32_t>(message.ByteSizeLong()), length);
    text.append(reinterpret_cast<const char*>(length), static_cast<std::size_t>(end - length));
    message.AppendToString(&text);
}

bool
IsChakra(std::string_view text)
{
    namespace io = google::protobuf::io;
    io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(text.data()),
                                static_cast<int>(text.size()));
    std::uint32_t size = 0;
    if (!stream.ReadVarint32(&size) || size > text.size())
    {
        return false;
    }
    constexpr std::string_view TAGS{"\x0a\x12"}; // of a version, or of an attribute
    chakra::GlobalMetadata metadata;
    const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
    const auto limit = stream.PushLimit(static_cast<int>(size));
    if ((size > 0 && (begin == text.size() || TAGS.find(text[begin]) == std::string_view::npos)) ||
        !metadata.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    {
        return false;
    }
    stream.PopLimit(limit);
    const bool isWhole = stream.CurrentPosition() == static_cast<int>(text.size());
    return !metadata.version().empty() || isWhole || stream.ReadVarint32(&size);
}

ChakraGraph
ReadChakra(ByteSource& source, ImportReport& report)
{
    ChakraGraph graph;
    graph.file = source.Name();
    MessageReader reader(source);
    chakra::GlobalMetadata metadata;
    reader.Next(metadata, "GlobalMetadata");
    graph.version = metadata.version();
    graph.fromText =
        std::any_of(metadata.attr().begin(), metadata.attr().end(), [](const auto& attribute) {
            return attribute.name() == "input_file";
        });
    std::size_t dependencies = 0;
    for (chakra::Node message; reader.Next(message, fmt::format("node {}", graph.nodes.size()));)
    {
        auto node = NodeOf(graph.file, message, report);
        dependencies += node.needs.size();
        if (graph.nodes.size() == MOST_NODES || dependencies > MOST_DEPENDENCIES)
        {
            throw InputError(graph.file +
                             ": more than 4 million nodes, or 20 million dependencies");
        }
        report.Read(chakra::NodeType_Name(node.type));
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

} // namespace inca
