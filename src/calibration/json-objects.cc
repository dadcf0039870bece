/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/json-objects.h"

#include "base/printable.h"

#include <algorithm>

namespace inca
{

namespace
{

using nlohmann::json;

/** Where an object of a text ends. */
struct Extent
{
    std::size_t end{std::string_view::npos}; ///< npos: nowhere
    std::size_t lastElement{0}; ///< where the last whole element of a member of it does
};

Extent
ExtentOf(std::string_view text)
{
    Extent extent;
    std::size_t depth = 0;
    bool isInText = false;
    for (std::size_t at = 0; at < text.size() && extent.end == text.npos; ++at)
    {
        const char character = text[at];
        at += isInText && character == '\\' ? 1 : 0;
        isInText ^= character == '"';
        if (!isInText && (character == '{' || character == '['))
        {
            ++depth;
        }
        else if (!isInText && (character == '}' || character == ']'))
        {
            --depth;
            extent.end = depth == 0 ? at + 1 : extent.end;
            extent.lastElement = depth == 2 ? at + 1 : extent.lastElement;
        }
    }
    return extent;
}

/** @return the object; null if it is too large @throws nlohmann's exceptions */
json
Parse(const std::string& text)
{
    constexpr std::size_t most = 4'000'000;
    std::size_t values = 0;
    auto object = json::parse(text, [&values](int, auto, const json&) { return ++values <= most; });
    return values <= most ? object : json();
}

/** @return where an object begins on a line, or in a list, from @p from on; the text's end if none does */
std::size_t
NextObject(std::string_view text, std::size_t from)
{
    for (auto at = text.find('{', from); at != text.npos; at = text.find('{', at + 1))
    {
        const auto before = text.substr(from, at - from).find_last_not_of(" \t\r[,");
        if (before == text.npos || text[from + before] == '\n')
        {
            return at;
        }
    }
    return text.size();
}

} // namespace

void
ForEachJsonObject(std::string_view text, const LogTables& tables, const JsonUser& use)
{
    std::uint64_t line = 1;
    std::size_t at = 0;
    const auto goTo = [&](std::size_t to) {
        const auto passed = text.substr(at, to - at);
        line += static_cast<std::uint64_t>(std::count(passed.begin(), passed.end(), '\n'));
        at = to;
    };
    for (goTo(NextObject(text, 0)); at < text.size(); goTo(NextObject(text, at)))
    {
        const auto extent = ExtentOf(text.substr(at));
        const bool isWhole = extent.end != text.npos;
        const std::string part(text.substr(at, isWhole ? extent.end : extent.lastElement));
        json members;
        try
        {
            members = Parse(part + (isWhole ? "" : "]}"));
        }
        catch (const json::exception& error)
        {
            if (isWhole)
            {
                const auto* where = dynamic_cast<const json::parse_error*>(&error);
                goTo(at + (where == nullptr ? 0 : std::min(where->byte, part.size())));
                tables.Throw(line, "is no JSON that can be read: " + Printable(error.what()));
            }
        }
        if (isWhole && members.is_null())
        {
            tables.Throw(line, "is no log of measurements: more than four million values");
        }
        use({members, line, isWhole});
        goTo(isWhole ? at + part.size() : text.size());
    }
}

std::uint64_t
CountAt(const json& object, const std::string& path)
{
    constexpr double most = 1ULL << 60U;
    return static_cast<std::uint64_t>(std::clamp(ValueAt<double>(object, path), 0., most));
}

} // namespace inca
