/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/worker-settings.h"

#include "base/nearest.h"
#include "base/units.h"
#include "base/value-text.h"
#include "scenario/key-row.h"

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
    return static_cast<std::uint32_t>(ParseInteger(text, 0, g_largestIndex));
}

/** @return the override of that worker, made in its place if there is none */
WorkerOverride&
OverrideOf(Scenario& scenario, std::uint32_t index)
{
    auto& all = scenario.cluster.overrides;
    const auto at = std::lower_bound(
        all.begin(), all.end(), index, [](const WorkerOverride& worker, std::uint32_t i) {
            return worker.index < i;
        });
    if (at != all.end() && at->index == index)
    {
        return *at;
    }
    WorkerOverride made;
    made.index = index;
    return *all.insert(at, made);
}

} // namespace

const std::vector<WorkerKey>&
WorkerKeys()
{
    static const auto bandwidth = QuantityForm(g_bitRate, LINK_RATES);
    static const auto scale = DecimalForm({1e-6, 1e6});
    static const std::vector<WorkerKey> keys{
        {"bandwidth",
         "of this worker's link",
         bandwidth.type,
         "such as \"1Gbps\"",
         [](WorkerOverride& worker, std::string_view text) {
             worker.bitsPerSecond = bandwidth.parse(text);
         },
         [](const WorkerOverride& worker) {
             return worker.bitsPerSecond ? bandwidth.text(*worker.bitsPerSecond) : std::string();
         }},
        {"compute_scale",
         "times the trace's compute times",
         scale.type,
         scale.values,
         [](WorkerOverride& worker, std::string_view text) {
             worker.computeScale = scale.parse(text);
         },
         [](const WorkerOverride& worker) {
             return worker.computeScale == 1 ? std::string() : scale.text(worker.computeScale);
         }}};
    return keys;
}

std::vector<std::string>
WorkerKeyNames()
{
    std::vector<std::string> names{"index"};
    for (const auto& key : WorkerKeys())
    {
        names.emplace_back(key.name);
    }
    return names;
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
    for (const auto& key : WorkerKeys())
    {
        if (leaf == key.name)
        {
            key.set(OverrideOf(scenario, index), text);
            return;
        }
    }
    throw UnitError(UnknownName(leaf, WorkerKeyNames()));
}

std::vector<WorkerSetting>
WorkerSettings(const Scenario& scenario)
{
    std::vector<WorkerSetting> settings;
    for (const auto& worker : scenario.cluster.overrides)
    {
        for (const auto& key : WorkerKeys())
        {
            auto text = key.text(worker);
            if (!text.empty())
            {
                settings.push_back({std::to_string(worker.index) + "." + key.name,
                                    std::move(text),
                                    key.type == ValueType::TEXT});
            }
        }
    }
    return settings;
}

} // namespace inca
