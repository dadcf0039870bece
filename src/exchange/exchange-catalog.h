/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_CATALOG_H
#define INCA_EXCHANGE_EXCHANGE_CATALOG_H

#include "exchange/critical-path.h"
#include "exchange/exchange-spec.h"
#include "exchange/shift-symmetry.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <functional>
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
    std::string name;
    std::string meaning;
    /** Beyond the workers; of a spec without complaints. */
    std::function<Rank(const ExchangeSpec&)> otherRanks;
    Returns returns;
    /** "key: text" each; {} = can run. */
    std::function<std::vector<std::string>(const ExchangeSpec&)> complaints;
    std::function<std::unique_ptr<StepPlan>(const ExchangeSpec&, std::uint64_t elements)> make;
    /** The aggregation program that its switches run (aggregation/aggregation-catalog.h); empty: none. */
    std::string aggregation{};
    bool inGroups{false};    ///< workers are cut into groups of exchange.group_size
    bool onServers{false};   ///< cluster.servers says how many add
    bool inOneSwitch{false}; ///< the network must not have more than one switch
    bool shards{
        false}; ///< each worker sums a part, so that it can keep the optimizer's state of that alone
    /**
     * Which of its ranks do the same where blocks are equal; null: nothing is known. With @p alternates hosts heed
     * Step::receiveFirst. Ranks that do the same may be simulated by one of them.
     */
    std::function<ShiftSymmetry(const ExchangeSpec&, bool alternates)> symmetry{};
    /**
     * Into how many equal blocks it cuts a bucket, which is padded with zeros to a multiple of them; null: into none.
     * Zeros travel and are added as all values are.
     */
    std::function<std::uint64_t(const ExchangeSpec&)> blocks{};
    /** What it takes at least; null: where switches add, or nothing is known. */
    std::function<CriticalPath(const ExchangeSpec&, std::uint64_t elements)> path{};
};

/**
 * Adds an exchange, before anything looks for an exchange.
 * @throws InputError if the name is taken or is none, or an exchange was looked for already
 */
void RegisterExchange(ExchangeEntry entry);

const std::vector<ExchangeEntry>& ExchangeCatalog();

inline bool
ReturnsWeights(const ExchangeEntry& entry)
{
    return entry.returns == Returns::WEIGHTS;
}

/** @return whether weights come back in the exchange of @p spec, as they were updated on the way */
bool ReturnsWeights(const ExchangeSpec& spec);

/** @return whether the switches add: its plans have steps with a reduction */
inline bool
ReducesInNetwork(const ExchangeEntry& entry)
{
    return !entry.aggregation.empty();
}

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

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_CATALOG_H
