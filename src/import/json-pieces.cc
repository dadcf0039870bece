/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-pieces.h"

#include "base/errors.h"
#include "base/printable.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <istream>
#include <limits>
#include <streambuf>

namespace inca
{

namespace
{

constexpr int MOST_LEVELS = 64;
constexpr std::size_t MOST_MEMBERS = 100'000; ///< of the file's object
constexpr std::size_t MOST_TOKEN_BYTES = 16U << 20U;
constexpr std::size_t MOST_VALUES = 1'000'000;
constexpr std::size_t MOST_COMPLAINT_BYTES = 300;

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

/** What nlohmann's parser calls: hands over what is a piece, and lets it be forgotten. */
class PieceCutter
{
  public:
    PieceCutter(JsonBuffer& buffer, const JsonPieceUser& use)
        : m_buffer(buffer),
          m_use(use)
    {
        m_place.file = buffer.Name();
    }

    /** @param depth of brackets around it @return whether it stays in memory */
    bool operator()(int depth, Json::parse_event_t event, Json& value)
    {
        using Event = Json::parse_event_t;
        m_buffer.EndToken();
        switch (event)
        {
        case Event::key:
            if (depth == 1)
            {
                m_place.key = value.get<std::string>();
                if (++m_members > MOST_MEMBERS)
                {
                    Place().Refuse("", "more than a hundred thousand members");
                }
            }
            return true;
        case Event::object_start:
        case Event::array_start:
            Begin(depth, event == Event::array_start);
            return true;
        case Event::value:
            Count();
            break;
        default:
            break;
        }
        const auto pieces = m_rootIsArray || !m_inArray ? 1 : 2; // the depth of pieces
        if (depth == pieces || (depth == 0 && event == Event::value))
        {
            m_use(Place(), value);
            m_values = 0;
            ++m_place.index;
            return false;
        }
        m_inArray &= depth > 1;
        return depth > pieces;
    }

  private:
    void Begin(int depth, bool isArray)
    {
        if (depth == MOST_LEVELS)
        {
            Place().Refuse("", "more than " + std::to_string(MOST_LEVELS) + " levels of brackets");
        }
        Count();
        m_rootIsArray |= depth == 0 && isArray;
        if (depth == 1 && isArray && !m_rootIsArray)
        {
            m_inArray = true;
            m_place.index = 0;
            m_values = 0;
        }
    }

    void Count()
    {
        if (++m_values > MOST_VALUES)
        {
            Place().Refuse("", "more than a million values in one piece");
        }
    }

    const JsonPlace& Place()
    {
        m_place.line = m_buffer.Line();
        m_place.element = m_rootIsArray || m_inArray;
        return m_place;
    }

    JsonBuffer& m_buffer;
    const JsonPieceUser& m_use;
    JsonPlace m_place;
    bool m_rootIsArray{false};
    bool m_inArray{false}; ///< that is a member of the file's object
    std::size_t m_members{0};
    std::size_t m_values{0};
};

/** @return the number that all of @p text is; nothing if it is none */
template <typename Number>
std::optional<Number>
NumberOf(const std::string& text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole ? std::optional(value) : std::nullopt;
}

InputPlace
PlaceOf(const JsonPlace& place, const std::string& member)
{
    auto where = Excerpt(place.key);
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
    PieceCutter cutter(buffer, use);
    try
    {
        // depth costs no stack
        [[maybe_unused]] const auto rest = Json::parse(stream, std::ref(cutter));
    }
    catch (const Json::exception& error)
    {
        std::string text = error.what();
        text = text.substr(text.find("] ") == std::string::npos ? 0 : text.find("] ") + 2);
        throw InputError(source.Name() +
                         ": is no JSON: " + Printable(text.substr(0, MOST_COMPLAINT_BYTES)));
    }
}

std::string
ShortText(const Json& value)
{
    const auto text = value.is_string()           ? value.get<std::string>()
                      : value.is_number_integer() ? value.dump()
                      : value.is_number()         ? std::to_string(value.get<long double>())
                                                  : value.type_name();
    return Excerpt(text);
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
    const auto value =
        member->is_string() ? NumberOf<std::int64_t>(member->get<std::string>()) : std::nullopt;
    if (!value)
    {
        place.Refuse(key, "must be a whole number, got '" + ShortText(*member) + "'");
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
    auto us = std::numeric_limits<long double>::quiet_NaN();
    if (member->is_number())
    {
        us = member->get<long double>(); // whose 64 bits count ns since 1970
    }
    else if (member->is_string())
    {
        us = NumberOf<long double>(member->get<std::string>()).value_or(us);
    }
    if (!(std::abs(us * NS_PER_US) < 4e18L))
    {
        place.Refuse(key, "must be a time, got '" + ShortText(*member) + "'");
    }
    return std::llround(us * NS_PER_US);
}

} // namespace inca
