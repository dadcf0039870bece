/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/models.h"

#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <utility>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_bitsPerValue = 32;
constexpr double g_bitsPerGigabit = 1e9;
constexpr double g_percent = 100;

/** Every exchange at every rate. */
std::vector<ModelNetwork>
NetworksOf(const std::string& trace)
{
    std::vector<ModelNetwork> networks;
    for (const auto& exchange : HomomorphicExchanges())
    {
        for (const auto gigabits : HomomorphicRates())
        {
            networks.push_back({trace, exchange, gigabits});
        }
    }
    return networks;
}

/** An exchange alone, and an iteration that it overlaps with. */
struct RunPair
{
    const MeasuredRun& exchange;
    const MeasuredRun& iteration;
};

GainPrediction
Predict(std::uint64_t values, const RunPair& plain, const RunPair& coded)
{
    GainPrediction gain;
    gain.sketches = SketchesOf(coded.iteration.scenario);
    gain.plainGbps = ThroughputGbps(values, plain.exchange);
    gain.codedGbps = ThroughputGbps(values, coded.exchange);
    gain.plainSeconds = IterationSeconds(plain.iteration);
    gain.codedSeconds = IterationSeconds(coded.iteration);
    const auto indexShare = gain.sketches.IndexShare();
    gain.exchangeParts = WithinExchange(PartsOf(coded.exchange.results.shares, indexShare));
    gain.iterationParts = PartsOf(coded.iteration.results.shares, indexShare);
    return gain;
}

/** Collects what the CSV says of one prediction. */
class Figures
{
  public:
    explicit Figures(const ModelPrediction& prediction)
        : m_model(prediction.network.trace),
          m_system(prediction.System()),
          m_sparsity(prediction.SparsityText())
    {
    }

    void Add(const std::string& what, FigureUnit unit, double value)
    {
        Comparison figure;
        figure.model = m_model;
        figure.system = m_system;
        figure.figure = what + ", " + m_sparsity;
        figure.unit = unit;
        figure.predicted = value;
        figure.onlyInCsv = true;
        m_figures.push_back(std::move(figure));
    }

    void AddParts(const std::string& whole, const HomomorphicParts& parts)
    {
        const auto total = static_cast<double>(parts.TotalPs());
        for (const auto& [name, ps] : {std::pair{"compute", parts.computePs},
                                       {"rounds", parts.roundsPs},
                                       {"index", parts.indexPs},
                                       {"density", parts.densityPs},
                                       {"hosts", parts.hostsPs}})
        {
            Add(whole + ": " + name,
                FigureUnit::PERCENT,
                total > 0 ? static_cast<double>(ps) / total * g_percent : 0);
        }
    }

    std::vector<Comparison> Take()
    {
        return std::move(m_figures);
    }

  private:
    std::string m_model;
    std::string m_system;
    std::string m_sparsity;
    std::vector<Comparison> m_figures;
};

} // namespace

double
GainPrediction::ThroughputGain() const
{
    return codedGbps / plainGbps;
}

double
GainPrediction::IterationGain() const
{
    return plainSeconds / codedSeconds;
}

std::string
ModelPrediction::System() const
{
    return fmt::format("{} at {} Gb/s", network.exchange, network.gigabitsPerSecond);
}

std::string
ModelPrediction::SparsityText() const
{
    return fmt::format("{}, {}{}",
                       sparsity.density ? fmt::format("density {:g}", *sparsity.density)
                                        : "natural density",
                       sparsity.identical ? "identical" : "independent",
                       sparsity.ratio ? fmt::format(", ratio {:g}", *sparsity.ratio) : "");
}

double
ThroughputGbps(std::uint64_t values, const MeasuredRun& run)
{
    const auto seconds = static_cast<double>(run.ExchangePs()) / g_psPerSecond;
    return static_cast<double>(values) * g_bitsPerValue / seconds / g_bitsPerGigabit;
}

double
IterationSeconds(const MeasuredRun& run)
{
    return static_cast<double>(run.results.iterationEndsPs.at(0)) / g_psPerSecond;
}

std::vector<PlannedRun>
ModelRuns(const std::string& trace)
{
    const auto work = static_cast<double>(FindTrace(trace).Elements());
    std::vector<PlannedRun> runs;
    for (const auto& network : NetworksOf(trace))
    {
        for (const bool overlap : {false, true})
        {
            runs.push_back({ModelBaseline(network, overlap), work});
        }
        for (const auto& sparsity : HomomorphicSparsities())
        {
            for (const bool overlap : {false, true})
            {
                runs.push_back({ModelCompressed(network, sparsity, overlap), work});
            }
        }
    }
    return runs;
}

std::vector<ModelPrediction>
ModelPredictions(const std::string& trace, const std::vector<MeasuredRun>& runs)
{
    const auto values = FindTrace(trace).Elements();
    std::vector<ModelPrediction> predictions;
    std::size_t next = 0;
    const auto takePair = [&] {
        next += 2;
        return RunPair{runs.at(next - 2), runs.at(next - 1)};
    };
    for (const auto& network : NetworksOf(trace))
    {
        const auto plain = takePair();
        for (const auto& sparsity : HomomorphicSparsities())
        {
            predictions.push_back({network, sparsity, Predict(values, plain, takePair())});
        }
    }
    return predictions;
}

std::vector<Comparison>
FiguresOf(const ModelPrediction& prediction)
{
    const auto& gain = prediction.gain;
    Figures figures(prediction);
    figures.Add("throughput uncompressed", FigureUnit::GIGABITS_PER_SECOND, gain.plainGbps);
    figures.Add("throughput", FigureUnit::GIGABITS_PER_SECOND, gain.codedGbps);
    figures.Add("throughput gain", FigureUnit::TIMES, gain.ThroughputGain());
    figures.Add("iteration uncompressed", FigureUnit::SECONDS, gain.plainSeconds);
    figures.Add("iteration", FigureUnit::SECONDS, gain.codedSeconds);
    figures.Add("iteration gain", FigureUnit::TIMES, gain.IterationGain());
    figures.Add("ratio", FigureUnit::TIMES, gain.sketches.ratio.value_or(1));
    figures.Add("bytes reduced", FigureUnit::TIMES, gain.sketches.Reduction());
    figures.Add("estimated values", FigureUnit::PERCENT, gain.sketches.estimatedShare * g_percent);
    figures.AddParts("exchange", gain.exchangeParts);
    figures.AddParts("iteration", gain.iterationParts);
    return figures.Take();
}

} // namespace inca
