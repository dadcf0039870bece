/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "support/key-texts.h"

#include "base/units.h"
#include "base/value-form.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

using Number = std::uint64_t;
using Text = std::function<std::string(Number)>;

/** @return the last number from @p inside on, towards @p outside, whose text is taken */
Number
LastTaken(const Key& key, const Text& text, Number inside, Number outside)
{
    if (Takes(key, text(outside)))
    {
        return outside;
    }
    while (std::max(inside, outside) - std::min(inside, outside) > 1)
    {
        const auto middle = std::min(inside, outside) / 2 + std::max(inside, outside) / 2 +
                            (inside % 2 + outside % 2) / 2;
        (Takes(key, text(middle)) ? inside : outside) = middle;
    }
    return inside;
}

/** A number that is taken; some are tried. */
std::optional<Number>
AnyTaken(const Key& key, const Text& text)
{
    for (unsigned bits = 0; bits < std::numeric_limits<Number>::digits; ++bits)
    {
        if (Takes(key, text(Number{1} << bits)))
        {
            return Number{1} << bits;
        }
    }
    return std::nullopt;
}

void
AddEnds(const Key& key, const Text& text, std::vector<std::string>& texts)
{
    constexpr auto largest = std::numeric_limits<Number>::max();
    if (const auto taken = AnyTaken(key, text))
    {
        const auto least = LastTaken(key, text, *taken, 0);
        const auto most = LastTaken(key, text, *taken, largest);
        texts.insert(texts.end(), {text(least), text(most)});
        texts.insert(texts.end(), {text(least - 1), text(most + 1)}); // 0 - 1 is beyond, too
    }
}

/** Numbers above 0, in their order: the bits of doubles. */
std::string
TextOfBits(Number bits)
{
    double value = 0;
    static_assert(sizeof(value) == sizeof(bits));
    std::copy_n(
        reinterpret_cast<const char*>(&bits), sizeof(bits), reinterpret_cast<char*>(&value));
    return std::isfinite(value) ? DecimalText(value) : "inf";
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
    std::vector<std::string> texts;
    for (const auto& [before, behind] : forms)
    {
        const auto text = [before = before, behind = behind](Number number) {
            return before + std::to_string(number) + behind;
        };
        AddEnds(key, text, texts);
    }
    const bool isDecimal = key.type == ValueType::DECIMAL || key.type == ValueType::NUMBER_OR_NAME;
    if (isDecimal && Takes(key, "0.5"))
    {
        constexpr Number half = 0x3FE0000000000000;
        for (const Number outside : {Number{0}, std::numeric_limits<Number>::max() / 2})
        {
            const auto last = LastTaken(key, TextOfBits, half, outside);
            texts.push_back(TextOfBits(last));
            texts.push_back(TextOfBits(outside < half ? last - 1 : last + 1));
        }
    }
    return texts;
}

} // namespace inca
