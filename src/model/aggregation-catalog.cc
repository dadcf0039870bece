/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/aggregation-catalog.h"

#include "model/slot-client.h"
#include "model/slot-program.h"

#include "base/errors.h"

#include "ns3/object.h"

#include <algorithm>

namespace inca
{

const std::vector<AggregationEntry>&
AggregationCatalog()
{
    static const std::vector<AggregationEntry> catalog{
        {"slots",
         "a pool of slots in every switch, each for one packet of all workers (SwitchML)",
         []() -> ns3::Ptr<AggregationProgram> { return ns3::CreateObject<SlotProgram>(); },
         []() -> ns3::Ptr<AggregationClient> { return ns3::CreateObject<SlotClient>(); }},
    };
    return catalog;
}

const AggregationEntry&
FindAggregation(const std::string& name)
{
    const auto& catalog = AggregationCatalog();
    const auto found = std::find_if(
        catalog.begin(), catalog.end(), [&name](const auto& entry) { return entry.name == name; });
    if (found != catalog.end())
    {
        return *found;
    }
    std::string known;
    for (const auto& entry : catalog)
    {
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    throw InputError("unknown aggregation program '" + name + "'; known are " + known);
}

} // namespace inca
