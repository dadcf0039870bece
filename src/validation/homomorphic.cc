/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic.h"
#include "trace/trace-catalog.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace inca
{

namespace
{

using Predictions = std::vector<HomomorphicPrediction>;

constexpr double g_releasedRatio = 10;
constexpr double g_percent = 100;
constexpr const char* g_name = "homomorphic";
constexpr const char* g_benchmark = "benchmark";
constexpr const char* g_ratio = "ratio";
constexpr const char* g_bytes = "bytes";

void
AddFigures(const Predictions& predictions, PartReport& report)
{
    for (const auto& prediction : predictions)
    {
        const auto figures = FiguresOf(prediction);
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
    }
}

// -- models

/** Every model over every exchange at every rate. */
std::vector<ModelNetwork>
NetworksOf(const std::vector<std::string>& models)
{
    std::vector<ModelNetwork> networks;
    for (const auto& model : models)
    {
        for (const auto* exchange : g_homomorphicExchanges)
        {
            for (const auto gigabits : g_homomorphicRates)
            {
                networks.push_back({model, exchange, gigabits});
            }
        }
    }
    return networks;
}

/** What NetworksOf's runs give, of which each was run once; uncompressed ones for all sparsities. */
Predictions
PredictModels(const std::vector<ModelNetwork>& networks, const std::vector<MeasuredRun>& runs)
{
    Predictions predictions;
    std::size_t next = 0;
    const auto takePair = [&] {
        next += 2;
        return RunPair{runs.at(next - 2), runs.at(next - 1)};
    };
    for (const auto& network : networks)
    {
        const auto plain = takePair();
        for (const auto& sparsity : HomomorphicSparsities())
        {
            predictions.push_back(PredictModel(network, sparsity, plain, takePair()));
        }
    }
    return predictions;
}

ValidationPart
ModelsPart(const std::vector<std::string>& models)
{
    const auto networks = NetworksOf(models);
    ValidationPart part;
    for (const auto& network : networks)
    {
        const auto work = static_cast<double>(FindTrace(network.trace).Elements());
        for (const bool overlap : {false, true})
        {
            part.runs.push_back({ModelBaseline(network, overlap), work});
        }
        for (const auto& sparsity : HomomorphicSparsities())
        {
            for (const bool overlap : {false, true})
            {
                part.runs.push_back({ModelCompressed(network, sparsity, overlap), work});
            }
        }
    }
    part.compare = [networks](const auto& runs, const auto&) {
        PartReport report;
        const auto all = PredictModels(networks, runs);
        for (auto begin = all.begin(); begin != all.end();)
        {
            const auto end = std::find_if(
                begin, all.end(), [begin](const auto& one) { return one.model != begin->model; });
            report.tables += ModelTable({begin, end});
            begin = end;
        }
        report.tables += BestText(all);
        AddFigures(all, report);
        return report;
    };
    return part;
}

// -- the released benchmark

/** Uncompressed at every rate, in their order. */
std::vector<PlannedRun>
BenchmarkBaselines()
{
    std::vector<PlannedRun> runs;
    for (const auto gigabits : g_homomorphicRates)
    {
        runs.push_back({BenchmarkBaseline(gigabits)});
    }
    return runs;
}

/** @param runs beginning with those of BenchmarkBaselines */
const MeasuredRun&
BaselineOf(const BenchmarkSetup& setup, const std::vector<MeasuredRun>& runs)
{
    const auto& rates = g_homomorphicRates;
    const auto* rate = std::find(rates.begin(), rates.end(), setup.gigabitsPerSecond);
    return runs.at(static_cast<std::size_t>(rate - rates.begin()));
}

ValidationPart
BenchmarkPart()
{
    ValidationPart part{BenchmarkBaselines(), {}};
    for (const auto& setup : BenchmarkSetups())
    {
        part.runs.push_back({BenchmarkCompressed(setup, g_releasedRatio)});
    }
    part.compare = [](const std::vector<MeasuredRun>& runs, const auto&) {
        Predictions predictions;
        auto next = g_homomorphicRates.size();
        for (const auto& setup : BenchmarkSetups())
        {
            predictions.push_back(PredictBenchmark(setup, BaselineOf(setup, runs), runs.at(next)));
            ++next;
        }
        PartReport report{{}, BenchmarkTable(predictions)};
        AddFigures(predictions, report);
        return report;
    };
    return part;
}

// -- the ratio at which the benchmark reaches the claimed gain

/** At density 0.05 sketches decode up to 15.6; beyond, until bytes of counters no longer matter. */
constexpr std::array<double, 16> g_ratios{
    2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15.5, 20, 32, 64, 128};
constexpr int g_halvings = 10;

/** Up to this load (values marked per lane / R) large sketches decode without loss. */
constexpr double g_losslessLoad = 0.78;

/** One set-up's search, and what it has found so far. */
struct Search
{
    BenchmarkSetup setup;
    const MeasuredRun& plain;
    Predictions all{};

    void Take(const MeasuredRun& run)
    {
        all.push_back(PredictBenchmark(setup, plain, run));
    }

    /** @return that of the smallest ratio that reaches the claimed gain; null if none does */
    const HomomorphicPrediction* Reached() const
    {
        const HomomorphicPrediction* least = nullptr;
        for (const auto& one : all)
        {
            const bool isReached = one.ThroughputGain() >= g_claimedThroughputGain;
            least = isReached && (least == nullptr || one.asked < least->asked) ? &one : least;
        }
        return least;
    }

    /** @return the ratio to run next; 0: the gain is not reached, or at the first ratio already */
    double Middle() const
    {
        const auto* reached = Reached();
        double below = 0;
        for (const auto& one : all)
        {
            below = reached != nullptr && one.asked < reached->asked ? std::max(below, one.asked)
                                                                     : below;
        }
        return below > 0 ? below + (reached->asked - below) / 2 : 0;
    }

    /** The smallest ratio's load is a tenth, so there is one that decodes. */
    FoundRatio Result() const
    {
        Predictions decoding;
        std::copy_if(all.begin(), all.end(), std::back_inserter(decoding), [](const auto& one) {
            return one.sketches.load < g_losslessLoad;
        });
        const auto* reached = Reached();
        return {reached != nullptr, reached != nullptr ? *reached : Best(all), Best(decoding)};
    }

    static HomomorphicPrediction Best(const Predictions& predictions)
    {
        return *std::max_element(
            predictions.begin(), predictions.end(), [](const auto& a, const auto& b) {
                return a.ThroughputGain() < b.ThroughputGain();
            });
    }
};

/** Halves the intervals of all searches once, together, so that the request's jobs have work. */
void
Halve(std::vector<Search>& searches, const ValidationRequest& request)
{
    std::vector<PlannedRun> runs;
    std::vector<Search*> running;
    for (auto& search : searches)
    {
        if (const auto ratio = search.Middle(); ratio > 0)
        {
            runs.push_back({BenchmarkCompressed(search.setup, ratio)});
            running.push_back(&search);
        }
    }
    const auto measured = MeasureAll(g_name, runs, request);
    for (std::size_t i = 0; i < running.size(); ++i)
    {
        running[i]->Take(measured[i]);
    }
}

std::vector<Comparison>
FiguresOf(const FoundRatio& found)
{
    auto at = found.at;
    at.model = g_ratio;
    const auto& best = found.bestThatDecodes;
    return {
        PredictedFigure(at,
                        found.reached ? "ratio that reaches 6.33x" : "ratio of the largest gain",
                        FigureUnit::TIMES,
                        at.asked),
        PredictedFigure(at, "throughput gain", FigureUnit::TIMES, at.ThroughputGain()),
        PredictedFigure(
            at, "estimated values", FigureUnit::PERCENT, at.sketches.estimatedShare * g_percent),
        PredictedFigure(at, "largest gain that decodes", FigureUnit::TIMES, best.ThroughputGain()),
        PredictedFigure(at, "its ratio", FigureUnit::TIMES, best.asked)};
}

/** @param runs of the baselines, then of every set-up at every ratio */
PartReport
FindRatios(const std::vector<MeasuredRun>& runs, const ValidationRequest& request)
{
    std::vector<Search> searches;
    auto next = g_homomorphicRates.size();
    for (const auto& setup : BenchmarkSetups())
    {
        searches.push_back({setup, BaselineOf(setup, runs)});
        for (std::size_t i = 0; i < g_ratios.size(); ++i)
        {
            searches.back().Take(runs.at(next + i));
        }
        next += g_ratios.size();
    }
    for (int i = 0; i < g_halvings; ++i)
    {
        Halve(searches, Phase(request, i / double{g_halvings}, (i + 1) / double{g_halvings}));
    }
    PartReport report;
    std::vector<FoundRatio> found;
    for (const auto& search : searches)
    {
        found.push_back(search.Result());
        const auto figures = FiguresOf(found.back());
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
    }
    report.tables = RatioTable(found);
    return report;
}

/** Runs every set-up at all ratios, then halves the interval in which the gain is first reached. */
ValidationPart
RatioPart()
{
    constexpr double searchShare = 0.1; // of all parts' time
    ValidationPart part{BenchmarkBaselines(), FindRatios, searchShare};
    for (const auto& setup : BenchmarkSetups())
    {
        for (const auto ratio : g_ratios)
        {
            part.runs.push_back({BenchmarkCompressed(setup, ratio)});
        }
    }
    return part;
}

// -- bytes

/** A number that arithmetic on the paper's numbers gives; it is not in the paper. */
struct DerivedBytes
{
    const char* system; ///< an index or a trace
    double zeros;       ///< of a trace: reported for OmniReduce's set-up, unverified
    double value;       ///< a ratio or a reduction
};

/** The ratio at which a stream is 6.33 times as small: index + 4 / ratio = 4 / 6.33 bytes per value. */
constexpr std::array<DerivedBytes, 2> g_derivedRatios{{{"bits-1", 0, 7.9}, {"bits-4", 0, 30.3}}};

/**
 * How much smaller a model's gradients get, with 4 workers and independent positions. 1: no safe ratio
 * makes them smaller.
 */
constexpr std::array<DerivedBytes, 4> g_derivedReductions{
    {{"ncf", 0.845, 1.5}, {"lstm", 0.945, 3.4}, {"vgg-19", 0.32, 1}, {"bert-base", 0.093, 1}}};

Comparison
BytesFigure(const std::string& system,
            const std::string& figure,
            double predicted,
            double derived,
            const char* source,
            std::optional<double> limit)
{
    return {g_bytes,
            system,
            figure,
            FigureUnit::TIMES,
            predicted,
            Single(derived, PublishedClass::DERIVED, source),
            limit};
}

/** @param density empty: as in the trace, which is not judged */
Comparison
ReductionFigure(const DerivedBytes& derived, std::optional<double> density)
{
    constexpr double limit = 0.05;
    const ModelNetwork network{
        derived.system, g_homomorphicExchanges.front(), g_homomorphicRates.front()};
    return BytesFigure(derived.system,
                       density ? "bytes reduced, zeros as reported, in all layers"
                               : "bytes reduced, zeros as in the trace, by layer",
                       SketchesOf(ModelCompressed(network, {density, false}, true)).Reduction(),
                       derived.value,
                       "0.78 / (1 - s^4)",
                       density ? std::optional(limit) : std::nullopt);
}

/** Bytes alone, without a run. */
PartReport
CompareBytes(const std::vector<MeasuredRun>& /*none*/, const ValidationRequest& /*all*/)
{
    constexpr double limit = 0.01;
    PartReport report;
    for (const auto& derived : g_derivedRatios)
    {
        report.comparisons.push_back(BytesFigure(
            std::string(derived.system) + " index",
            fmt::format("ratio at which bytes shrink {} times", g_claimedThroughputGain),
            RatioByBytes(derived.system, g_claimedThroughputGain).value(),
            derived.value,
            "index + 4 / ratio",
            limit));
    }
    for (const auto& derived : g_derivedReductions)
    {
        report.comparisons.push_back(ReductionFigure(derived, 1 - derived.zeros));
    }
    for (const auto& derived : g_derivedReductions)
    {
        report.comparisons.push_back(ReductionFigure(derived, std::nullopt));
    }
    return report;
}

} // namespace

Validation
HomomorphicValidation()
{
    Validation validation;
    validation.name = g_name;
    validation.meaning = "lossless homomorphic compression (arXiv 2402.07529): predictions for "
                         "four models, and bytes";
    validation.title =
        "Lossless homomorphic compression (arXiv 2402.07529): PREDICTIONS. The paper's tables are "
        "not\n"
        "available to us: nothing here is reproduced, and no row is judged by its \"up to 6.33x\"\n"
        "throughput and \"up to 3.74x\" iteration speed. Judged is arithmetic on bytes alone.";
    validation.fixedKeys = {"training.trace",
                            "training.iterations",
                            "training.overlap",
                            "training.density",
                            "training.union_exponent",
                            "cluster.workers",
                            "cluster.bandwidth",
                            "cluster.gpus",
                            "exchange.algorithm",
                            "codec.name",
                            "codec.ratio",
                            "codec.index",
                            "codec.rounds",
                            "simulation.warmup"};
    validation.models = {g_homomorphicModels.begin(), g_homomorphicModels.end()};
    validation.models.insert(validation.models.end(), {g_benchmark, g_ratio, g_bytes});
    validation.parts = [](const auto& chosen, const ValidationRequest&) {
        std::vector<std::string> models;
        std::vector<ValidationPart> others;
        for (const auto& name : chosen)
        {
            if (name == g_benchmark)
            {
                others.push_back(BenchmarkPart());
            }
            else if (name == g_ratio)
            {
                others.push_back(RatioPart());
            }
            else if (name == g_bytes)
            {
                others.push_back({{}, CompareBytes});
            }
            else
            {
                models.push_back(name);
            }
        }
        if (!models.empty())
        {
            others.insert(others.begin(), ModelsPart(models));
        }
        return others;
    };
    return validation;
}

} // namespace inca
