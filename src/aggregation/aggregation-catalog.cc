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

/** Changes until somebody looks: see base/catalog.h. */
Catalog<AggregationEntry>&
Aggregations()
{
    static Catalog<AggregationEntry> aggregations(
        "aggregation program",
        {{"slots",
          "a pool of slots in every switch, each for one packet of all workers (SwitchML)",
          [] { return ns3::CreateObject<SlotProgram>(); },
          [] { return ns3::CreateObject<SlotClient>(); }}});
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
