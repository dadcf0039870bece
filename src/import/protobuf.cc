/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/protobuf.h"

namespace inca
{

namespace
{

constexpr unsigned MOST_VARINT_BYTES = 10;

void
AppendVarint(std::string& text, std::uint64_t value)
{
    while (value >= 0x80U)
    {
        text.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
        value >>= 7U;
    }
    text.push_back(static_cast<char>(value));
}

std::uint64_t
RequireVarint(std::string_view& text)
{
    const auto value = TakeVarint(text);
    if (!value)
    {
        throw ProtobufError("is cut off in a number");
    }
    return *value;
}

} // namespace

std::optional<std::uint64_t>
TakeVarint(std::string_view& text)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < MOST_VARINT_BYTES; ++i)
    {
        if (i == text.size())
        {
            return std::nullopt;
        }
        const auto byte = static_cast<std::uint8_t>(text[i]);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << (7 * i);
        if (byte < 0x80U)
        {
            text.remove_prefix(i + 1);
            return value;
        }
    }
    throw ProtobufError("has a number of more than 10 bytes");
}

std::uint64_t
ProtobufField::Varint() const
{
    if (kind == Kind::BYTES)
    {
        throw ProtobufError("field " + std::to_string(number) + " is no number");
    }
    return value;
}

std::string_view
ProtobufField::Message() const
{
    if (kind != Kind::BYTES)
    {
        throw ProtobufError("field " + std::to_string(number) + " is no text");
    }
    return bytes;
}

std::string
ProtobufField::Text() const
{
    return std::string(Message());
}

void
ProtobufField::AppendVarints(std::vector<std::uint64_t>& values) const
{
    if (kind != Kind::BYTES)
    {
        values.push_back(value);
        return;
    }
    for (auto left = bytes; !left.empty();)
    {
        values.push_back(RequireVarint(left));
    }
}

std::uint64_t
ProtobufReader::TakeFixed(std::size_t bytes)
{
    if (m_left.size() < bytes)
    {
        throw ProtobufError("is cut off in a number");
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
    {
        value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(m_left[i])) << (8 * i);
    }
    m_left.remove_prefix(bytes);
    return value;
}

std::optional<ProtobufField>
ProtobufReader::Next()
{
    if (m_left.empty())
    {
        return std::nullopt;
    }
    const auto tag = RequireVarint(m_left);
    ProtobufField field;
    field.number = static_cast<std::uint32_t>(tag >> 3U);
    field.kind = static_cast<ProtobufField::Kind>(tag & 7U);
    if (field.number == 0 || tag >> 32U != 0)
    {
        throw ProtobufError("has a field of number 0");
    }
    switch (field.kind)
    {
    case ProtobufField::Kind::VARINT:
        field.value = RequireVarint(m_left);
        return field;
    case ProtobufField::Kind::FIXED64:
        field.value = TakeFixed(8);
        return field;
    case ProtobufField::Kind::FIXED32:
        field.value = TakeFixed(4);
        return field;
    case ProtobufField::Kind::BYTES:
    {
        const auto size = RequireVarint(m_left);
        if (size > m_left.size())
        {
            throw ProtobufError("is cut off in field " + std::to_string(field.number));
        }
        field.bytes = m_left.substr(0, size);
        m_left.remove_prefix(size);
        return field;
    }
    }
    throw ProtobufError("has a field of a kind that does not exist");
}

void
ProtobufWriter::Varint(std::uint32_t number, std::uint64_t value)
{
    AppendVarint(m_message, std::uint64_t{number} << 3U);
    AppendVarint(m_message, value);
}

void
ProtobufWriter::Bytes(std::uint32_t number, std::string_view bytes)
{
    AppendVarint(m_message, (std::uint64_t{number} << 3U) | 2U);
    AppendVarint(m_message, bytes.size());
    m_message.append(bytes);
}

std::string
ProtobufWriter::Delimited() const
{
    std::string text;
    AppendVarint(text, m_message.size());
    return text + m_message;
}

} // namespace inca
