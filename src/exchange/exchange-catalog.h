/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_CATALOG_H
#define INCA_EXCHANGE_EXCHANGE_CATALOG_H

#include "inca/base/catalog.h"
#include "inca/exchange/aggregation-scheme.h"
#include "inca/exchange/exchange-entry.h"

#include <cstdint>
#include <memory>

namespace inca
{

/** INCA's own exchanges, and those that a program registers. */
Catalog<ExchangeEntry>& ExchangeCatalog();

/** The same of how switches add. */
Catalog<AggregationSchemeEntry>& AggregationSchemeCatalog();

/** The size of an exchange's groups where none is given: UsualGroupSize, or all workers where each sends to each. */
Rank UsualGroupSizeOf(const std::string& algorithm, Rank workers);

/** @return whether weights come back in the exchange of @p spec, as they were updated on the way */
bool ReturnsWeights(const ExchangeSpec& spec);

/** "key: text" for each problem (ExchangeEntry::complaints), in groups, too (exchange/staged-plan.h). */
std::vector<std::string> ComplaintsOf(const ExchangeSpec& spec);

/** Which of its ranks do the same (ExchangeEntry::symmetry), in groups, too; of period 0 if nothing is known. */
ShiftSymmetry SymmetryOf(const ExchangeSpec& spec, bool alternates);

/**
 * @return @p elements, and as many more as make equal blocks (ExchangeEntry::blocks)
 * @throws InputError if the exchange is unknown or complains
 */
std::uint64_t PaddedElements(const ExchangeSpec& spec, std::uint64_t elements);

/** @throws InputError if the exchange is unknown or complains */
std::shared_ptr<const StepPlan> MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_CATALOG_H
