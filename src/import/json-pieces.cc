/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-pieces.h"

#include "base/errors.h"
#include "base/printable.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <limits>
#include <streambuf>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t MOST_LEVELS = 64;
constexpr std::size_t MOST_TOKEN_BYTES = 16U << 20U;
constexpr std::size_t MOST_VALUES = 1'000'000;
constexpr std::size_t MOST_COMPLAINT_BYTES = 300;
constexpr std::size_t MOST_SHOWN = 40;

/** Hands a file's characters to nlohmann's parser, and counts their lines. */
class JsonBuffer : public std::streambuf
{
  public:
    explicit JsonBuffer(ByteSource& source)
        : m_source(source),
          m_block(1U << 16U, '\0')
    {
        setg(m_block.data(), m_block.data(), m_block.data());
        m_counted = gptr();
    }

    /** @return the line that the parser has come to */
    unsigned Line()
    {
        m_line +=
            static_cast<unsigned>(std::count(m_counted, static_cast<const char*>(gptr()), '\n'));
        m_counted = gptr();
        return m_line;
    }

    /** A token has ended. */
    void EndToken()
    {
        m_tokenBytes = 0;
    }

    const std::string& Name() const
    {
        return m_source.Name();
    }

  protected:
    int_type underflow() override
    {
        Line();
        m_tokenBytes += static_cast<std::size_t>(egptr() - eback());
        if (m_tokenBytes > MOST_TOKEN_BYTES)
        {
            throw InputError({Name(), m_line, 0, ""},
                             "is no JSON that can be read: a text or number of more than 16 MiB");
        }
        const auto size = m_source.Read(m_block.data(), m_block.size());
        setg(m_block.data(), m_block.data(), m_block.data() + size);
        m_counted = gptr();
        return size == 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
    }

  private:
    ByteSource& m_source;
    std::string m_block;
    const char* m_counted; ///< up to there, lines are counted
    std::size_t m_tokenBytes{0};
    unsigned m_line{1};
};

/** What nlohmann's parser calls: puts a piece together, hands it over and forgets it. */
class PieceBuilder : public nlohmann::json_sax<Json>
{
  public:
    PieceBuilder(JsonBuffer& buffer, const JsonPieceUser& use)
        : m_buffer(buffer),
          m_use(use)
    {
        m_place.file = buffer.Name();
    }

    bool null() override
    {
        return Value(nullptr);
    }

    bool boolean(bool value) override
    {
        return Value(value);
    }

    bool number_integer(number_integer_t value) override
    {
        return Value(value);
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        return Value(value);
    }

    bool number_float(number_float_t /*value*/, const string_t& text) override
    {
        return Value(text);
    }

    bool string(string_t& value) override
    {
        return Value(std::move(value));
    }

    bool binary(binary_t& /*value*/) override
    {
        return false;
    }

    bool start_object(std::size_t /*size*/) override
    {
        return Begin(Json::object());
    }

    bool start_array(std::size_t /*size*/) override
    {
        return Begin(Json::array());
    }

    bool key(string_t& value) override
    {
        m_buffer.EndToken();
        (m_open.empty() ? m_place.key : m_key) = std::move(value);
        return true;
    }

    bool end_object() override
    {
        return End();
    }

    bool end_array() override
    {
        return End();
    }

    bool parse_error(std::size_t /*position*/,
                     const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override
    {
        std::string text = error.what();
        text = text.substr(text.find("] ") == std::string::npos ? 0 : text.find("] ") + 2);
        throw InputError(m_place.file +
                         ": is no JSON: " + Printable(text.substr(0, MOST_COMPLAINT_BYTES)));
    }

  private:
    bool Begin(Json container)
    {
        m_buffer.EndToken();
        if (m_open.size() + m_outer.size() == MOST_LEVELS)
        {
            Place().Refuse("", "more than " + std::to_string(MOST_LEVELS) + " levels of brackets");
        }
        const bool isArray = container.is_array();
        const bool isOuter =
            m_open.empty() &&
            (m_outer.empty() || (m_outer.size() == 1 && !m_outer.front() && isArray));
        if (isOuter)
        {
            m_outer.push_back(isArray);
            m_place.index = 0;
            return true;
        }
        m_open.push_back(Add(std::move(container)));
        return true;
    }

    bool End()
    {
        m_buffer.EndToken();
        if (m_open.empty())
        {
            m_outer.pop_back();
            return true;
        }
        m_open.pop_back();
        return FinishIfWhole();
    }

    bool Value(Json content)
    {
        m_buffer.EndToken();
        Add(std::move(content));
        return FinishIfWhole();
    }

    Json* Add(Json value)
    {
        if (++m_values > MOST_VALUES)
        {
            Place().Refuse("", "more than a million values in one piece");
        }
        if (m_open.empty())
        {
            m_piece = std::move(value);
            return &m_piece;
        }
        auto& parent = *m_open.back();
        if (parent.is_array())
        {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        auto& member = parent[m_key];
        member = std::move(value);
        return &member;
    }

    const JsonPlace& Place()
    {
        m_place.line = m_buffer.Line();
        m_place.element = !m_outer.empty() && m_outer.back();
        return m_place;
    }

    bool FinishIfWhole()
    {
        if (m_open.empty())
        {
            m_use(Place(), m_piece);
            m_values = 0;
            ++m_place.index;
        }
        return true;
    }

    JsonBuffer& m_buffer;
    const JsonPieceUser& m_use;
    JsonPlace m_place;
    std::vector<bool> m_outer; ///< what the file is around the pieces: by level, whether an array
    std::vector<Json*> m_open; ///< of the piece; elements stay where they are while they are open
    std::string m_key;
    Json m_piece;
    std::size_t m_values{0};
};

std::string
Shortened(const Json& value)
{
    return Printable(value.is_string() ? value.get<std::string>().substr(0, MOST_SHOWN)
                                       : std::string(value.type_name()));
}

/** @return the number that a text is as a whole; nothing if it is none */
template <typename Number>
std::optional<Number>
NumberOf(const Json& text)
{
    const auto& digits = text.get_ref<const std::string&>();
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isWhole = error == std::errc() && end == digits.data() + digits.size();
    return isWhole ? std::optional(value) : std::nullopt;
}

InputPlace
PlaceOf(const JsonPlace& place, const std::string& member)
{
    auto where = Printable(place.key.substr(0, MOST_SHOWN));
    where += place.element ? "[" + std::to_string(place.index) + "]" : "";
    return {
        place.file, place.line, 0, where + (where.empty() || member.empty() ? "" : ".") + member};
}

} // namespace

std::string
JsonPlace::Prefix(const std::string& member) const
{
    return PlaceOf(*this, member).Prefix();
}

void
JsonPlace::Refuse(const std::string& member, const std::string& text) const
{
    throw InputError(PlaceOf(*this, member), text);
}

void
ReadJsonPieces(ByteSource& source, const JsonPieceUser& use)
{
    JsonBuffer buffer(source);
    std::istream stream(&buffer);
    PieceBuilder builder(buffer, use);
    Json::sax_parse(stream, &builder); // depth costs no stack
}

const Json*
FindMember(const Json& object, const char* key)
{
    if (!object.is_object())
    {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string
TextMember(const Json& object, const char* key)
{
    const auto* member = FindMember(object, key);
    return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

const Json*
FirstOfMember(const Json& object, const char* key)
{
    const auto* member = FindMember(object, key);
    return member != nullptr && member->is_array() && !member->empty() ? &member->front() : nullptr;
}

std::optional<std::int64_t>
IntegerMember(const JsonPlace& place, const Json& object, const char* key)
{
    const auto* member = FindMember(object, key);
    if (member == nullptr)
    {
        return std::nullopt;
    }
    if (member->is_number_integer() &&
        (!member->is_number_unsigned() || member->get<std::uint64_t>() <= INT64_MAX))
    {
        return member->get<std::int64_t>();
    }
    const auto value = member->is_string() ? NumberOf<std::int64_t>(*member) : std::nullopt;
    if (!value)
    {
        place.Refuse(key, "must be a whole number, got '" + Shortened(*member) + "'");
    }
    return value;
}

std::optional<std::uint64_t>
CountMember(const JsonPlace& place, const Json& object, const char* key)
{
    const auto value = IntegerMember(place, object, key);
    if (value && *value < 0)
    {
        place.Refuse(key, "must be from 0 on, got " + std::to_string(*value));
    }
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<std::int64_t>
TimeMember(const JsonPlace& place, const Json& object, const char* key)
{
    constexpr long double NS_PER_US = 1000;
    const auto* member = FindMember(object, key);
    if (member == nullptr)
    {
        return std::nullopt;
    }
    auto us = std::numeric_limits<long double>::quiet_NaN(); // whose 64 bits count ns since 1970
    if (member->is_string())
    {
        us = NumberOf<long double>(*member).value_or(us);
    }
    else if (member->is_number())
    {
        us = member->is_number_unsigned() ? static_cast<long double>(member->get<std::uint64_t>())
                                          : static_cast<long double>(member->get<std::int64_t>());
    }
    if (!(std::abs(us * NS_PER_US) < 4e18L))
    {
        place.Refuse(key, "must be a time, got '" + Shortened(*member) + "'");
    }
    return std::llround(us * NS_PER_US);
}

} // namespace inca
