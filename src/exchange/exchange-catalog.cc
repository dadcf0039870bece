/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-catalog.h"

#include "base/errors.h"
#include "exchange/collectives.h"
#include "exchange/exchanges.h"
#include "exchange/slot-scheme.h"
#include "exchange/staged-plan.h"

#include <utility>

namespace inca
{

namespace
{

GroupEntries
EntriesOf(const ExchangeSpec& spec)
{
    auto& catalog = ExchangeCatalog();
    return {catalog.Find(spec.algorithm), catalog.Find(spec.replicaAlgorithm)};
}

/** Whether the row of its algorithm makes its plan. */
bool
SumsUp(const ExchangeSpec& spec)
{
    return spec.collective == Meaning::SUM;
}

/** @throws InputError if the exchange is unknown or complains */
const ExchangeEntry&
FindValid(const ExchangeSpec& spec)
{
    const auto& entry = ExchangeCatalog().Find(spec.algorithm);
    auto complaints = ComplaintsOf(spec);
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
    return entry;
}

} // namespace

Catalog<ExchangeEntry>&
ExchangeCatalog()
{
    static Catalog<ExchangeEntry> exchanges("exchange.algorithm",
                                            {WorkerAggregatorExchange(),
                                             RingExchange(),
                                             TreeExchange(),
                                             HalvingDoublingExchange(),
                                             RecursiveDoublingExchange(),
                                             TwoShotExchange(),
                                             HierarchicalAggregatorExchange(),
                                             HierarchicalRingExchange(),
                                             ParameterServerExchange(),
                                             ShardedParameterServerExchange(),
                                             SwitchSlotsExchange(),
                                             SwitchTreeExchange()});
    return exchanges;
}

Catalog<AggregationSchemeEntry>&
AggregationSchemeCatalog()
{
    static Catalog<AggregationSchemeEntry> schemes(
        "aggregation scheme",
        {{"slots", SlotSchemeSettings(), [](const SchemeSpec& s) { return MakeSlotScheme(s); }}});
    return schemes;
}

Rank
UsualGroupSizeOf(const std::string& algorithm, Rank workers)
{
    return ExchangeCatalog().Find(algorithm).allToAll ? workers : UsualGroupSize(workers);
}

bool
ReturnsWeights(const ExchangeSpec& spec)
{
    return spec.sharded || ExchangeCatalog().Find(spec.algorithm).returnsWeights;
}

std::uint64_t
PaddedElements(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto& entry = FindValid(spec);
    const auto blocks = !SumsUp(spec)         ? BlocksOfCollective(spec)
                        : spec.IsInNodes()    ? BlocksInNodes(EntriesOf(spec), spec)
                        : spec.shardGroup > 0 ? BlocksInGroups(EntriesOf(spec), spec)
                        : entry.blocks        ? entry.blocks(spec)
                                              : 1;
    return (elements + blocks - 1) / blocks * blocks;
}

std::shared_ptr<const StepPlan>
MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto& entry = FindValid(spec);
    if (!SumsUp(spec))
    {
        return MakeCollectivePlan(spec, elements);
    }
    std::shared_ptr<const StepPlan> plan =
        spec.IsInNodes()      ? MakePlanInNodes(EntriesOf(spec), spec, elements)
        : spec.shardGroup > 0 ? MakePlanInGroups(EntriesOf(spec), spec, elements)
                              : entry.make(spec, elements);
    if (plan->Means() != MeaningOf(spec.phase))
    {
        throw InvariantError("a plan of '" + spec.algorithm +
                             "' means another thing than its spec asks for");
    }
    return plan;
}

std::vector<std::string>
ComplaintsOf(const ExchangeSpec& spec)
{
    const auto& entry = ExchangeCatalog().Find(spec.algorithm);
    return !SumsUp(spec)         ? CollectiveComplaints(spec)
           : spec.IsInNodes()    ? ComplaintsInNodes(EntriesOf(spec), spec)
           : spec.shardGroup > 0 ? ComplaintsInGroups(EntriesOf(spec), spec)
                                 : entry.complaints(spec);
}

ShiftSymmetry
SymmetryOf(const ExchangeSpec& spec, bool alternates)
{
    const auto& entry = ExchangeCatalog().Find(spec.algorithm);
    return !SumsUp(spec)         ? CollectiveSymmetry(spec)
           : spec.IsInNodes()    ? SymmetryInNodes(EntriesOf(spec), spec, alternates)
           : spec.shardGroup > 0 ? SymmetryInGroups(EntriesOf(spec), spec, alternates)
           : entry.symmetry      ? entry.symmetry(spec, alternates)
                                 : ShiftSymmetry{};
}

std::vector<std::string>
WorkerComplaints(const ExchangeSpec& spec)
{
    constexpr Rank fewest{2};
    if (spec.workers >= fewest && spec.workers <= MOST_RANKS)
    {
        return {};
    }
    return {"cluster.workers: must be " + std::to_string(fewest) + ".." +
            std::to_string(MOST_RANKS) + ", got " + std::to_string(spec.workers)};
}

} // namespace inca
