/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_CATALOG_H
#define INCA_EXCHANGE_EXCHANGE_CATALOG_H

#include "exchange/exchange-spec.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** What workers end an exchange with. */
enum class Returns
{
    SUMS,    ///< workers update their weights; ranks beyond them, if any, are servers
    WEIGHTS, ///< ranks beyond the workers are aggregators, which update
};

/** One row per exchange: a new exchange is a file pair and a row. */
struct ExchangeEntry
{
    const char* name;
    const char* meaning;
    Rank (*otherRanks)(const ExchangeSpec&); ///< beyond the workers; of a spec without complaints
    Returns returns;
    std::vector<std::string> (*complaints)(const ExchangeSpec&); ///< "key: text" each; {} = can run
    std::unique_ptr<StepPlan> (*make)(const ExchangeSpec&, std::uint64_t elements);
    /** The aggregation program that its switches run (aggregation/aggregation-catalog.h); empty: none. */
    std::string aggregation{};
};

const std::vector<ExchangeEntry>& ExchangeCatalog();

inline bool
ReturnsWeights(const ExchangeEntry& entry)
{
    return entry.returns == Returns::WEIGHTS;
}

/** @return whether the switches add: its plans have steps with a networkSum */
inline bool
SumsInNetwork(const ExchangeEntry& entry)
{
    return !entry.aggregation.empty();
}

std::vector<std::string> ExchangeNames();

/** @throws InputError if the name is unknown */
const ExchangeEntry& FindExchange(const std::string& name);

/** @throws InputError if the exchange is unknown or complains */
std::unique_ptr<StepPlan> MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_CATALOG_H
