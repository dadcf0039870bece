/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-warnings.h"

#include "base/nearest.h"
#include "base/units.h"
#include "codec/peeling-forecast.h"
#include "exchange/library.h"
#include "plan/job-exchanges.h"
#include "plan/preset-range.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace inca
{

namespace
{

/** A window that cannot fill the fastest link over the longest way. */
void
WarnOfWindow(const Plan& plan, Warnings& warnings)
{
    const auto& resolved = plan.Settings();
    const auto& transport = resolved.scenario.transport;
    const char* const key = resolved.transport->hasFrames                   ? "window"
                            : transport.sendBytes <= transport.receiveBytes ? "send_buffer"
                                                                            : "receive_buffer";
    if (!resolved.transport->isExtension && resolved.windowNeeded > resolved.window)
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("transport.{}: {} frames cannot fill a link of {} over this "
                         "latency; it takes about {}",
                         key,
                         resolved.window,
                         HumanBitRate(FastestLink(resolved.network)),
                         resolved.windowNeeded)});
    }
}

/** A message's cost that hosts pay for each short chunk of a tree. */
void
WarnOfChunks(const Plan& plan, Warnings& warnings)
{
    const auto& scenario = plan.Settings().scenario;
    const auto costPs = scenario.host.messageCostPs;
    const auto chunk = scenario.tree.chunkBytes;
    const auto linkPs = SerialisationPs(chunk, FastestLink(plan.Settings().network));
    const auto& chunks = plan.Job().job->chunks;
    const bool isCut = std::any_of(chunks.begin(), chunks.end(), [&](const JobChunk& one) {
        return one.range.count * plan.Job().job->gradientType.bytes > chunk;
    });
    if (IdleReason(*FindKey("tree.chunk_bytes"), scenario).empty() && isCut && costPs > linkPs)
    {
        auto larger = chunk;
        for (auto ps = linkPs; ps < 2 * costPs; ps *= 2)
        {
            larger *= 2;
        }
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("tree.chunk_bytes: {} take a link {}, and cost a host {} "
                         "(host.message_cost); larger chunks may be faster, such as {}",
                         g_byteCount.Format(chunk),
                         HumanPicoseconds(linkPs),
                         HumanPicoseconds(costPs),
                         g_byteCount.Format(larger))});
    }
}

/** A library's messages cost what it knows of them. */
void
WarnOfLibrary(const Scenario& scenario, Warnings& warnings)
{
    const auto costPs = scenario.host.messageCostPs;
    if (scenario.exchange.library == "nccl" && costPs > 0)
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("exchange.library: what nccl's messages cost hosts comes on top of "
                         "host.message_cost, {}, which is such a cost, too; "
                         "host.message_cost=0us counts it once",
                         HumanPicoseconds(costPs))});
    }
}

/** Buckets of usual sizes, which hold twice as many values of 16 bits. */
void
WarnOfSixteenBits(const Plan& plan, Warnings& warnings)
{
    const auto& given = plan.Settings().scenario;
    const auto& training = given.training;
    const ExchangeSettings usual;
    const bool isUsual = given.exchange.bucketBytes == usual.bucketBytes &&
                         given.exchange.firstBucketBytes == usual.firstBucketBytes;
    const auto& type = training.reduceType ? training.reduceType : training.gradientType;
    if (type && *type != "fp32" && training.send == SendUnit::BUCKET && training.overlap &&
        isUsual && plan.Job().job->buckets.size() > 1)
    {
        warnings.push_back(
            {WarningTopic::SIZES,
             fmt::format(
                 "training.{}: buckets are as many bytes as in PyTorch, whatever "
                 "the type, so those of {} hold twice the values of fp32's and leave later; "
                 "exchange.first_bucket_bytes={} and exchange.bucket_bytes={} cut as for fp32",
                 training.reduceType ? "reduce_type" : "gradient_type",
                 *type,
                 g_byteCount.Format(usual.firstBucketBytes / 2),
                 g_byteCount.Format(usual.bucketBytes / 2))});
    }
}

/** What the aggregation scheme of its switches warns of. */
void
WarnOfSums(const Plan& plan, Warnings& warnings)
{
    const auto& resolved = plan.Settings();
    const auto sums = ReductionsOf(*plan.Job().job);
    std::set<std::string> texts; // both kinds of switches have the same settings
    for (const bool inNodes : {false, true})
    {
        const auto network = SummingNetworkOf(resolved.scenario, resolved.network, inNodes);
        const auto& scheme = resolved.sums[inNodes].scheme;
        for (auto& text : scheme ? scheme->WarningsFor(network, SumsOf(sums, inNodes))
                                 : std::vector<std::string>())
        {
            if (texts.insert(text).second)
            {
                warnings.push_back({WarningTopic::NETWORK, std::move(text)});
            }
        }
    }
}

/** What the library does in another way than among the ranks that were seen, as far as that is known. */
std::string
ChangeOfAlgorithm(const Plan& plan, const CalibratedRange& seen)
{
    const auto& job = *plan.Job().job;
    auto spec = MakeExchangeSpec(plan.Settings().scenario, job.gradientType.bytes);
    const auto pick = [&spec](Rank ranks, const JobChunk& chunk) {
        spec.workers = ranks / spec.gpus;
        return PickExchange(spec, chunk.range.count, chunk.rounds.front().hostBytes).spec.algorithm;
    };
    const auto gpus = plan.Settings().scenario.cluster.gpus;
    for (const auto& chunk : job.chunks)
    {
        for (const auto ranks : seen.ranks)
        {
            const bool areWorkers =
                ranks % gpus == 0 && ranks > gpus; // or they were set up otherwise
            const auto now = pick(plan.Settings().scenario.cluster.workers * gpus, chunk);
            const auto then = areWorkers ? pick(ranks, chunk) : now;
            if (now != then)
            {
                return fmt::format("{} takes {} now, where it took {} among {} ranks",
                                   spec.library,
                                   now,
                                   then,
                                   ranks);
            }
        }
    }
    return "a library may exchange in another way then";
}

void
WarnOfPreset(const Plan& plan, Warnings& warnings)
{
    const auto& cluster = plan.Settings().scenario.cluster;
    if (!cluster.calibrated)
    {
        return;
    }
    const auto& seen = *cluster.calibrated;
    const auto reach = ReachOf(plan);
    if (reach.smallerExchanges + reach.largerExchanges > 0 && seen.mostBytes > 0)
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("cluster.preset: extrapolated: {} of {} exchanges are smaller or larger "
                         "than those it was fitted to, of {} to {}",
                         reach.smallerExchanges + reach.largerExchanges,
                         plan.Job().job->chunks.size(),
                         HumanBytes(seen.leastBytes),
                         HumanBytes(seen.mostBytes))});
    }
    if (!reach.ranksSeen && !seen.ranks.empty())
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("cluster.preset: {}it was fitted to {} ranks, and there are "
                         "{}; {}",
                         reach.ranksBetween ? "" : "extrapolated: ",
                         fmt::join(seen.ranks, ", "),
                         cluster.workers * cluster.gpus,
                         ChangeOfAlgorithm(plan, seen))});
    }
}

/**
 * What is set otherwise than a preset was fitted with. Its constants are what measured times had beside those of a
 * simulation, of a lone all-reduce: whatever that simulation has read of the machine makes them what they are. Not so
 * what a preset is asked about: other workers, of whose count WarnOfPreset knows, other exchanges ([ring], [tree] and
 * [switch] with them; without a library the scenario says which), and what is trained, coded and simulated.
 */
void
WarnOfKeysOnPreset(const Scenario& given, Warnings& warnings)
{
    if (!given.cluster.calibrated || !given.cluster.asFitted)
    {
        return;
    }
    auto fitted = *given.cluster.asFitted;
    fitted.training.trace = "tensor:1MiB";
    for (const auto& key : ScenarioKeys())
    {
        const bool isAsked = key.name == "cluster.preset" || key.name == "cluster.workers" ||
                             key.name == "exchange.algorithm" ||
                             (key.name == "exchange.library" && !PicksBySize(given));
        const auto was = key.text(fitted);
        const auto is = key.text(given);
        const bool isChosen =
            is == DefaultIn(given, key) && is != DefaultIn(fitted, key); // by [host] preset
        if (IsAmong(TableOf(key.name), {"cluster", "exchange", "host", "transport"}) && !isAsked &&
            is != was && !isChosen && IdleReason(key, fitted).empty() &&
            IdleReason(key, given).empty())
        {
            warnings.push_back(
                {WarningTopic::NETWORK,
                 fmt::format(
                     "{}: cluster.preset was fitted with {}, and it is {} here; the preset's "
                     "constants are what measured times had beside the former",
                     key.name,
                     was.empty() ? "none" : was,
                     is)});
        }
    }
}

/** What there is a sketch of. */
const char*
PartsOf(const Scenario& scenario)
{
    return IsSharded(scenario) ? "shards of exchanges" : "exchanges";
}

/** Which ratio is too large for the union's density, and what would be right. */
void
WarnOfUnsafe(const Scenario& scenario,
             const std::vector<PlannedSketch>& sketches,
             Warnings& warnings)
{
    const auto count = std::count_if(sketches.begin(), sketches.end(), [](const auto& sketch) {
        return sketch.estimatedValues > g_safeLeftShare * sketch.markedValues;
    });
    if (count == 0)
    {
        return;
    }
    const auto worst =
        std::max_element(sketches.begin(), sketches.end(), [](const auto& a, const auto& b) {
            return a.estimatedValues < b.estimatedValues;
        });
    warnings.push_back(
        {WarningTopic::UNSAFE_SKETCHES,
         fmt::format("codec.ratio: too large for {} of {} {}: with {} rows of 1024 values in {} "
                     "counter rows, and {:.3g} % of them set on some worker, the load is {:.3g}, "
                     "and {:.3g} % of the set values are expected to be estimates; {}. With "
                     "\"safe\" each takes what it bears, or travels as it is",
                     count,
                     sketches.size(),
                     PartsOf(scenario),
                     worst->rows,
                     worst->counterRows,
                     worst->unionDensity * 100,
                     worst->load,
                     worst->estimatedValues / worst->markedValues * 100,
                     worst->safeRatio ? fmt::format("up to {:.4g} is safe", *worst->safeRatio)
                                      : "no ratio from 0.5 on is safe for so few rows")});
}

/** What a safe ratio cannot make smaller. */
void
WarnOfUncoded(const Scenario& scenario,
              const std::vector<PlannedSketch>& sketches,
              Warnings& warnings)
{
    const auto count = std::count_if(sketches.begin(), sketches.end(), [](const auto& sketch) {
        return sketch.spec.coded.empty();
    });
    if (count > 0 && !scenario.codec.ratio)
    {
        warnings.push_back(
            {WarningTopic::UNCODED_SKETCHES,
             fmt::format("codec.ratio: {} of {} {} travel as they are: too many of their values "
                         "are set on some worker, or they are too short, for a safe ratio to "
                         "make them smaller{}",
                         count,
                         sketches.size(),
                         PartsOf(scenario),
                         scenario.codec.skipDensity
                             ? ", or codec.skip_density leaves all of them out"
                             : "")});
    }
}

/** Whether a model's gradients are all in one exchange is known only when its trace was read. */
void
WarnOfIdleKeys(const Plan& plan, Warnings& warnings)
{
    const auto& given = plan.Settings().scenario;
    const auto& job = *plan.Job().job;
    const bool isKnown = given.training.send == SendUnit::END || !HasCompute(given);
    const std::pair<bool, const char*> keys[] = {
        {!given.training.overlap, "training.overlap"},
        {job.priority, "exchange.order"},
        {given.exchange.concurrent > 1, "exchange.concurrent"}};
    for (const auto& [isSet, key] : keys)
    {
        if (isSet && !isKnown && job.chunks.size() == 1)
        {
            warnings.push_back(
                {WarningTopic::IDLE_KEYS,
                 fmt::format("{}: has no effect: all gradients fit one bucket", key)});
        }
    }
}

void
WarnOfSizes(const Plan& plan, Warnings& warnings)
{
    const auto& scenario = plan.Settings().scenario;
    const bool byStatistics = IsSizedByStatistics(scenario);
    if (byStatistics || UnderratesSums(scenario))
    {
        warnings.push_back({WarningTopic::SIZES,
                            fmt::format("sizes only: every hop is as large as {}; sums are wider "
                                        "(training.values = true counts every hop)",
                                        byStatistics ? "a single worker's gradient"
                                                     : "codec.bits_per_value says")});
    }
    if ((byStatistics || plan.Job().job->HasValues()) && !HasCompute(scenario))
    {
        warnings.push_back({WarningTopic::SIZES,
                            "a lone tensor's values are assumed to be normal with a standard "
                            "deviation of 2^-6"});
    }
}

} // namespace

void
WarnOfSketches(const Scenario& scenario,
               const std::vector<PlannedSketch>& sketches,
               Warnings& warnings)
{
    WarnOfUnsafe(scenario, sketches, warnings);
    WarnOfUncoded(scenario, sketches, warnings);
}

std::vector<std::string>
TextsOf(Warnings warnings)
{
    std::stable_sort(warnings.begin(), warnings.end(), [](const Warning& a, const Warning& b) {
        return a.topic < b.topic;
    });
    std::vector<std::string> texts;
    for (auto& warning : warnings)
    {
        texts.push_back(std::move(warning.text));
    }
    return texts;
}

std::optional<std::uint64_t>
SlotsNeeded(const Plan& plan)
{
    const auto& resolved = plan.Settings();
    if (resolved.Scheme() == nullptr)
    {
        return std::nullopt;
    }
    const auto sums = ReductionsOf(*plan.Job().job);
    std::optional<std::uint64_t> needed; // by both
    for (const bool inNodes : {false, true})
    {
        const auto network = SummingNetworkOf(resolved.scenario, resolved.network, inNodes);
        const auto& scheme = resolved.sums[inNodes].scheme;
        needed = std::max(
            needed, scheme ? scheme->SlotsNeeded(network, SumsOf(sums, inNodes)) : std::nullopt);
    }
    return needed;
}

Warnings
PlanWarnings(const Plan& plan)
{
    Warnings warnings;
    WarnOfIdleKeys(plan, warnings);
    if (plan.Settings().Scheme() != nullptr)
    {
        WarnOfSums(plan, warnings);
    }
    if (HasMessages(plan.Settings().scenario))
    {
        WarnOfWindow(plan, warnings);
    }
    WarnOfChunks(plan, warnings);
    WarnOfLibrary(plan.Settings().scenario, warnings);
    WarnOfSixteenBits(plan, warnings);
    if (plan.Job().job->cyclePs > 0 && HasJitter(plan.Settings().scenario))
    {
        warnings.push_back({WarningTopic::NETWORK,
                            "exchange.cycle_time: all iterations have the buckets that cycles take "
                            "in the first one, whatever their compute times"});
    }
    WarnOfPreset(plan, warnings);
    WarnOfKeysOnPreset(plan.Settings().scenario, warnings);
    WarnOfSketches(plan.Settings().scenario, plan.Job().sketches, warnings);
    WarnOfSizes(plan, warnings);
    return warnings;
}

SumOrder
SumOrderOf(const Resolved& resolved)
{
    const auto* const scheme = resolved.Scheme();
    if (scheme == nullptr || !SwitchesAdd(resolved.scenario))
    {
        return {false,
                resolved.otherRanks > 0 && resolved.scenario.exchange.sumOnArrival
                    ? "hosts add in a fixed order: exchange.sum = \"arrival\" is in times only"
                    : "hosts add in a fixed order, that of the exchange's plan"};
    }
    if (scheme->Reduction({}).isExact)
    {
        return {false, "switches add integers, which gives the same in any order"};
    }
    const auto addsTwo = [](const SwitchSums& sums) { return !sums.areSums || sums.together == 2; };
    if (std::all_of(resolved.sums.begin(), resolved.sums.end(), addsTwo))
    {
        return {false, "switches add two operands, which either order rounds alike"};
    }
    return {true,
            std::string("switches add ") + scheme->Numbers().adder.name +
                " as packets arrive, and round each time"};
}

} // namespace inca
