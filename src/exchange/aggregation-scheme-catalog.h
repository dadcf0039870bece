/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_AGGREGATION_SCHEME_CATALOG_H
#define INCA_EXCHANGE_AGGREGATION_SCHEME_CATALOG_H

#include "base/setting.h"
#include "exchange/aggregation-scheme.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * The pure half of an aggregation program's row: its keys, and what they mean. The other half, of the
 * same name, makes programs and clients (aggregation/aggregation-catalog.h).
 */
struct AggregationSchemeEntry
{
    std::string name;
    /** Keys of the scenario that it reads, in the order of their columns; rows may share keys. */
    std::vector<Setting> settings;
    std::function<std::unique_ptr<AggregationScheme>(const SchemeSpec&)> make;
};

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
