/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "support/key-texts.h"

#include "base/units.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace inca
{

namespace
{

/** Those that are taken, of @p texts in ascending order, at either end, and what is next to them. */
void
AddEnds(const Key& key, const std::vector<std::string>& texts, std::vector<std::string>& ends)
{
    const auto isTaken = [&key](const std::string& text) { return Takes(key, text); };
    const auto first = std::find_if(texts.begin(), texts.end(), isTaken);
    const auto end = std::find_if(texts.rbegin(), texts.rend(), isTaken).base();
    if (first != texts.end())
    {
        ends.insert(ends.end(), {*first, *std::prev(end)});
        ends.insert(ends.end(), first == texts.begin() ? first : std::prev(first), first);
        ends.insert(ends.end(), end, end == texts.end() ? end : std::next(end));
    }
}

} // namespace

bool
Takes(const Key& key, const std::string& text)
{
    Scenario scenario;
    try
    {
        key.set(scenario, text);
        return true;
    }
    catch (const UnitError&)
    {
        return false;
    }
}

std::vector<std::string>
NamesOf(const Key& key)
{
    auto values = key.values;
    for (auto at = values.find(" or "); at != std::string::npos; at = values.find(" or "))
    {
        values.replace(at, 4, ", ");
    }
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < values.size();)
    {
        const auto end = std::min(values.find(", ", begin), values.size());
        auto name = values.substr(begin, end - begin);
        name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
        if (Takes(key, name))
        {
            names.push_back(std::move(name));
        }
        begin = end + 2;
    }
    return names;
}

std::vector<std::string>
NumbersAtTheEnds(const Key& key)
{
    static const std::vector<std::pair<std::string, std::string>> forms{{"", ""},
                                                                        {"-", ""},
                                                                        {"2^-", ""},
                                                                        {"", "bps"},
                                                                        {"", "Bps"},
                                                                        {"", "B"},
                                                                        {"", "ps"},
                                                                        {"", "values/s"}};
    std::set<std::uint64_t> numbers{0, std::numeric_limits<std::uint64_t>::max()};
    for (unsigned bits = 0; bits < 64; ++bits)
    {
        numbers.insert({std::uint64_t{1} << bits, (std::uint64_t{1} << bits) - 1});
    }
    for (std::uint64_t power = 1; power < 1'000'000'000'000'000'000; power *= 10)
    {
        numbers.insert({power, power + 1, 10 * power - 1, 10 * power});
    }
    std::vector<std::string> ends;
    for (const auto& [before, behind] : forms)
    {
        std::vector<std::string> texts;
        for (const auto number : numbers)
        {
            texts.push_back(before + std::to_string(number) + behind);
        }
        AddEnds(key, texts, ends);
    }
    if (key.type == ValueType::DECIMAL || key.type == ValueType::NUMBER_OR_NAME)
    {
        AddEnds(key, {"0", "5e-324", "1e-9", "0.5", "0.999", "1", "1.001", "1e9", "1e308"}, ends);
    }
    return ends;
}

} // namespace inca
