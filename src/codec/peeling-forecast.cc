/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-forecast.h"

#include "base/errors.h"
#include "base/portable-math.h"
#include "base/random.h"
#include "codec/bitmap-index.h"
#include "codec/peeling-decoder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Marks a new draw of positions. */
void
DrawMarks(RandomStream& random, double density, std::vector<std::uint8_t>& bits)
{
    for (auto& byte : bits)
    {
        unsigned marks = 0;
        for (unsigned i = 0; i < 8; ++i)
        {
            marks |= random.Uniform() < density ? 1U << i : 0U;
        }
        byte = static_cast<std::uint8_t>(marks);
    }
}

/** Sums over buckets. */
struct Totals
{
    double peeled{0};
    double estimated{0};
    double decodedLanes{0};
    double laneRounds{0};
    double bucketRounds{0};

    void Add(const PeelingReport& report)
    {
        peeled += static_cast<double>(report.peeled);
        estimated += static_cast<double>(report.estimated);
        decodedLanes += static_cast<double>(report.decodedLanes);
        laneRounds += static_cast<double>(report.laneRounds);
        bucketRounds += report.rounds;
    }

    PeelingFigures Means(double buckets) const
    {
        const auto lanes = buckets * g_sketchLanes;
        return {estimated / std::max(1.0, peeled + estimated),
                decodedLanes / lanes,
                laneRounds / lanes,
                bucketRounds / buckets};
    }
};

void
Check(const PeelingExperiment& experiment)
{
    if (experiment.rows < 1 || experiment.counterRows < 1 || experiment.buckets < 1)
    {
        throw InputError("peeling: rows, counter rows and buckets must be at least 1");
    }
    if (!(experiment.density >= 0 && experiment.density <= 1))
    {
        throw InputError("peeling: the density must be 0 to 1");
    }
}

/** The left share in millionths, rounds of a bucket in hundredths. */
struct MeasuredCell
{
    std::uint32_t left;
    std::uint32_t rounds;
};

/** By R = 1, 2, 4, ...; of each, by load. */
constexpr MeasuredCell g_cells[PEELING_ROWS][PEELING_LOADS.size()] = {
    {{0, 100},       {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100},
     {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100},
     {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100}, {1000000, 100},
     {1000000, 100}, {1000000, 100}, {1000000, 100}},
    {{0, 100},      {404775, 200}, {493935, 200}, {570534, 200}, {635874, 200}, {691066, 200},
     {739213, 200}, {760684, 200}, {779634, 200}, {787030, 200}, {794473, 200}, {801676, 200},
     {808038, 200}, {814506, 200}, {820937, 200}, {830255, 200}, {844494, 200}, {869275, 200},
     {948174, 200}, {980492, 200}, {999802, 184}},
    {{0, 100},      {126738, 373}, {217525, 400}, {310271, 400}, {404721, 400}, {493238, 400},
     {575717, 400}, {612608, 400}, {647877, 400}, {661422, 400}, {673985, 400}, {686833, 400},
     {698891, 400}, {711130, 400}, {722847, 400}, {739887, 400}, {766564, 400}, {812562, 400},
     {942522, 400}, {984070, 400}, {999947, 144}},
    {{0, 100},      {48570, 449},  {86060, 572},  {147325, 652}, {226664, 691}, {320773, 719},
     {422033, 730}, {473257, 744}, {522768, 757}, {542625, 756}, {561860, 766}, {580998, 770},
     {599139, 764}, {616916, 765}, {634496, 770}, {660146, 768}, {699899, 772}, {769684, 769},
     {949599, 686}, {990025, 500}, {999989, 125}},
    {{0, 100},       {14238, 462},   {26765, 653},   {51989, 819},   {96925, 982},   {175088, 1053},
     {283852, 1089}, {345323, 1140}, {411141, 1165}, {437277, 1161}, {464672, 1141}, {491228, 1132},
     {517131, 1162}, {543385, 1125}, {568360, 1150}, {604652, 1142}, {663929, 1150}, {756301, 1144},
     {957042, 855},  {991493, 412},  {999981, 150}},
    {{0, 100},       {5249, 453},    {8158, 678},    {13844, 930},   {28923, 1165},  {69908, 1406},
     {161404, 1600}, {223921, 1631}, {302787, 1642}, {335835, 1658}, {369134, 1673}, {401986, 1745},
     {435333, 1736}, {470339, 1740}, {504225, 1710}, {551454, 1630}, {626747, 1656}, {746987, 1650},
     {958424, 767},  {991060, 425},  {999977, 200}},
    {{0, 100},       {336, 438},     {806, 620},     {1491, 864},    {3374, 1300},   {12692, 1900},
     {55247, 2200},  {108964, 2257}, {189916, 2367}, {228310, 2383}, {267930, 2383}, {312254, 2550},
     {358106, 2483}, {403599, 2420}, {451355, 2540}, {515641, 2480}, {614373, 2420}, {755811, 2325},
     {961112, 567},  {991873, 350},  {999989, 200}},
    {{0, 100},       {23, 430},      {61, 600},      {124, 757},     {202, 980},     {566, 1900},
     {8415, 2600},   {35273, 3275},  {97941, 3100},  {133049, 3433}, {180810, 3200}, {232345, 3833},
     {285732, 3667}, {350699, 3733}, {406803, 3567}, {488373, 3133}, {612535, 3267}, {769234, 2450},
     {960848, 600},  {991607, 400},  {999981, 200}},
    {{0, 100},       {31, 430},      {92, 520},      {89, 625},      {134, 800},     {168, 1150},
     {410, 2000},    {4240, 3100},   {31163, 4200},  {60822, 4150},  {103014, 4100}, {154714, 4050},
     {223765, 4550}, {302563, 4600}, {380913, 4500}, {488894, 4600}, {632918, 4650}, {778299, 1700},
     {961451, 600},  {991696, 500},  {999982, 200}},
    {{0, 100},       {0, 400},       {0, 500},       {0, 600},       {0, 900},       {0, 1000},
     {0, 1400},      {0, 2200},      {3968, 4000},   {13638, 4000},  {36613, 4900},  {72079, 6800},
     {137620, 6800}, {234093, 6000}, {348670, 6200}, {493009, 6800}, {647154, 4700}, {780865, 1400},
     {963361, 600},  {992506, 400},  {999989, 200}},
    {{0, 100},      {0, 400},       {0, 450},       {0, 600},       {0, 800},       {0, 900},
     {0, 1200},     {0, 1500},      {0, 2900},      {619, 4600},    {8197, 6100},   {30713, 5900},
     {90142, 7600}, {191983, 7000}, {335508, 6500}, {510185, 8800}, {658422, 3600}, {782346, 1400},
     {962104, 600}, {991955, 400},  {999979, 200}},
    {{0, 100},      {0, 400},       {0, 500},       {0, 600},       {0, 700},       {0, 900},
     {0, 1200},     {0, 1500},      {0, 2100},      {0, 2300},      {299, 4900},    {4112, 5800},
     {29863, 7900}, {133035, 8500}, {298537, 8200}, {519862, 8100}, {657819, 3000}, {781937, 1900},
     {963054, 800}, {992230, 400},  {999982, 200}},
    {{0, 100},      {0, 400},       {0, 600},        {0, 600},       {0, 700},       {0, 800},
     {0, 1000},     {0, 1300},      {0, 1600},       {0, 2100},      {0, 2600},      {0, 4300},
     {3664, 9000},  {68551, 11100}, {282627, 10900}, {539358, 7700}, {658715, 2800}, {782959, 1700},
     {963472, 800}, {992485, 500},  {999986, 200}},
    {{0, 100},      {0, 400},       {0, 500},        {0, 600},       {0, 700},       {0, 800},
     {0, 1000},     {0, 1200},      {0, 1500},       {0, 1700},      {0, 2100},      {0, 2700},
     {0, 5000},     {25676, 14000}, {287601, 16100}, {546908, 6500}, {659849, 3000}, {783500, 2300},
     {963302, 700}, {992428, 500},  {999982, 200}},
};

PeelingCell
Between(const PeelingCell& low, const PeelingCell& high, double share)
{
    const auto mix = [share](double a, double b) { return a + (b - a) * share; };
    return {mix(low.leftShare, high.leftShare), mix(low.bucketRounds, high.bucketRounds)};
}

PeelingCell
AtLoad(std::size_t row, double load)
{
    const auto* const above = std::upper_bound(PEELING_LOADS.begin(), PEELING_LOADS.end(), load);
    if (above == PEELING_LOADS.end())
    {
        return PeelingTableCell(row, PEELING_LOADS.size() - 1);
    }
    const auto high = static_cast<std::size_t>(above - PEELING_LOADS.begin());
    const auto share = (load - PEELING_LOADS[high - 1]) / (*above - PEELING_LOADS[high - 1]);
    return Between(PeelingTableCell(row, high - 1), PeelingTableCell(row, high), share);
}

void
CheckDensity(double density)
{
    if (!(density >= 0 && density <= 1))
    {
        throw InputError("homomorphic: the density of a union must be 0 to 1, got " +
                         std::to_string(density));
    }
}

// Bytes of memory traffic.
constexpr double g_perValue = 4;
constexpr double g_perSketched = 24;
constexpr double g_perPeeled = 28;

} // namespace

PeelingFigures
MeasurePeeling(const PeelingExperiment& experiment)
{
    Check(experiment);
    const SketchLayout layout(experiment.rows, experiment.counterRows);
    const auto values = experiment.rows * g_sketchLanes;
    std::vector<std::uint8_t> bits(values / 8);
    // Which values can be peeled does not depend on the values, so zeros do.
    const std::vector<std::uint8_t> counters(experiment.counterRows * g_sketchLanes * 4);
    std::vector<std::int32_t> decoded(values);
    RandomStream random(experiment.seed, experiment.counterRows);
    Totals totals;
    for (std::uint32_t bucket = 0; bucket < experiment.buckets; ++bucket)
    {
        DrawMarks(random, experiment.density, bits);
        totals.Add(Peel(layout, bits.data(), counters.data(), decoded.data()));
    }
    return totals.Means(experiment.buckets);
}

PeelingCell
PeelingTableCell(std::size_t row, std::size_t load)
{
    constexpr double MILLION = 1e6;
    constexpr double HUNDRED = 100;
    const auto& cell = g_cells[row][load];
    return {cell.left / MILLION, cell.rounds / HUNDRED};
}

PeelingCell
ForecastPeeling(std::uint32_t counterRows, double load)
{
    std::size_t high = 0;
    while (high < PEELING_ROWS && 1U << high < counterRows)
    {
        ++high;
    }
    if (high == 0 || high == PEELING_ROWS)
    {
        return AtLoad(std::min(high, PEELING_ROWS - 1), load);
    }
    // From one row of the table to the next, R doubles.
    const auto low = high - 1;
    const auto share = PortableLog(static_cast<double>(counterRows) / (1U << low)) / PortableLog(2);
    return Between(AtLoad(low, load), AtLoad(high, load), share);
}

double
FoundDensity(const HomomorphicSettings& settings, double density)
{
    CheckDensity(density);
    if (settings.index != HomomorphicIndex::BLOOM)
    {
        return density;
    }
    return density + (1 - density) * BloomFalsePositives(settings.bloom, density);
}

PeelingForecast
ForecastFound(const HomomorphicShape& shape, double density)
{
    CheckDensity(density);
    const auto load = shape.rows == 0 ? 0 : density * shape.rows / shape.counterRows;
    return {load, ForecastPeeling(shape.counterRows, load)};
}

PeelingForecast
ForecastBucket(const HomomorphicSettings& settings, std::uint64_t count, double density)
{
    const auto shape = ShapeOf(settings, count);
    return ForecastFound(shape, FoundDensity(settings, density));
}

std::optional<double>
LargestSafeRatio(std::uint32_t rows, double density, double mostLeft)
{
    CheckDensity(density);
    const auto isSafe = [=](std::uint64_t counterRows) {
        const auto load = density * rows / static_cast<double>(counterRows);
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        return ForecastPeeling(static_cast<std::uint32_t>(std::min(counterRows, most)), load)
                   .leftShare <= mostLeft;
    };
    std::uint64_t tooFew = 0;
    auto enough = std::uint64_t{rows} * 2;
    if (rows == 0 || !isSafe(enough))
    {
        return std::nullopt;
    }
    while (enough - tooFew > 1)
    {
        const auto middle = (tooFew + enough) / 2;
        (isSafe(middle) ? enough : tooFew) = middle;
    }
    return rows / static_cast<double>(enough);
}

std::optional<double>
RoundedSafeRatio(std::uint32_t rows, double density)
{
    constexpr double million = 1e6;
    const auto safe = LargestSafeRatio(rows, density);
    return safe ? std::optional(std::ceil(*safe * million) / million) : std::nullopt;
}

HomomorphicTraffic
TrafficOf(const HomomorphicSettings& settings,
          std::uint64_t count,
          double density,
          double unionDensity)
{
    if (!(density >= 0 && density <= unionDensity))
    {
        throw InputError("homomorphic: a worker's density must be 0 to that of the union, got " +
                         std::to_string(density) + " and " + std::to_string(unionDensity));
    }
    const auto values = static_cast<double>(ShapeOf(settings, count).RowValues());
    if (values == 0)
    {
        return {};
    }
    const auto figures = ForecastBucket(settings, count, unionDensity).figures;
    const auto peeled = values * FoundDensity(settings, unionDensity) * (1 - figures.leftShare);
    return {values * g_perValue,
            values * (g_perValue + density * g_perSketched),
            values * g_perValue * figures.bucketRounds + peeled * g_perPeeled,
            figures.bucketRounds};
}

} // namespace inca
