/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"

#include "base/units.h"

#include <utility>

namespace inca
{

namespace
{

std::uint64_t
ParseTime(std::string_view text)
{
    return static_cast<std::uint64_t>(ParsePicoseconds(text));
}

std::string
FormatTime(std::uint64_t ps)
{
    return FormatPicoseconds(static_cast<std::int64_t>(ps));
}

} // namespace

const Quantity g_bitRate{ParseBitsPerSecond, FormatBitsPerSecond, 9, "10Gbps"};
const Quantity g_byteRate{ParseRate, FormatBytesPerSecond, 0, "8.4GBps"};
const Quantity g_valueRate{ParseValueRate, FormatValuesPerSecond, 0, "2.5Gvalues/s"};
const Quantity g_byteCount{ParseBytes, FormatBytes, 0, "25MiB"};
const Quantity g_nanoTime{ParseTime, FormatTime, 3, "100ns"};
const Quantity g_microTime{ParseTime, FormatTime, 6, "1us"};
const Quantity g_wholeTime{ParseTime, FormatTime, 12, "10s"};

Key
OrName(Key key,
       std::string name,
       std::function<void(Scenario&)> setNamed,
       std::function<bool(const Scenario&)> isNamed)
{
    const auto orNamed = [isNamed, name](auto given) {
        return [=](const Scenario& s) { return isNamed(s) ? name : given(s); };
    };
    key.values += ", or \"" + name + "\"";
    key.text = orNamed(key.text);
    key.columnText = orNamed(key.columnText);
    key.set = [=, given = key.set](Scenario& s, std::string_view text) {
        if (text == name)
        {
            setNamed(s);
            return;
        }
        try
        {
            given(s, text);
        }
        catch (const UnitError& error)
        {
            throw UnitError(std::string(error.what()) + "; it may also be \"" + name + "\"");
        }
    };
    return key;
}

Key
IdleWhen(std::function<std::string(const Scenario&)> reason, Key key)
{
    key.idle = std::move(reason);
    return key;
}

Key
Sets(std::vector<std::string> paths, const AttributeForm& form, Key key)
{
    key.attributes = {
        std::move(paths),
        [form, text = key.text](const Scenario& s) { return form.fromKey(text(s)); },
        [form](const Scenario& /*s*/, std::string_view text) { return form.toKey(text); }};
    return key;
}

std::vector<Key>
JoinKeys(const std::vector<std::vector<Key>>& tables)
{
    std::vector<Key> all;
    for (const auto& table : tables)
    {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

} // namespace inca
