/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>

namespace inca
{

namespace
{

/** @return the edits that make @p b of @p a, by optimal string alignment; at least @p limit if they are not fewer */
std::size_t
Distance(std::string_view a, std::string_view b, std::size_t limit)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::size_t leastBefore = 0; // of the row before
    for (std::size_t i = 0; i <= a.size(); ++i)
    {
        for (std::size_t j = 0; j <= b.size(); ++j)
        {
            if (i == 0 || j == 0)
            {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1,
                                d[i][j - 1] + 1,
                                d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
        const auto least = *std::min_element(d[i].begin(), d[i].end());
        if (std::min(least, leastBefore) >= limit)
        {
            return limit; // what follows grows out of these two rows
        }
        leastBefore = least;
    }
    return d[a.size()][b.size()];
}

/** Which no number of edits below it makes up for. */
std::size_t
DifferenceOfLengths(std::string_view a, std::string_view b)
{
    return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

/** Of "table.key" names, the tables that both have, dots included: they tell nothing of what was meant. */
std::size_t
SharedTables(std::string_view a, std::string_view b)
{
    const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
    const auto dot = a.substr(0, static_cast<std::size_t>(end - a.begin())).rfind('.');
    return dot == std::string_view::npos ? 0 : dot + 1;
}

std::string
LowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return lower;
}

/** Up to which it was meant: a third of a name's letters, half of those of a key whose table is right. */
std::size_t
MostEdits(std::string_view name, bool isInTable)
{
    return std::max<std::size_t>(1, name.size() / (isInTable ? 2 : 3));
}

} // namespace

std::string
Nearest(std::string_view name, const std::vector<std::string>& known)
{
    constexpr std::size_t longest = 100; // an untrusted name may be huge; none of ours is
    if (name.size() > longest)
    {
        return "";
    }
    std::string best;
    auto bestDistance = std::numeric_limits<std::size_t>::max();
    for (const std::string_view candidate : known)
    {
        if (LowerCase(name) == LowerCase(candidate))
        {
            return std::string(candidate);
        }
        const auto shared = SharedTables(name, candidate);
        const auto a = name.substr(shared);
        const auto b = candidate.substr(shared);
        const auto limit = std::min(bestDistance, MostEdits(a, shared > 0) + 1);
        if (DifferenceOfLengths(a, b) >= limit)
        {
            continue;
        }
        const auto distance = Distance(a, b, limit);
        if (distance < limit)
        {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string
UnknownName(std::string_view name, const std::vector<std::string>& known, const char* kind)
{
    const auto text =
        "unknown " + std::string(kind) + "'" + std::string(name.substr(0, 100)) + "'; ";
    if (const auto nearest = Nearest(name, known); !nearest.empty())
    {
        return text + "did you mean '" + nearest + "'?";
    }
    std::string list;
    for (const auto& candidate : known)
    {
        list += (list.empty() ? "" : ", ") + candidate;
    }
    return text + "known are " + list;
}

bool
IsAmong(std::string_view name, const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace inca
