/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_PROTOBUF_H
#define INCA_IMPORT_PROTOBUF_H

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** A message that is no protobuf. */
class ProtobufError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/** One field of a message of Protocol Buffers' wire format. */
struct ProtobufField
{
    enum class Kind : std::uint8_t
    {
        VARINT = 0,
        FIXED64 = 1,
        BYTES = 2,
        FIXED32 = 5,
    };

    std::uint32_t number{0};
    Kind kind{Kind::VARINT};
    std::uint64_t value{0}; ///< of all but BYTES
    std::string_view bytes; ///< of BYTES, in the message

    /** @throws ProtobufError if it is of another kind @{ */
    std::uint64_t Varint() const;
    std::string Text() const;
    std::string_view Message() const;
    /** Of a repeated field, one value or packed many, appended. */
    void AppendVarints(std::vector<std::uint64_t>& values) const;
    /** @} */
};

/** Takes a message apart, field by field, and never reads beyond it. */
class ProtobufReader
{
  public:
    explicit ProtobufReader(std::string_view message)
        : m_left(message)
    {
    }

    /** @return the next field; nothing at the end @throws ProtobufError */
    std::optional<ProtobufField> Next();

  private:
    std::uint64_t TakeFixed(std::size_t bytes);

    std::string_view m_left;
};

/**
 * Takes a varint off the front of @p text.
 * @return nothing if the text ends before the number does
 * @throws ProtobufError if it is longer than 10 bytes
 */
std::optional<std::uint64_t> TakeVarint(std::string_view& text);

/** Puts a message together. */
class ProtobufWriter
{
  public:
    void Varint(std::uint32_t number, std::uint64_t value);
    void Bytes(std::uint32_t number, std::string_view bytes);

    const std::string& Message() const
    {
        return m_message;
    }

    /** The message with its length before it, as Chakra's files have them. */
    std::string Delimited() const;

  private:
    std::string m_message;
};

} // namespace inca

#endif // INCA_IMPORT_PROTOBUF_H
