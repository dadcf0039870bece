/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/toml-document.h"

#include "base/printable.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <toml++/toml.h>
#include <tuple>

namespace inca
{

namespace
{

constexpr std::ptrdiff_t g_mostPoints = 10'000;   ///< beyond one a line
constexpr std::string_view g_shield = "\xF3\xB0"; ///< begins the characters from U+F0000 on
constexpr std::size_t g_shieldedBytes = 4;

/**
 * Turns every byte from 0x80 on into a private character, U+F0000 and the byte: toml++ 3.3 does not stand some
 * characters outside of quotes, as it asks whether they are white space (is_non_ascii_horizontal_whitespace).
 */
std::string
Shielded(std::string_view text)
{
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    const bool isMarked = text.substr(0, byteOrderMark.size()) == byteOrderMark;
    std::string shielded;
    for (const char c : text.substr(isMarked ? byteOrderMark.size() : 0))
    {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
        {
            shielded += c;
            continue;
        }
        shielded += g_shield;
        shielded +=
            {static_cast<char>(0x80U | byte >> 6U), static_cast<char>(0x80U | (byte & 0x3FU))};
    }
    return shielded;
}

/** Turns the characters back into bytes. */
std::string
Unshielded(std::string_view text)
{
    std::string plain;
    while (!text.empty())
    {
        const bool isShielded = text.substr(0, g_shield.size()) == g_shield;
        plain +=
            isShielded ? static_cast<char>((text[2] & 0x03) << 6U | (text[3] & 0x3F)) : text[0];
        text.remove_prefix(isShielded ? g_shieldedBytes : 1);
    }
    return plain;
}

/** Takes the file's name along. */
class Reader
{
  public:
    explicit Reader(const std::string& fileName)
        : m_fileName(fileName)
    {
    }

    std::vector<TomlEntry> Entries(const toml::table& document) const
    {
        std::vector<TomlEntry> entries;
        AddEntries(document, "", 1, entries);
        SortByPlace(entries);
        return entries;
    }

    InputPlace PlaceOf(const toml::source_region& region, const std::string& key) const
    {
        return {m_fileName, region.begin.line, region.begin.column, key};
    }

  private:
    /** Those of tables as well; deeper ones, and those in braces, stand where a value should, but for those of groups. */
    void AddEntries(const toml::table& table,
                    const std::string& prefix,
                    int level,
                    std::vector<TomlEntry>& entries) const
    {
        constexpr int deepest = 4; // group.shard.codec.name
        for (const auto& [key, node] : table)
        {
            const auto* inner = node.as_table();
            const bool mayBeInline = level == 1 || prefix.rfind("group.", 0) == 0;
            const bool isHeader = inner != nullptr && (mayBeInline || !inner->is_inline());
            if (isHeader && !inner->empty() && level < deepest)
            {
                AddEntries(*inner, prefix + Unshielded(key.str()) + ".", level + 1, entries);
                continue;
            }
            entries.push_back(MakeEntry(prefix, key, node));
        }
    }

    static void SortByPlace(std::vector<TomlEntry>& entries)
    {
        std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            return std::tie(a.keyPlace.line, a.keyPlace.column) <
                   std::tie(b.keyPlace.line, b.keyPlace.column);
        });
    }

    std::vector<TomlEntry> EntriesOf(const toml::table& table, const std::string& prefix) const
    {
        std::vector<TomlEntry> entries;
        for (const auto& [key, node] : table)
        {
            entries.push_back(MakeEntry(prefix, key, node));
        }
        SortByPlace(entries);
        return entries;
    }

    TomlEntry MakeEntry(const std::string& prefix,
                        const toml::key& key,
                        const toml::node& node) const
    {
        TomlEntry entry;
        entry.name = prefix + Unshielded(key.str());
        entry.keyPlace = PlaceOf(key.source(), entry.name);
        entry.valuePlace = PlaceOf(node.source(), entry.name);
        const auto be = [&entry](TomlKind kind, const char* name, std::string text = "") {
            std::tie(entry.kind, entry.kindName, entry.text) = std::tuple(kind, name, text);
        };
        node.visit([&](const auto& value) {
            using Node = decltype(value);
            if constexpr (toml::is_string<Node>)
            {
                be(TomlKind::TEXT, "a text", Unshielded(*value));
            }
            else if constexpr (toml::is_integer<Node>)
            {
                be(TomlKind::INTEGER, "a whole number", std::to_string(*value));
            }
            else if constexpr (toml::is_floating_point<Node>)
            {
                be(TomlKind::DECIMAL, "a decimal number", fmt::format("{}", *value));
            }
            else if constexpr (toml::is_boolean<Node>)
            {
                be(TomlKind::BOOLEAN, "true or false", *value ? "true" : "false");
            }
            else if constexpr (toml::is_table<Node>)
            {
                be(TomlKind::TABLE, "a table");
            }
            else if constexpr (toml::is_array<Node>)
            {
                be(TomlKind::OTHER, "a list");
                TakeList(value, entry);
            }
            else
            {
                be(TomlKind::OTHER, "a date or time");
            }
        });
        return entry;
    }

    /** Of texts or tables only; in tables, what is no value stays of kind OTHER or TABLE. */
    void TakeList(const toml::array& list, TomlEntry& entry) const
    {
        if (list.is_array_of_tables() && entry.name.find('.') != std::string::npos)
        {
            entry.kind = TomlKind::TABLES;
            for (const auto& element : list)
            {
                entry.tables.push_back(EntriesOf(*element.as_table(), entry.name + "."));
            }
        }
        else if (list.empty() || list.is_homogeneous(toml::node_type::string))
        {
            entry.kind = TomlKind::TEXTS;
            for (const auto& item : list)
            {
                entry.texts.push_back(
                    {Unshielded(item.as_string()->get()), PlaceOf(item.source(), entry.name)});
            }
        }
    }

    const std::string& m_fileName;
};

/** Line @p number of @p text, from 1. */
std::string_view
LineOf(std::string_view text, unsigned number)
{
    for (; number > 1; --number)
    {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return text.substr(0, text.find('\n'));
}

/** What usually lies behind a line that is no TOML: quotes that were forgotten. */
std::string
Hint(std::string_view line)
{
    const auto equals = line.find('=');
    const auto value = equals == std::string_view::npos ? "" : line.substr(equals + 1);
    const auto first = value.find_first_not_of(" \t");
    if (first == std::string_view::npos)
    {
        return "";
    }
    const bool quoted = value[first] == '"' || value[first] == '\'';
    const bool closed = quoted && value.find(value[first], first + 1) != std::string_view::npos;
    const bool hasLetter = std::any_of(value.begin(), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    return quoted      ? (closed ? "" : "; the text's closing quote is missing")
           : hasLetter ? "; a text or a quantity with its unit stands in quotes, as in \"10Gbps\""
                       : "";
}

/**
 * Refuses bytes that are no UTF-8, and very many points: each point of a key may open a table in a table, which the
 * library destroys recursively.
 * @throws InputError
 */
void
RefuseUnsafe(std::string_view text, const std::string& fileName)
{
    const auto bad = FirstOutsideUtf8(text);
    unsigned line = 1;
    std::ptrdiff_t points = 0; // in lines that have several, but for one each
    for (std::size_t begin = 0; begin < text.size(); ++line)
    {
        const auto end = std::min(text.find('\n', begin), text.size());
        const auto refuse = [&](std::size_t at, const std::string& why) {
            const auto column = static_cast<unsigned>(at - begin) + 1;
            throw InputError(InputPlace{fileName, line, column, ""}, "no valid TOML: " + why);
        };
        if (bad < end)
        {
            refuse(bad,
                   fmt::format("byte 0x{:02X} is no UTF-8", static_cast<unsigned char>(text[bad])));
        }
        const auto content = text.substr(begin, end - begin);
        points += std::max<std::ptrdiff_t>(std::count(content.begin(), content.end(), '.'), 1) - 1;
        if (points > g_mostPoints)
        {
            refuse(begin, fmt::format("more than {} points up to here", g_mostPoints));
        }
        begin = end + 1;
    }
}

} // namespace

std::vector<TomlEntry>
ReadToml(std::string_view text, const std::string& fileName)
{
    RefuseUnsafe(text, fileName);
    const Reader reader(fileName);
    try
    {
        return reader.Entries(toml::parse(Shielded(text)));
    }
    catch (const toml::parse_error& error)
    {
        const auto place = reader.PlaceOf(error.source(), "");
        throw InputError(place,
                         "no valid TOML: " + Unshielded(error.description()) +
                             Hint(LineOf(text, place.line)));
    }
}

std::string
QuoteToml(std::string_view text)
{
    std::ostringstream quoted;
    quoted << toml::value<std::string>(std::string(text));
    return quoted.str();
}

std::string
PlaceName(const InputPlace& place)
{
    const auto prefix = place.Prefix();
    return prefix.substr(0, prefix.rfind(": "));
}

} // namespace inca
