/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/aggregation-scheme-catalog.h"

#include "base/catalog.h"
#include "exchange/slot-scheme.h"

#include <utility>

namespace inca
{

namespace
{

/** Changes until somebody looks: see base/catalog.h. */
Catalog<AggregationSchemeEntry>&
Schemes()
{
    static Catalog<AggregationSchemeEntry> schemes(
        "aggregation scheme",
        {{"slots", SlotSchemeSettings(), [](const SchemeSpec& s) { return MakeSlotScheme(s); }}});
    return schemes;
}

} // namespace

void
RegisterAggregationScheme(AggregationSchemeEntry entry)
{
    Schemes().Register(std::move(entry));
}

const std::vector<AggregationSchemeEntry>&
AggregationSchemeCatalog()
{
    return Schemes().Rows();
}

const AggregationSchemeEntry&
FindAggregationScheme(const std::string& name)
{
    return Schemes().Find(name);
}

} // namespace inca
