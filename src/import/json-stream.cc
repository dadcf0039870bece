/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-stream.h"

#include "base/errors.h"
#include "base/printable.h"

#include <cstddef>
#include <iterator>
#include <string>
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

/** A file's characters, counted. */
class Characters
{
  public:
    explicit Characters(ByteSource& source)
        : m_source(source),
          m_block(1U << 16U, '\0')
    {
        Refill();
    }

    bool AtEnd() const
    {
        return m_size == 0;
    }

    char Current() const
    {
        return m_block[m_at];
    }

    void Next()
    {
        m_line += m_block[m_at] == '\n' ? 1 : 0;
        if (++m_at == m_size)
        {
            Refill();
        }
    }

    /** A token has ended. */
    void EndToken()
    {
        m_tokenBytes = 0;
    }

    unsigned Line() const
    {
        return m_line;
    }

    const std::string& Name() const
    {
        return m_source.Name();
    }

  private:
    void Refill()
    {
        m_tokenBytes += m_size;
        if (m_tokenBytes > MOST_TOKEN_BYTES)
        {
            throw InputError({Name(), m_line, 0, ""},
                             "is no JSON that can be read: a text or number of more than 16 MiB");
        }
        m_size = m_source.Read(m_block.data(), m_block.size());
        m_at = 0;
    }

    ByteSource& m_source;
    std::string m_block;
    std::size_t m_size{0};
    std::size_t m_at{0};
    std::size_t m_tokenBytes{0};
    unsigned m_line{1};
};

/** Hands characters to the parser, which takes them one by one. */
class CharacterIterator
{
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    CharacterIterator() = default;

    explicit CharacterIterator(Characters& characters)
        : m_characters(&characters)
    {
    }

    char operator*() const
    {
        return m_characters->Current();
    }

    CharacterIterator& operator++()
    {
        m_characters->Next();
        return *this;
    }

    /** Only ever compared to the end. */
    bool operator==(const CharacterIterator& other) const
    {
        return IsEnd() == other.IsEnd();
    }

    bool operator!=(const CharacterIterator& other) const
    {
        return !(*this == other);
    }

  private:
    bool IsEnd() const
    {
        return m_characters == nullptr || m_characters->AtEnd();
    }

    Characters* m_characters{nullptr};
};

/** What nlohmann's parser calls: puts a piece together, hands it over and forgets it. */
class PieceBuilder
{
  public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    PieceBuilder(Characters& characters, bool severalObjects, const JsonPieceUser& use)
        : m_characters(characters),
          m_severalObjects(severalObjects),
          m_use(use)
    {
        m_place.file = characters.Name();
    }

    bool null()
    {
        return Value(nullptr);
    }

    bool boolean(bool value)
    {
        return Value(value);
    }

    bool number_integer(number_integer_t value)
    {
        return Value(value);
    }

    bool number_unsigned(number_unsigned_t value)
    {
        return Value(value);
    }

    bool number_float(number_float_t /*value*/, const string_t& text)
    {
        return Value(text);
    }

    bool string(string_t& value)
    {
        return Value(std::move(value));
    }

    bool binary(binary_t& /*value*/)
    {
        return false;
    }

    bool start_object(std::size_t /*size*/)
    {
        return Begin(Json::object());
    }

    bool start_array(std::size_t /*size*/)
    {
        return Begin(Json::array());
    }

    bool key(string_t& value)
    {
        m_characters.EndToken();
        if (m_open.empty())
        {
            m_place.key = std::move(value);
        }
        else
        {
            m_key = std::move(value);
        }
        return true;
    }

    bool end_object()
    {
        return End();
    }

    bool end_array()
    {
        return End();
    }

    bool parse_error(std::size_t /*position*/,
                     const std::string& /*token*/,
                     const nlohmann::detail::exception& error)
    {
        std::string text = error.what();
        text = text.substr(text.find("] ") == std::string::npos ? 0 : text.find("] ") + 2);
        throw InputError(m_place.file +
                         ": is no JSON: " + Printable(text.substr(0, MOST_COMPLAINT_BYTES)));
    }

  private:
    /** What the file is around the pieces: by level, whether it is an array. */
    bool IsOuter(bool isArray) const
    {
        if (m_severalObjects)
        {
            return false;
        }
        return m_outer.empty() || (m_outer.size() == 1 && !m_outer.front() && isArray);
    }

    bool Begin(Json container)
    {
        m_characters.EndToken();
        if (m_open.size() + m_outer.size() == MOST_LEVELS)
        {
            Place().Refuse("", "more than " + std::to_string(MOST_LEVELS) + " levels of brackets");
        }
        const bool isArray = container.is_array();
        if (m_open.empty() && IsOuter(isArray))
        {
            m_outer.push_back(isArray);
            m_place.index = 0;
            return true;
        }
        auto* added = Add(std::move(container));
        m_open.push_back(added);
        return true;
    }

    bool End()
    {
        m_characters.EndToken();
        if (m_open.empty())
        {
            m_outer.pop_back();
            return true;
        }
        m_open.pop_back();
        return m_open.empty() ? Finish() : true;
    }

    template <typename Content>
    bool Value(Content&& content)
    {
        m_characters.EndToken();
        Add(Json(std::forward<Content>(content)));
        return m_open.empty() ? Finish() : true;
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
        m_place.line = m_characters.Line();
        m_place.element = m_severalObjects || (!m_outer.empty() && m_outer.back());
        return m_place;
    }

    bool Finish()
    {
        m_use(Place(), m_piece);
        m_values = 0;
        ++m_place.index;
        return true;
    }

    Characters& m_characters;
    bool m_severalObjects;
    const JsonPieceUser& m_use;
    JsonPlace m_place;
    std::vector<bool> m_outer;
    std::vector<Json*> m_open; ///< of the piece; elements stay where they are while they are open
    std::string m_key;
    Json m_piece;
    std::size_t m_values{0};
};

void
SkipBlanks(Characters& characters)
{
    while (!characters.AtEnd() && (characters.Current() == ' ' || characters.Current() == '\n' ||
                                   characters.Current() == '\r' || characters.Current() == '\t'))
    {
        characters.Next();
    }
}

} // namespace

void
ReadJsonPieces(ByteSource& source, bool severalObjects, const JsonPieceUser& use)
{
    Characters characters(source);
    PieceBuilder builder(characters, severalObjects, use);
    SkipBlanks(characters);
    do
    {
        // iterative: depth costs no stack
        Json::sax_parse(CharacterIterator(characters),
                        CharacterIterator(),
                        &builder,
                        nlohmann::detail::input_format_t::json,
                        !severalObjects);
        SkipBlanks(characters);
    } while (!characters.AtEnd());
}

} // namespace inca
