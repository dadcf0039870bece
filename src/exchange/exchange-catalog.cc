/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-catalog.h"

#include "base/errors.h"
#include "exchange/collectives.h"
#include "exchange/exchanges.h"
#include "exchange/slot-scheme.h"
#include "exchange/staged-plan.h"

#include <functional>
#include <utility>

namespace inca
{

namespace
{

GroupEntries
EntriesOf(const ExchangeSpec& spec)
{
    auto& catalog = ExchangeCatalog();
    return {catalog.Find(spec.algorithm),
            catalog.Find(spec.replicaAlgorithm),
            catalog.Find(spec.nodeAlgorithm)};
}

/** Plans of one kind: the functions of an ExchangeEntry, of which the last two may be null. */
struct PlanKind
{
    std::function<std::shared_ptr<const StepPlan>(const ExchangeSpec&, std::uint64_t elements)>
        make;
    std::function<std::vector<std::string>(const ExchangeSpec&)> complaints;
    std::function<ShiftSymmetry(const ExchangeSpec&, bool alternates)> symmetry;
    std::function<std::uint64_t(const ExchangeSpec&)> blocks;
};

/** Of collectives that do not add, of nodes, of groups, or of all workers. */
PlanKind
KindOf(const ExchangeSpec& spec)
{
    if (spec.collective != Meaning::SUM)
    {
        return {
            MakeCollectivePlan,
            CollectiveComplaints,
            [](const ExchangeSpec& one, bool /*alternates*/) { return CollectiveSymmetry(one); },
            BlocksOfCollective};
    }
    const auto entries = EntriesOf(spec);
    const auto of = [&entries](auto function) {
        return [entries, function](const auto&... arguments) {
            return function(entries, arguments...);
        };
    };
    if (spec.IsInNodes())
    {
        return {of(MakePlanInNodes), of(ComplaintsInNodes), of(SymmetryInNodes), of(BlocksInNodes)};
    }
    if (spec.shardGroup > 0)
    {
        return {
            of(MakePlanInGroups), of(ComplaintsInGroups), of(SymmetryInGroups), of(BlocksInGroups)};
    }
    const auto& entry = entries.shards;
    return {entry.make, entry.complaints, entry.symmetry, entry.blocks};
}

/** @throws InputError if the exchange is unknown or complains */
PlanKind
ValidKind(const ExchangeSpec& spec)
{
    auto kind = KindOf(spec);
    auto complaints = kind.complaints(spec);
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
    return kind;
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
    const auto kind = ValidKind(spec);
    const auto blocks = kind.blocks ? kind.blocks(spec) : 1;
    return (elements + blocks - 1) / blocks * blocks;
}

std::shared_ptr<const StepPlan>
MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements)
{
    auto plan = ValidKind(spec).make(spec, elements);
    if (plan->Means() != spec.Means())
    {
        throw InvariantError("a plan of '" + spec.algorithm +
                             "' means another thing than its spec asks for");
    }
    return plan;
}

std::vector<std::string>
ComplaintsOf(const ExchangeSpec& spec)
{
    return KindOf(spec).complaints(spec);
}

ShiftSymmetry
SymmetryOf(const ExchangeSpec& spec, bool alternates)
{
    const auto kind = KindOf(spec);
    return kind.symmetry ? kind.symmetry(spec, alternates) : ShiftSymmetry{};
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
