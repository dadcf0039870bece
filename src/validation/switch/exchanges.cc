/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/exchanges.h"

#include "exchange/slot-scheme.h"
#include "trace/trace-catalog.h"
#include "validation/switch/published.h"
#include "validation/switch/scenarios.h"
#include "validation/switch/slot-times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_million = 1e6;

constexpr double g_bucketLimit = 0.001;
constexpr double g_poolLimit = 0.01;
constexpr double g_lineRateLimit = 0.01;
constexpr double g_switchMlLimit = 0.03;

/** 32,000 packets of 64: the ends of 1,000 rounds of 32 slots are 0.04 % of them. */
constexpr std::uint64_t g_poolValues = 2'048'000;
constexpr std::array<std::uint32_t, 3> g_pools{1, 4, 32};

/**
 * 160,000 packets of 64, or 40,000 of 256: a round trip is at most 76 frame times (64 values at
 * 100 Gb/s) and the first exponents take 512 frames of 84 bytes, so the ends are below 0.2 %.
 */
constexpr std::uint64_t g_rateValues = 10'240'000;
constexpr std::uint64_t g_switchMlGigabits = 100;
constexpr std::uint32_t g_switchMlValues = 256;

std::string
RateName(std::uint64_t gigabitsPerSecond)
{
    return fmt::format("{} Gb/s", gigabitsPerSecond);
}

/** How long a run of one exchange takes, against others: packets of all workers. */
double
Work(const Scenario& scenario, std::uint64_t values)
{
    return static_cast<double>(values) /
           static_cast<double>(ReadSlotSettings(scenario.aggregation).valuesPerPacket) *
           scenario.cluster.workers;
}

PlannedRun
Planned(const Scenario& scenario, std::uint64_t values)
{
    return {scenario, Work(scenario, values)};
}

double
MillionsPerSecond(std::uint64_t values, const MeasuredRun& run)
{
    return static_cast<double>(values) * g_psPerSecond / static_cast<double>(run.ExchangePs()) /
           g_million;
}

Comparison
RateFigure(const std::string& name,
           std::string system,
           std::string figure,
           double millions,
           PublishedValue published)
{
    return {name,
            std::move(system),
            std::move(figure),
            FigureUnit::MILLION_VALUES_PER_SECOND,
            millions,
            std::move(published),
            {}};
}

/** A size of the reference's buckets, at one of its rates. */
struct Bucket
{
    std::uint64_t gigabitsPerSecond{0};
    std::uint64_t values{0};
};

/** Every size once per rate, ascending. */
std::vector<Bucket>
ReferenceBuckets()
{
    std::set<std::pair<std::uint64_t, std::uint64_t>> sizes;
    for (const auto& times : SwitchReferenceTimes())
    {
        for (const auto& layer : FindTrace(times.trace).layers)
        {
            sizes.emplace(times.gigabitsPerSecond, layer.elements);
        }
    }
    std::vector<Bucket> buckets;
    for (const auto& [gigabits, values] : sizes)
    {
        buckets.push_back({gigabits, values});
    }
    return buckets;
}

Comparison
BucketFigure(const std::string& name, const Bucket& bucket, const MeasuredRun& run)
{
    const auto closedForm =
        static_cast<double>(SlotExchangePs(run.scenario, bucket.values)) / g_psPerSecond;
    return {name,
            RateName(bucket.gigabitsPerSecond),
            fmt::format("{} values at once", bucket.values),
            FigureUnit::SECONDS,
            static_cast<double>(run.ExchangePs()) / g_psPerSecond,
            Single(closedForm, PublishedClass::DERIVED, "packets and round trip"),
            g_bucketLimit};
}

/** Of each rate the table has the bucket that is farthest off. */
void
HideAllButTheWorst(std::vector<Comparison>& figures)
{
    for (auto& figure : figures)
    {
        figure.onlyInCsv =
            std::any_of(figures.begin(), figures.end(), [&](const Comparison& other) {
                const bool worse = std::abs(*ErrorOf(other)) > std::abs(*ErrorOf(figure));
                const bool asBadAndFirst =
                    &other < &figure && std::abs(*ErrorOf(other)) == std::abs(*ErrorOf(figure));
                return other.system == figure.system && (worse || asBadAndFirst);
            });
    }
}

Comparison
PoolFigure(const std::string& name, std::uint32_t slots, const MeasuredRun& run)
{
    auto figure =
        RateFigure(name,
                   RateName(g_switchMlGigabits),
                   fmt::format("{} slot{} of {} values",
                               slots,
                               slots == 1 ? "" : "s",
                               ReadSlotSettings(run.scenario.aggregation).valuesPerPacket),
                   MillionsPerSecond(g_poolValues, run),
                   Single(PooledValuesPerSecond(run.scenario) / g_million,
                          PublishedClass::DERIVED,
                          "slots and round trip"));
    figure.limit = g_poolLimit;
    return figure;
}

std::vector<Comparison>
LineRateFigures(const std::string& name, const std::vector<MeasuredRun>& runs)
{
    std::vector<Comparison> figures;
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const auto& rate = SwitchMlLineRates().at(i);
        figures.push_back(
            RateFigure(name,
                       RateName(rate.gigabitsPerSecond),
                       fmt::format("{} values per packet", rate.valuesPerPacket),
                       MillionsPerSecond(g_rateValues, runs[i]),
                       Single(rate.millions, PublishedClass::DERIVED, "SwitchML's frames")));
        figures.back().limit = g_lineRateLimit;
    }
    return figures;
}

/** The slots' runs first, then the rings'. */
std::vector<Comparison>
SwitchMlFigures(const std::string& name, const std::vector<MeasuredRun>& runs)
{
    std::vector<Comparison> slots;
    std::vector<Comparison> rings;
    const auto& rates = SwitchMlRates();
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const auto system = fmt::format("{} workers", rates[i].workers);
        slots.push_back(RateFigure(
            name,
            system,
            "slots, and SwitchML",
            MillionsPerSecond(g_rateValues, runs.at(i)),
            Single(rates[i].switchMlMillions, PublishedClass::MEASURED, "SwitchML's plot")));
        slots.back().limit = g_switchMlLimit;
        rings.push_back(
            RateFigure(name,
                       system,
                       "ring, and NCCL",
                       MillionsPerSecond(g_rateValues, runs.at(rates.size() + i)),
                       Single(rates[i].ncclMillions, PublishedClass::MEASURED, "SwitchML's plot")));
    }
    slots.insert(slots.end(), rings.begin(), rings.end());
    return slots;
}

} // namespace

ValidationPart
ExchangeAlonePart(const std::string& name)
{
    const auto buckets = ReferenceBuckets();
    ValidationPart part;
    for (const auto& bucket : buckets)
    {
        part.runs.push_back(Planned(SwitchExchangeScenario(bucket.values, bucket.gigabitsPerSecond),
                                    bucket.values));
    }
    for (const auto slots : g_pools)
    {
        part.runs.push_back(Planned(SmallPoolScenario(g_poolValues, slots), g_poolValues));
    }
    part.compare = [name, buckets](const std::vector<MeasuredRun>& runs) {
        std::vector<Comparison> figures;
        for (std::size_t i = 0; i < buckets.size(); ++i)
        {
            figures.push_back(BucketFigure(name, buckets[i], runs.at(i)));
        }
        HideAllButTheWorst(figures);
        for (std::size_t i = 0; i < g_pools.size(); ++i)
        {
            figures.push_back(PoolFigure(name, g_pools.at(i), runs.at(buckets.size() + i)));
        }
        return figures;
    };
    return part;
}

ValidationPart
LineRatePart(const std::string& name)
{
    ValidationPart part;
    for (const auto& rate : SwitchMlLineRates())
    {
        constexpr std::uint32_t workers = 2; // their number does not matter
        part.runs.push_back(Planned(
            SwitchMlScenario(g_rateValues, rate.valuesPerPacket, rate.gigabitsPerSecond, workers),
            g_rateValues));
    }
    part.compare = [name](const std::vector<MeasuredRun>& runs) {
        return LineRateFigures(name, runs);
    };
    return part;
}

ValidationPart
SwitchMlPart(const std::string& name)
{
    ValidationPart part;
    for (const auto& rate : SwitchMlRates())
    {
        part.runs.push_back(Planned(
            SwitchMlScenario(g_rateValues, g_switchMlValues, g_switchMlGigabits, rate.workers),
            g_rateValues));
    }
    for (const auto& rate : SwitchMlRates())
    {
        part.runs.push_back(Planned(
            RingBesideScenario(g_rateValues, g_switchMlGigabits, rate.workers), g_rateValues));
    }
    part.compare = [name](const std::vector<MeasuredRun>& runs) {
        return SwitchMlFigures(name, runs);
    };
    return part;
}

} // namespace inca
