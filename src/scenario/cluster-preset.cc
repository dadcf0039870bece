/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/cluster-preset.h"

#include "base/value-form.h"
#include "scenario/keys.h"
#include "scenario/repeated-tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <vector>

namespace inca
{

namespace
{

using Complain = std::function<void(const InputPlace&, const std::string&)>;

const RepeatedTable&
Protocols()
{
    return *FindRepeatedTable("host.protocol");
}

/** @return whether the entry is a list of so many texts, or else complains */
bool
HasTexts(const TomlEntry& entry, std::size_t count, const Complain& complain)
{
    const bool has = entry.kind == TomlKind::TEXTS && (count == 0 || entry.texts.size() == count);
    if (!has)
    {
        complain(entry.valuePlace,
                 count == 0 ? "needs a list of texts"
                            : fmt::format("needs a list of {} texts", count));
    }
    return has;
}

/** One [[calibration.explanation]]: each constant as a list, of the protocols from small sizes to large ones. */
Explanation
ExplanationOf(const std::vector<TomlEntry>& table,
              const InputPlace& place,
              const Complain& complain)
{
    Explanation explanation;
    const auto sizes = std::find_if(table.begin(), table.end(), [](const TomlEntry& entry) {
        return LeafOf(entry.name) == Protocols().id.name && entry.kind == TomlKind::TEXTS;
    });
    if (sizes == table.end())
    {
        complain(place, "every [[calibration.explanation]] needs up_to, a list of texts");
        return explanation;
    }
    Scenario scenario;
    for (const auto& entry : table)
    {
        const auto leaf = LeafOf(entry.name);
        try
        {
            if (leaf == "name" || leaf == "left_out")
            {
                (leaf == "name" ? explanation.name : explanation.leftOut) = entry.text;
            }
            else if (leaf == "link_speed")
            {
                explanation.linkSpeed = DecimalForm({1e-6, 1e6}).parse(entry.text);
            }
            else if (leaf == "errors" && HasTexts(entry, 0, complain))
            {
                for (const auto& text : entry.texts)
                {
                    explanation.errors.push_back(DecimalForm({0, 100}).parse(text.text));
                }
            }
            else if (leaf != "errors" && HasTexts(entry, sizes->texts.size(), complain))
            {
                for (std::size_t i = 0; i < entry.texts.size(); ++i)
                {
                    &entry == &*sizes ? (void)Protocols().add(scenario, entry.texts[i].text)
                                      : Protocols().Set(scenario,
                                                        sizes->texts[i].text + "." + leaf,
                                                        entry.texts[i].text);
                }
            }
        }
        catch (const UnitError& error)
        {
            complain(entry.valuePlace, error.what());
        }
    }
    explanation.protocols = scenario.host.protocols;
    return explanation;
}

} // namespace

void
TakeCalibration(const TomlEntry& entry, CalibratedRange& range, const Complain& complain)
{
    const auto sizes = QuantityForm(g_byteCount, {0, 1ULL << 50U});
    const auto counts = WholeForm({1, 1'000'000});
    const auto leaf = LeafOf(entry.name);
    try
    {
        if (leaf == "bytes" && HasTexts(entry, 2, complain))
        {
            range.leastBytes = sizes.parse(entry.texts.front().text);
            range.mostBytes = sizes.parse(entry.texts.back().text);
        }
        else if (leaf == "ranks" && HasTexts(entry, 0, complain))
        {
            for (const auto& text : entry.texts)
            {
                range.ranks.insert(static_cast<std::uint32_t>(counts.parse(text.text)));
            }
        }
        else if (leaf == "explanation")
        {
            for (const auto& table : entry.tables)
            {
                const auto& place = table.empty() ? entry.valuePlace : table.front().keyPlace;
                range.explanations.push_back(ExplanationOf(table, place, complain));
            }
        }
    }
    catch (const UnitError& error)
    {
        complain(entry.valuePlace, error.what());
    }
}

std::string
FormatCalibration(const CalibratedRange& range)
{
    const auto listOf = [](const auto& values, auto toText) {
        std::vector<std::string> texts;
        std::transform(values.begin(),
                       values.end(),
                       std::back_inserter(texts),
                       [&](const auto& value) { return QuoteToml(toText(value)); });
        return fmt::format("[{}]", fmt::join(texts, ", "));
    };
    const std::array<std::uint64_t, 2> sizes{range.leastBytes, range.mostBytes};
    auto text = fmt::format("[{}]\nbytes = {}\nranks = {}\n",
                            CALIBRATION_TABLE,
                            listOf(sizes, [](auto bytes) { return g_byteCount.Format(bytes); }),
                            listOf(range.ranks, [](auto count) { return std::to_string(count); }));
    for (const auto& one : range.explanations)
    {
        Scenario scenario;
        scenario.host.protocols = one.protocols;
        text += fmt::format(
            "\n[[{}.explanation]]\nname = {}\n", CALIBRATION_TABLE, QuoteToml(one.name));
        text += one.linkSpeed == 1 ? "" : fmt::format("link_speed = {:.6g}\n", one.linkSpeed);
        if (!one.leftOut.empty())
        {
            text += fmt::format(
                "left_out = {}\nerrors = {}\n",
                QuoteToml(one.leftOut),
                listOf(one.errors, [](double error) { return fmt::format("{:.5f}", error); }));
        }
        text +=
            fmt::format("{} = {}\n",
                        Protocols().id.name,
                        listOf(Protocols().ids(scenario), [](const auto& size) { return size; }));
        std::vector<std::size_t> places(one.protocols.size());
        std::iota(places.begin(), places.end(), 0);
        for (const auto& key : Protocols().keys)
        {
            text += fmt::format("{} = {}\n", key.name, listOf(places, [&](std::size_t place) {
                                    return Protocols().text(scenario, place, key.name);
                                }));
        }
    }
    return text;
}

} // namespace inca
