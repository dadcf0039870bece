/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/validation.h"

#include "validation/homomorphic/bytes.h"
#include "validation/homomorphic/tables.h"
#include "validation/measured-run.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_name = "homomorphic";
constexpr const char* g_benchmark = "benchmark";
constexpr const char* g_ratio = "ratio";
constexpr const char* g_bytes = "bytes";
constexpr const char* g_title =
    "Lossless homomorphic compression (arXiv 2402.07529): PREDICTIONS. The paper's tables are not\n"
    "available to us: nothing here is reproduced, and no row is judged by its \"up to 6.33x\"\n"
    "throughput and \"up to 3.74x\" iteration speed. Judged is arithmetic on bytes alone.";

/** What differs from run to run. */
const std::vector<std::string>&
FixedKeys()
{
    static const std::vector<std::string> keys{"training.trace",
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
    return keys;
}

bool
Contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/** A share of the whole work, in front of what is left. */
ValidationRequest
Phase(const ValidationRequest& request, double from, double to)
{
    auto phase = request;
    if (request.onProgress)
    {
        phase.onProgress = [tell = request.onProgress, from, to](double share) {
            tell(from + (to - from) * share);
        };
    }
    return phase;
}

/** The runs of all parts whose runs are known beforehand, and which of them belong together. */
class Runs
{
  public:
    void Add(const std::vector<PlannedRun>& runs)
    {
        m_planned.insert(m_planned.end(), runs.begin(), runs.end());
        m_sizes.push_back(runs.size());
    }

    /** @return what each Add's runs gave */
    std::vector<std::vector<MeasuredRun>> Measure(const ValidationRequest& request) const
    {
        const auto measured = MeasureAll(g_name, m_planned, request);
        std::vector<std::vector<MeasuredRun>> parts;
        auto begin = measured.begin();
        for (const auto size : m_sizes)
        {
            const auto end = begin + static_cast<std::ptrdiff_t>(size);
            parts.emplace_back(begin, end);
            begin = end;
        }
        return parts;
    }

  private:
    std::vector<PlannedRun> m_planned;
    std::vector<std::size_t> m_sizes;
};

template <class Prediction>
void
AddFigures(const std::vector<Prediction>& predictions, ValidationReport& report)
{
    for (const auto& prediction : predictions)
    {
        const auto figures = FiguresOf(prediction);
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
    }
}

void
AddModels(const std::vector<std::string>& models,
          const std::vector<std::vector<MeasuredRun>>& parts,
          ValidationReport& report)
{
    std::vector<ModelPrediction> all;
    for (std::size_t i = 0; i < models.size(); ++i)
    {
        const auto predictions = ModelPredictions(models[i], parts.at(i));
        report.tables += ModelTable(predictions);
        AddFigures(predictions, report);
        all.insert(all.end(), predictions.begin(), predictions.end());
    }
    report.tables += all.empty() ? "" : BestText(all);
}

void
AddBenchmark(const std::vector<MeasuredRun>& runs, ValidationReport& report)
{
    const auto predictions = BenchmarkPredictions(runs);
    report.tables += BenchmarkTable(predictions);
    AddFigures(predictions, report);
}

void
AddRatios(const ValidationRequest& request, ValidationReport& report)
{
    const auto found = FindRatios(request);
    report.tables += RatioTable(found);
    AddFigures(found, report);
}

/** Models and benchmark, whose runs are known beforehand. */
void
AddPlanned(const std::vector<std::string>& chosen,
           const ValidationRequest& request,
           ValidationReport& report)
{
    Runs runs;
    std::vector<std::string> models;
    for (const auto& name : chosen)
    {
        if (Contains(HomomorphicModels(), name))
        {
            models.push_back(name);
            runs.Add(ModelRuns(name));
        }
    }
    const bool benchmark = Contains(chosen, g_benchmark);
    if (benchmark)
    {
        runs.Add(BenchmarkRuns());
    }
    const auto parts = runs.Measure(request);
    AddModels(models, parts, report);
    if (benchmark)
    {
        AddBenchmark(parts.back(), report);
    }
}

} // namespace

std::vector<std::string>
HomomorphicPartNames()
{
    auto names = HomomorphicModels();
    names.insert(names.end(), {g_benchmark, g_ratio, g_bytes});
    return names;
}

ValidationReport
ValidateHomomorphic(const ValidationRequest& request)
{
    RefuseKeys(request.settings, FixedKeys());
    const auto chosen = ChosenModels(request.models, HomomorphicPartNames());
    ValidationReport report{g_name, TitleWithSettings(g_title, request.settings), {}};
    const bool searches = Contains(chosen, g_ratio);
    constexpr double plannedShare = 0.7; // of the whole command's time
    AddPlanned(chosen, Phase(request, 0, searches ? plannedShare : 1), report);
    if (searches)
    {
        AddRatios(Phase(request, plannedShare, 1), report);
    }
    if (Contains(chosen, g_bytes))
    {
        const auto figures = HomomorphicBytes(g_bytes);
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
    }
    return report;
}

} // namespace inca
