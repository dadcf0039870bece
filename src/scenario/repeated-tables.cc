/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/repeated-tables.h"

#include "base/nearest.h"
#include "base/value-form.h"
#include "scenario/key-row.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::uint64_t g_largestIndex = 65'535;
constexpr std::uint64_t g_largestSize = 1ULL << 40U;

/** @return the table that @p id names, made if it is not there */
template <class T>
T&
PlaceOf(std::vector<T>& all, const Field<T>& id, std::string_view text)
{
    T made;
    id.set(made, text);
    const auto at = std::lower_bound(
        all.begin(), all.end(), made, [](const T& a, const T& b) { return a.Id() < b.Id(); });
    if (at != all.end() && at->Id() == made.Id())
    {
        return *at;
    }
    return *all.insert(at, made);
}

template <class T>
RepeatedKey
RepeatedKeyOf(const KeyRow<T>& row)
{
    return {row.words.name, row.words.meaning, row.field.type, row.field.values};
}

/** @param id the row of the key by which T::Id tells tables apart */
template <class T>
RepeatedTable
MakeTable(RepeatedTable table,
          std::vector<T>& (*all)(Scenario&),
          const KeyRow<T>& id,
          const std::vector<KeyRow<T>>& rows)
{
    table.id = RepeatedKeyOf(id);
    for (const auto& row : rows)
    {
        table.keys.push_back(RepeatedKeyOf(row));
    }
    const auto constAll = [all](const Scenario& s) -> const std::vector<T>& {
        return all(const_cast<Scenario&>(s)); // NOLINT: it is only read
    };
    const auto rowOf = [rows](std::string_view key) {
        return *std::find_if(
            rows.begin(), rows.end(), [key](const auto& r) { return r.words.name == key; });
    };
    table.add = [=](Scenario& s, std::string_view text) {
        return id.field.text(PlaceOf(all(s), id.field, text));
    };
    table.set =
        [=](Scenario& s, std::string_view name, std::string_view key, std::string_view text) {
            rowOf(key).field.set(PlaceOf(all(s), id.field, name), text);
        };
    table.ids = [=](const Scenario& s) {
        std::vector<std::string> texts;
        for (const auto& one : constAll(s))
        {
            texts.push_back(id.field.text(one));
        }
        return texts;
    };
    table.text = [=](const Scenario& s, std::size_t place, std::string_view key) {
        return rowOf(key).field.text(constAll(s).at(place));
    };
    table.settings = [=, name = table.name](const Scenario& s) {
        std::vector<ResolvedSetting> settings;
        for (const auto& one : constAll(s))
        {
            for (const auto& row : rows)
            {
                if (auto text = row.field.text(one); text != row.field.text(T{}))
                {
                    settings.push_back({name,
                                        id.field.text(one) + "." + row.words.name,
                                        std::move(text),
                                        row.field.type == ValueType::TEXT});
                }
            }
        }
        return settings;
    };
    return table;
}

RepeatedTable
WorkerTable()
{
    using T = WorkerOverride;
    return MakeTable<T>(
        {"cluster.worker", "worker_overrides", {}, "2.bandwidth=10Gbps;..."},
        [](Scenario& s) -> std::vector<T>& { return s.cluster.overrides; },
        {{"index", "whose keys follow"}, {&T::index, WholeForm({0, g_largestIndex})}},
        {{{"bandwidth", "of each of this worker's links"},
          {&T::bitsPerSecond, QuantityForm(g_bitRate, LINK_RATES)}},
         {{"compute_scale", "times the trace's compute times"},
          {&T::computeScale, DecimalForm({1e-6, 1e6})}}});
}

RepeatedTable
ProtocolTable()
{
    using T = ProtocolSettings;
    return MakeTable<T>({"host.protocol", "host_protocols", {}, "64KiB.message_cost=3us;..."},
                        [](Scenario& s) -> std::vector<T>& { return s.host.protocols; },
                        {{"up_to",
                          "the largest exchange that it is of, coded where hosts code; the last "
                          "table's is of all beyond, too"},
                         {&T::upToBytes, QuantityForm(g_byteCount, {1, g_largestSize})}},
                        {{{"start_cost", "of an exchange, before it begins on a worker"},
                          {&T::startPs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})}},
                         {{"message_cost", "of a message to its sender, beside host.message_cost"},
                          {&T::messagePs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})}},
                         {{"message_rate", "at which a sender works on a message before it leaves"},
                          {&T::bytesPerSecond, RateForm(g_byteRate, "none")}}});
}

} // namespace

const RepeatedKey*
RepeatedTable::Find(std::string_view key) const
{
    const auto found =
        std::find_if(keys.begin(), keys.end(), [key](const auto& k) { return k.name == key; });
    return found == keys.end() ? nullptr : &*found;
}

void
RepeatedTable::Set(Scenario& scenario, std::string_view path, std::string_view value) const
{
    const auto point = path.rfind('.');
    const auto key = path.substr(point + 1); // npos + 1 is 0
    const auto isN = id.name + " is the N of " + name + ".N." + keys.front().name;
    if (point == std::string_view::npos || key == id.name)
    {
        throw UnitError(isN);
    }
    if (Find(key) == nullptr)
    {
        std::vector<std::string> names;
        for (const auto& known : keys)
        {
            names.push_back(known.name);
        }
        throw UnitError(UnknownName(key, names));
    }
    try
    {
        add(scenario, path.substr(0, point));
    }
    catch (const UnitError& error)
    {
        throw UnitError(isN + ": " + error.what());
    }
    set(scenario, path.substr(0, point), key, value);
}

const std::vector<RepeatedTable>&
RepeatedTables()
{
    static const std::vector<RepeatedTable> tables{WorkerTable(), ProtocolTable()};
    return tables;
}

const RepeatedTable*
FindRepeatedTable(std::string_view name)
{
    for (const auto& table : RepeatedTables())
    {
        const auto isPath = name.size() > table.name.size() && name[table.name.size()] == '.';
        if (name.substr(0, table.name.size()) == table.name && (isPath || name == table.name))
        {
            return &table;
        }
    }
    return nullptr;
}

} // namespace inca
