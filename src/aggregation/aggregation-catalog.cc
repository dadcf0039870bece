/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/aggregation-catalog.h"

#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"

#include "ns3/object.h"

namespace inca
{

Catalog<AggregationEntry>&
AggregationCatalog()
{
    static Catalog<AggregationEntry> aggregations(
        "aggregation program",
        {{"slots",
          "a pool of slots in every switch, each for one packet of all workers (SwitchML)",
          [] { return ns3::CreateObject<SlotProgram>(); },
          [] { return ns3::CreateObject<SlotClient>(); }}});
    return aggregations;
}

} // namespace inca
