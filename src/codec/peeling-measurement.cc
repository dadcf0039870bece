/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-measurement.h"

#include "base/errors.h"
#include "base/random.h"
#include "codec/peeling-decoder.h"

#include <algorithm>
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

} // namespace inca
