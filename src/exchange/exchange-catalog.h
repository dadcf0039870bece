/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_CATALOG_H
#define INCA_EXCHANGE_EXCHANGE_CATALOG_H

#include "exchange/aggregation-scheme.h"
#include "exchange/exchange-entry.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * Adds an exchange, before anything looks for an exchange.
 * @throws InputError if the name is taken or is none, or an exchange was looked for already
 */
void RegisterExchange(ExchangeEntry entry);

const std::vector<ExchangeEntry>& ExchangeCatalog();

/** @return whether weights come back in the exchange of @p spec, as they were updated on the way */
bool ReturnsWeights(const ExchangeSpec& spec);

std::vector<std::string> ExchangeNames();

/** @throws InputError if the name is unknown */
const ExchangeEntry& FindExchange(const std::string& name);

/**
 * @return @p elements, and as many more as make equal blocks (ExchangeEntry::blocks)
 * @throws InputError if the exchange is unknown or complains
 */
std::uint64_t PaddedElements(const ExchangeSpec& spec, std::uint64_t elements);

/** @throws InputError if the exchange is unknown or complains */
std::unique_ptr<StepPlan> MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements);

/**
 * Adds an aggregation scheme, before anything looks for one.
 * @throws InputError if the name is taken or is none, or one was looked for already
 */
void RegisterAggregationScheme(AggregationSchemeEntry entry);

const std::vector<AggregationSchemeEntry>& AggregationSchemeCatalog();

/** @throws InputError if the name is unknown */
const AggregationSchemeEntry& FindAggregationScheme(const std::string& name);

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_CATALOG_H
