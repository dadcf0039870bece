/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/published-peeling.h"

#include "codec/peeling-forecast.h"
#include "record/csv-text.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace inca
{

namespace
{

constexpr double g_percent = 100;
constexpr std::uint32_t g_rowsDrawn = 65'536; ///< together, whatever the size of a bucket
constexpr double g_judgedBelowLoad = 0.8;
constexpr double g_leftFactor = 2;
constexpr double g_roundsApart = 2;
constexpr const char* g_criterion =
    ": load below 0.8; values left within a factor of 2, where 0 was published\n"
    "at most 3 of 256 lanes stopped; mean rounds within 2. Published: class measured, by another\n"
    "implementation. Its shares are multiples of 1/256, as of one bucket of 256 lanes, where a "
    "stopped\n"
    "lane weighs 0.4 % of the lanes: small shares left scatter by more than a factor of 2.\n";
/** A published 0 is 0 stopped lanes of 256, of which up to 3 may be expected: the rule of three. */
constexpr double g_mostStoppedLanes = 3.0 / 256;

std::string
PercentText(double share)
{
    return fmt::format("{:.2f} %", share * g_percent);
}

/** As many digits as were printed. */
std::string
PublishedPercent(const std::optional<double>& share)
{
    return share ? fmt::format("{:g} %", *share * g_percent) : "-";
}

std::string
PublishedRounds(const PublishedPeeling& published)
{
    return published.meanRounds
               ? fmt::format("{:.1f} ({})", *published.meanRounds, published.mostRounds.value_or(0))
               : "-";
}

/** By PeelingVerdict. */
constexpr std::array<const char*, 3> g_verdicts{"not judged", "agrees", "DIFFERS"};

std::string
VerdictText(const PeelingComparison& comparison)
{
    return g_verdicts.at(static_cast<std::size_t>(JudgePeeling(comparison)));
}

std::vector<std::string>
TextRow(const PeelingComparison& comparison)
{
    const auto& published = comparison.published;
    const auto& measured = comparison.measured;
    const auto& forecast = comparison.forecast;
    return {fmt::format("{} ({})", published.rows, published.counterRows),
            fmt::format("{:g}", published.load),
            PublishedPercent(published.decodedLanes),
            fmt::format("{:.1f} %", measured.decodedLanes * g_percent),
            PublishedPercent(published.leftShare),
            PercentText(forecast.leftShare),
            PercentText(measured.leftShare),
            fmt::format("{:.2f}..{:.2f}",
                        comparison.fewestLeft * g_percent,
                        comparison.mostLeft * g_percent),
            PublishedRounds(published),
            fmt::format("{:.1f}", forecast.laneRounds),
            fmt::format("{:.1f} ({:.0f})", measured.laneRounds, measured.bucketRounds),
            VerdictText(comparison)};
}

std::size_t
Count(const std::vector<PeelingComparison>& comparisons, PeelingVerdict verdict)
{
    return static_cast<std::size_t>(
        std::count_if(comparisons.begin(), comparisons.end(), [verdict](const auto& comparison) {
            return JudgePeeling(comparison) == verdict;
        }));
}

std::string
Optional(const std::optional<double>& value)
{
    return value ? NineDigits(*value) : "";
}

std::string
CsvRow(const PeelingComparison& comparison)
{
    const auto& published = comparison.published;
    const auto& measured = comparison.measured;
    return CsvLine({std::to_string(published.rows),
                    std::to_string(published.counterRows),
                    NineDigits(published.load),
                    std::to_string(comparison.buckets),
                    Optional(published.decodedLanes),
                    NineDigits(published.leftShare),
                    Optional(published.meanRounds),
                    published.mostRounds ? std::to_string(*published.mostRounds) : "",
                    "measured",
                    NineDigits(comparison.forecast.decodedLanes),
                    NineDigits(comparison.forecast.leftShare),
                    NineDigits(comparison.forecast.laneRounds),
                    NineDigits(measured.decodedLanes),
                    NineDigits(measured.leftShare),
                    NineDigits(comparison.fewestLeft),
                    NineDigits(comparison.mostLeft),
                    NineDigits(measured.laneRounds),
                    NineDigits(measured.bucketRounds),
                    VerdictText(comparison)});
}

} // namespace

const std::vector<PublishedPeeling>&
PublishedPeelings()
{
    static const std::vector<PublishedPeeling> published{
        {64, 16, 0.4, {}, 0.09, {}, {}},
        {256, 26, 0.5, {}, 0.09, {}, {}},
        {256, 128, 0.1, {}, 0, {}, {}},
        {1024, 103, 0.5, 0.969, 0.0014, 5.6, 14},
        {1024, 103, 0.7, 0.730, 0.111, 10.0, 26},
        {8192, 820, 0.5, 1, 0, 6.2, 9},
        {8192, 820, 0.7, 1, 0, 12.0, 23},
        {8192, 820, 0.75, 0.957, 0.015, 17.1, 46},
        {65536, 6554, 0.5, 1, 0, 6.7, 8},
        {65536, 6554, 0.7, 1, 0, 12.7, 15},
        {65536, 6554, 0.78, 1, 0, 24.3, 46},
        {65536, 6554, 0.80, 0.859, 0.057, 38.5, 132},
        {65536, 6554, 0.85, 0, 0.547, 21.7, 50},
    };
    return published;
}

PeelingComparison
ComparePeeling(const PublishedPeeling& published)
{
    const auto density = published.load * published.counterRows / published.rows;
    const auto buckets = std::max(1U, g_rowsDrawn / published.rows);
    PeelingComparison comparison{
        published, ForecastPeeling(published.counterRows, published.load), {}, 1, 0, buckets};
    auto& sum = comparison.measured;
    for (std::uint32_t seed = 1; seed <= buckets; ++seed)
    {
        const auto one = MeasurePeeling({published.rows, published.counterRows, density, 1, seed});
        comparison.fewestLeft = std::min(comparison.fewestLeft, one.leftShare);
        comparison.mostLeft = std::max(comparison.mostLeft, one.leftShare);
        sum.leftShare += one.leftShare / buckets;
        sum.decodedLanes += one.decodedLanes / buckets;
        sum.laneRounds += one.laneRounds / buckets;
        sum.bucketRounds = std::max(sum.bucketRounds, one.bucketRounds);
    }
    return comparison;
}

PeelingVerdict
JudgePeeling(const PeelingComparison& comparison)
{
    const auto& published = comparison.published;
    const auto& measured = comparison.measured;
    if (published.load >= g_judgedBelowLoad)
    {
        return PeelingVerdict::NOT_JUDGED;
    }
    const bool leftAgrees = published.leftShare == 0
                                ? 1 - measured.decodedLanes <= g_mostStoppedLanes
                                : measured.leftShare <= published.leftShare * g_leftFactor &&
                                      measured.leftShare >= published.leftShare / g_leftFactor;
    const bool roundsAgree = !published.meanRounds ||
                             std::abs(measured.laneRounds - *published.meanRounds) <= g_roundsApart;
    return leftAgrees && roundsAgree ? PeelingVerdict::AGREES : PeelingVerdict::DIFFERS;
}

std::string
PeelingText(const std::vector<PeelingComparison>& comparisons)
{
    TextTable table({"rows (counter rows)",
                     "load",
                     "lanes: published",
                     "measured",
                     "left: published",
                     "forecast",
                     "measured",
                     "of buckets",
                     "rounds: published",
                     "forecast",
                     "measured",
                     "verdict"},
                    1);
    for (const auto& comparison : comparisons)
    {
        table.AddRow(TextRow(comparison));
    }
    const auto agree = Count(comparisons, PeelingVerdict::AGREES);
    const auto judged = agree + Count(comparisons, PeelingVerdict::DIFFERS);
    return fmt::format(
        "{}\n{} of {} judged rows agree{}", table.Text(), agree, judged, g_criterion);
}

std::string
PeelingCsv(const std::vector<PeelingComparison>& comparisons)
{
    std::string text =
        "rows,counter_rows,load,buckets,published_decoded_lanes_share,published_left_share,"
        "published_rounds_mean,published_rounds_max,published_class,forecast_decoded_lanes_share,"
        "forecast_left_share,forecast_rounds_mean,decoded_lanes_share,left_share,left_share_min,"
        "left_share_max,rounds_mean,rounds_max,verdict\n";
    for (const auto& comparison : comparisons)
    {
        text += CsvRow(comparison);
    }
    return text;
}

} // namespace inca
