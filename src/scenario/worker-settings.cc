/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/worker-settings.h"

#include "base/nearest.h"
#include "base/value-form.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::uint64_t g_largestIndex = 65'535;

/** @throws UnitError */
std::uint32_t
IndexOf(std::string_view text)
{
    return static_cast<std::uint32_t>(WholeForm({0, g_largestIndex}).parse(text));
}

/** @return the override of that worker, made in its place if there is none */
WorkerOverride&
OverrideOf(Scenario& scenario, std::uint32_t index)
{
    auto& all = scenario.cluster.overrides;
    const auto at = std::lower_bound(
        all.begin(), all.end(), index, [](const auto& o, std::uint32_t i) { return o.index < i; });
    if (at != all.end() && at->index == index)
    {
        return *at;
    }
    WorkerOverride made;
    made.index = index;
    return *all.insert(at, made);
}

} // namespace

const std::vector<KeyRow<WorkerOverride>>&
WorkerKeys()
{
    using T = WorkerOverride;
    static const std::vector<KeyRow<T>> keys{
        {{"bandwidth", "of this worker's link"},
         {&T::bitsPerSecond, QuantityForm(g_bitRate, LINK_RATES)}},
        {{"compute_scale", "times the trace's compute times"},
         {&T::computeScale, DecimalForm({1e-6, 1e6})}}};
    return keys;
}

const KeyRow<WorkerOverride>*
FindWorkerKey(std::string_view name)
{
    const auto& keys = WorkerKeys();
    const auto found = std::find_if(
        keys.begin(), keys.end(), [name](const auto& key) { return key.words.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

void
NameWorker(Scenario& scenario, std::string_view index)
{
    OverrideOf(scenario, IndexOf(index));
}

void
SetWorker(Scenario& scenario, std::string_view name, std::string_view text)
{
    const auto point = std::min(name.find('.'), name.size());
    const auto leaf = name.substr(std::min(point + 1, name.size()));
    const auto index = IndexOf(name.substr(0, point));
    const auto* key = FindWorkerKey(leaf);
    if (key == nullptr)
    {
        std::vector<std::string> names{"index"};
        for (const auto& known : WorkerKeys())
        {
            names.push_back(known.words.name);
        }
        throw UnitError(UnknownName(leaf, names));
    }
    key->field.set(OverrideOf(scenario, index), text);
}

std::vector<ResolvedSetting>
WorkerSettings(const Scenario& scenario)
{
    std::vector<ResolvedSetting> settings;
    for (const auto& worker : scenario.cluster.overrides)
    {
        for (const auto& [words, field, conditions, attributes] : WorkerKeys())
        {
            if (auto text = field.text(worker); text != field.text(WorkerOverride{}))
            {
                settings.push_back({"cluster.worker",
                                    std::to_string(worker.index) + "." + words.name,
                                    std::move(text),
                                    field.type == ValueType::TEXT});
            }
        }
    }
    return settings;
}

} // namespace inca
