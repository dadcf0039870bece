/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/cluster-preset.h"

#include "base/value-form.h"
#include "scenario/keys.h"
#include "scenario/repeated-tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

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

/** One [[calibration.interval]]: the constants of a protocol, each as its ends. */
void
TakeInterval(const std::vector<TomlEntry>& table,
             const InputPlace& place,
             Scenario& low,
             Scenario& high,
             const Complain& complain)
{
    const auto id = std::find_if(table.begin(), table.end(), [](const TomlEntry& entry) {
        return LeafOf(entry.name) == Protocols().id.name && entry.kind == TomlKind::TEXT;
    });
    if (id == table.end())
    {
        complain(place, "every [[calibration.interval]] needs up_to, a text in quotes");
        return;
    }
    Protocols().add(low, id->text);
    Protocols().add(high, id->text);
    for (const auto& entry : table)
    {
        if (&entry == &*id || !HasTexts(entry, 2, complain))
        {
            continue;
        }
        const auto path = id->text + "." + LeafOf(entry.name);
        try
        {
            Protocols().Set(low, path, entry.texts.front().text);
            Protocols().Set(high, path, entry.texts.back().text);
        }
        catch (const UnitError& error)
        {
            complain(entry.valuePlace, error.what());
        }
    }
}

void
TakeIntervals(const TomlEntry& entry, CalibratedRange& range, const Complain& complain)
{
    Scenario low;
    Scenario high;
    for (const auto& table : entry.tables)
    {
        const auto place = table.empty() ? entry.valuePlace : table.front().keyPlace;
        try
        {
            TakeInterval(table, place, low, high, complain);
        }
        catch (const UnitError& error)
        {
            complain(place, error.what());
        }
    }
    range.low = low.host.protocols;
    range.high = high.host.protocols;
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
        else if (leaf == "fit_error")
        {
            range.fitError = DecimalForm({0, 1e6}).parse(entry.text);
        }
        else if (leaf == "left_out_error")
        {
            range.leftOutError = DecimalForm({0, 1e6}).parse(entry.text);
        }
        else if (leaf == "beyond_error")
        {
            range.beyondError = DecimalForm({0, 1e6}).parse(entry.text);
        }
        else if (leaf == "interval")
        {
            TakeIntervals(entry, range, complain);
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
    const auto size = [](std::uint64_t bytes) { return QuoteToml(g_byteCount.Format(bytes)); };
    std::string ranks;
    for (const auto count : range.ranks)
    {
        ranks += (ranks.empty() ? "" : ", ") + QuoteToml(std::to_string(count));
    }
    auto text = fmt::format("[{}]\nbytes = [{}, {}]\nranks = [{}]\nfit_error = {:.4f}\nleft_out_error = {:.4f}\n"
                            "beyond_error = {:.4f}\n",
                            CALIBRATION_TABLE,
                            size(range.leastBytes),
                            size(range.mostBytes),
                            ranks,
                            range.fitError,
                            range.leftOutError,
                            range.beyondError);
    for (std::size_t i = 0; i < range.low.size(); ++i)
    {
        Scenario low;
        Scenario high;
        low.host.protocols = {range.low[i]};
        high.host.protocols = {range.high[i]};
        text += fmt::format("\n[[{}.interval]]\nup_to = {}\n",
                            CALIBRATION_TABLE,
                            size(range.low[i].upToBytes));
        for (const auto& key : Protocols().keys)
        {
            text += fmt::format("{} = [{}, {}]\n",
                                key.name,
                                QuoteToml(Protocols().text(low, 0, key.name)),
                                QuoteToml(Protocols().text(high, 0, key.name)));
        }
    }
    return text;
}

} // namespace inca
