/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/explanation-table.h"

#include "base/units.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace inca
{

namespace
{

std::string
Human(double ps)
{
    return HumanPicoseconds(std::llround(ps));
}

/** A value with the prefix that its size asks for: "25 Gbit/s", "1.5 us". */
std::string
ValueText(const KeyEffect& effect, double value)
{
    if (effect.unit == "s")
    {
        constexpr double psOfSecond = 1e12;
        return Human(value * psOfSecond);
    }
    constexpr double thousand = 1000;
    const char* const prefixes[] = {"", "k", "M", "G", "T"};
    std::size_t prefix = 0;
    for (; !effect.unit.empty() && value >= thousand && prefix < 4; ++prefix)
    {
        value /= thousand;
    }
    return fmt::format(
        "{:.5g}{}{}{}", value, effect.unit.empty() ? "" : " ", prefixes[prefix], effect.unit);
}

bool
IsOfOneLayer(const KeyEffect& effect)
{
    return !effect.isSetting && effect.unit == "s";
}

std::string
HoldsText(const KeyEffect& effect)
{
    if (!effect.holdsUntil)
    {
        return "-";
    }
    return *effect.holdsUntil == effect.value ? "not to 0.1 %"
                                              : "to " + ValueText(effect, *effect.holdsUntil);
}

} // namespace

std::string
FormatExplanation(const RunRecord& record, std::size_t most)
{
    const auto& results = record.results;
    const double iterations = results.measuredIterations;
    std::int64_t totalPs = 0;
    for (const auto& row : record.path)
    {
        totalPs += row.ps;
    }
    const bool isOfFlows = record.Setting("simulation_mode") == "flow";
    auto text =
        fmt::format("iteration time {}, limited by {}{}\n\nwhere the time goes, along the chain of "
                    "{} that ends last{}\n",
                    HumanPicoseconds(results.iterationTimePs),
                    results.limitedBy,
                    isOfFlows ? "; an approximation, in which messages are flows" : "",
                    isOfFlows ? "flows" : "events",
                    results.measuredIterations == 1 ? "" : ", in the mean of the iterations");
    TextTable path({"what", "where", "time", "share", "pieces"}, 2);
    const auto add =
        [&](const std::string& kind, const std::string& place, double ps, std::uint64_t pieces) {
            path.AddRow({kind,
                         place,
                         Human(ps / iterations),
                         fmt::format("{:.1f} %", 100 * ps / static_cast<double>(totalPs)),
                         std::to_string(pieces)});
        };
    double restPs = 0;
    std::uint64_t restPieces = 0;
    for (std::size_t i = 0; i < record.path.size(); ++i)
    {
        const auto& row = record.path[i];
        const auto ps = static_cast<double>(row.ps);
        if (i < most)
        {
            add(row.kind, row.place, ps, row.pieces);
            continue;
        }
        restPs += ps;
        restPieces += row.pieces;
    }
    if (restPs > 0)
    {
        add("all else", "", restPs, restPieces);
    }
    text += path.Text() + "\nwhat would help\n";
    TextTable keys({"key", "value", "decides", "10 % better saves", "simulated", "holds"}, 1);
    constexpr std::size_t mostLayers = 3;
    std::size_t layers = 0;
    for (const auto& effect : record.effects)
    {
        const bool isLayer = IsOfOneLayer(effect);
        layers += isLayer ? 1 : 0;
        if (isLayer && layers > mostLayers)
        {
            continue;
        }
        const auto ps = static_cast<double>(effect.ps);
        keys.AddRow({effect.key,
                     effect.isSetting || effect.unit == "s" ? ValueText(effect, effect.value) : "-",
                     Human(ps / iterations),
                     effect.isLinear ? Human(effect.SavesPs(BETTER) / iterations) : "-",
                     effect.savedPs ? Human(std::max(0.0, *effect.savedPs)) : "-",
                     HoldsText(effect)});
    }
    return text + keys.Text();
}

std::string
FormatHelp(const RunRecord& record, std::size_t most)
{
    std::string text;
    const double iterations = record.results.measuredIterations;
    for (const auto& effect : record.effects)
    {
        if (IsOfOneLayer(effect) || !effect.isLinear)
        {
            continue;
        }
        if (most-- == 0)
        {
            break;
        }
        text += fmt::format("  {:<42}saves up to {}\n",
                            fmt::format("10 % {} {}", effect.isRate ? "more" : "less", effect.key),
                            Human(effect.SavesPs(BETTER) / iterations));
    }
    return text;
}

} // namespace inca
