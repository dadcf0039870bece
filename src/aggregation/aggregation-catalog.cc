/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/aggregation-catalog.h"

#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"

#include "base/catalog.h"

#include "ns3/object.h"

#include <utility>

namespace inca
{

namespace
{

std::vector<AggregationEntry>
OwnEntries()
{
    return {
        {"slots",
         "a pool of slots in every switch, each for one packet of all workers (SwitchML)",
         []() -> ns3::Ptr<AggregationProgram> { return ns3::CreateObject<SlotProgram>(); },
         []() -> ns3::Ptr<AggregationClient> { return ns3::CreateObject<SlotClient>(); }},
    };
}

/** Changes as long as nobody has looked: see base/catalog.h. */
Catalog<AggregationEntry>&
Aggregations()
{
    static Catalog<AggregationEntry> aggregations("aggregation program", OwnEntries());
    return aggregations;
}

} // namespace

void
RegisterAggregation(AggregationEntry entry)
{
    Aggregations().Register(std::move(entry));
}

const std::vector<AggregationEntry>&
AggregationCatalog()
{
    return Aggregations().Rows();
}

const AggregationEntry&
FindAggregation(const std::string& name)
{
    return Aggregations().Find(name);
}

} // namespace inca
