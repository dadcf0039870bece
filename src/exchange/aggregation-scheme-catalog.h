/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_AGGREGATION_SCHEME_CATALOG_H
#define INCA_EXCHANGE_AGGREGATION_SCHEME_CATALOG_H

#include "exchange/aggregation-scheme.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Adds an aggregation scheme, before anything looks for one.
 * @throws InputError if the name is taken or is none, or one was looked for already
 */
void RegisterAggregationScheme(AggregationSchemeEntry entry);

const std::vector<AggregationSchemeEntry>& AggregationSchemeCatalog();

/** @throws InputError if the name is unknown */
const AggregationSchemeEntry& FindAggregationScheme(const std::string& name);

} // namespace inca

#endif // INCA_EXCHANGE_AGGREGATION_SCHEME_CATALOG_H
