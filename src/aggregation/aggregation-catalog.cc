/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/aggregation-catalog.h"

#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"

#include "base/errors.h"
#include "base/nearest.h"

#include "ns3/object.h"

#include <string>
#include <vector>

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
    std::vector<std::string> known;
    for (const auto& entry : AggregationCatalog())
    {
        if (entry.name == name)
        {
            return entry;
        }
        known.emplace_back(entry.name);
    }
    throw InputError("aggregation program: " + UnknownName(name, known));
}

} // namespace inca
