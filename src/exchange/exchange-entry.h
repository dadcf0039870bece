/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_ENTRY_H
#define INCA_EXCHANGE_EXCHANGE_ENTRY_H

#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/shift-symmetry.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** One row per exchange. Its functions are called with specs that have no complaints. */
struct ExchangeEntry
{
    std::string name;
    std::string meaning;
    std::function<std::unique_ptr<StepPlan>(const ExchangeSpec&, std::uint64_t elements)> make;
    /** @return "key: text" for each problem; {} = can run. Called with any spec. */
    std::function<std::vector<std::string>(const ExchangeSpec&)> complaints{WorkerComplaints};
    /** @return how many ranks there are beyond the workers */
    std::function<Rank(const ExchangeSpec&)> otherRanks{[](const ExchangeSpec&) { return 0U; }};
    /** Ranks beyond the workers are aggregators, which update weights; else workers update them. */
    bool returnsWeights{false};
    /** The aggregation program that its switches run (aggregation/aggregation-catalog.h); empty: none. */
    std::string aggregation{};
    bool inGroups{false}; ///< workers are cut into groups of exchange.group_size
    /**
     * Each worker sends to all of its group at once, itself included, and so hosts must send and receive at once. Where no
     * size is given, all workers are one group.
     */
    bool allToAll{false};
    bool onServers{false};   ///< cluster.servers says how many add
    bool inOneSwitch{false}; ///< the network must not have more than one switch
    /** Each worker sums a part, so that it can keep the optimizer's state of that part alone. */
    bool shards{false};
    /**
     * Which of its ranks do the same where blocks are equal; null: nothing is known. With @p alternates hosts obey
     * Step::receiveFirst. Ranks that do the same may be simulated by one of them.
     */
    std::function<ShiftSymmetry(const ExchangeSpec&, bool alternates)> symmetry{};
    /**
     * Into how many equal blocks it cuts a bucket, which is padded with zeros to a multiple of them; null: into none.
     * Zeros travel and are added as all values are.
     */
    std::function<std::uint64_t(const ExchangeSpec&)> blocks{};
    bool isExtension{false}; ///< registered, no exchange of INCA's own
};

/** @return whether the switches add: its plans have steps with a reduction */
inline bool
ReducesInNetwork(const ExchangeEntry& entry)
{
    return !entry.aggregation.empty();
}

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_ENTRY_H
