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

std::vector<AggregationSchemeEntry>
OwnEntries()
{
    return {
        {"slots",
         SlotSchemeSettings(),
         [](const SchemeSpec& spec) -> std::unique_ptr<AggregationScheme> {
             return std::make_unique<SlotScheme>(spec);
         }},
    };
}

/** Changes as long as nobody has looked: see base/catalog.h. */
Catalog<AggregationSchemeEntry>&
Schemes()
{
    static Catalog<AggregationSchemeEntry> schemes("aggregation scheme", OwnEntries());
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
