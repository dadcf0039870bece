/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_H
#define INCA_VALIDATION_HOMOMORPHIC_H

#include "validation/validation.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Lossless homomorphic compression (arXiv 2402.07529) of four models' gradients, over exchanges
 * and rates, and the set-up of the authors' benchmark. The paper's testbed is not known to us: 4
 * workers, frames of 9000 bytes, links of 1 us, hosts that neither copy nor add (host.copy_rate,
 * host.sum_rate).
 */

constexpr std::array<const char*, 4> g_homomorphicModels{"ncf", "lstm", "vgg-19", "bert-base"};
constexpr std::array<const char*, 4> g_homomorphicExchanges{
    "ring", "parameter-server", "sharded-parameter-server", "switch-slots"};
constexpr std::array<std::uint64_t, 4> g_homomorphicRates{10, 25, 40, 100}; ///< Gb/s

/** What zeros a run's gradients have, and what is made of them. */
struct Sparsity
{
    std::optional<double> density; ///< of every layer; empty: the trace's own
    bool identical{false};         ///< the same positions on every worker; else independent ones
    std::optional<double> ratio{}; ///< empty: the largest safe one of each bucket
};

/**
 * The trace's own density and 0.05, each with independent and with identical positions at the largest
 * safe ratio, whose sketches take many rounds to peel; and 0.05 with identical positions at the
 * benchmark's ratio of 10.
 */
const std::vector<Sparsity>& HomomorphicSparsities();

/** A model's gradients over an exchange, at a rate. */
struct ModelNetwork
{
    std::string trace;
    std::string exchange;
    std::uint64_t gigabitsPerSecond{0};
};

/**
 * One iteration of the model, uncompressed.
 * @param overlap while backward goes on, as in training; else all gradients are there when the
 *                first exchange starts, so that exchange time is nothing else
 */
Scenario ModelBaseline(const ModelNetwork& network, bool overlap);

/** The same, compressed on GPUs, with an index of one bit per value. */
Scenario ModelCompressed(const ModelNetwork& network, const Sparsity& sparsity, bool overlap);

/** How the benchmark is run. */
struct BenchmarkSetup
{
    std::string index;  ///< "bits-4", as released, or "bits-1"
    std::string rounds; ///< "dependent", as released, or "overlapped"
    std::uint64_t gigabitsPerSecond{0};
};

/** Both indexes, with both orders of rounds, at all rates. */
std::vector<BenchmarkSetup> BenchmarkSetups();

/** 2^27 values of each of two GPUs on four workers, over a ring, uncompressed. */
Scenario BenchmarkBaseline(std::uint64_t gigabitsPerSecond);

/** The same at density 0.05 with the same positions everywhere. */
Scenario BenchmarkCompressed(const BenchmarkSetup& setup, double ratio);

/** What a scenario's sketches are, all its chunks together; follows from densities alone. */
struct SketchFigures
{
    std::optional<double> ratio; ///< rows per counter row of what is coded; empty: nothing is
    double load{0};              ///< of the fullest chunk
    double estimatedShare{0};    ///< of the values marked in coded chunks, expected
    std::uint64_t values{0};     ///< fp32, of the model
    std::uint64_t indexWords{0}; ///< 4 bytes each
    std::uint64_t otherWords{0}; ///< counters, tails, and values that are not coded

    /** Bytes of the model's gradient over those that stand for it. */
    double Reduction() const;

    /** Of the bytes that stand for it. */
    double IndexShare() const;
};

/** @param scenario with codec.name = "homomorphic" @throws InputError as PrepareJob does */
SketchFigures SketchesOf(const Scenario& scenario);

/**
 * The ratio at which the benchmark's stream is @p reduction times as small as its values, by bytes
 * alone.
 * @param index "bits-1" or "bits-4"
 * @return empty if the index alone is too large, at any ratio
 */
std::optional<double> RatioByBytes(const std::string& index, double reduction);

/**
 * "Up to", in the abstract of arXiv 2402.07529, over NCF, LSTM, VGG19 and BERT-base (printed). For
 * which of them, over which network and at which sparsity is not known to us: predictions are
 * put beside these numbers, never judged by them.
 */
constexpr double g_claimedThroughputGain = 6.33;
constexpr double g_claimedIterationGain = 3.74;

/** Where the time of a compressed iteration goes: what limits it is the largest part. */
constexpr std::array<const char*, 5> g_homomorphicParts{
    "compute", ///< forward, backward and update
    "rounds",  ///< encoding, peeling and its rounds' checks: the codec
    "index",   ///< communication that is not hidden, of the index
    "density", ///< the same of counters, tails and values that are not coded
    "hosts"};  ///< copies, GPUs of one worker among each other, sums of hosts

/** On the worker that ends last, in the order of g_homomorphicParts. They add up to the run's shares. (ps) */
using HomomorphicParts = std::array<std::int64_t, g_homomorphicParts.size()>;

/**
 * @param indexShare of the bytes that are exchanged, 0..1: communication is divided by bytes,
 *                   whatever of it was hidden
 */
HomomorphicParts PartsOf(const TimeShares& shares, double indexShare);

/** @return the name of the largest; of equal ones the first */
const char* LargestPart(const HomomorphicParts& parts);

/** What INCA predicts of one exchange, with and without compression. */
struct HomomorphicPrediction
{
    std::string model;   ///< "lstm" or "benchmark"
    std::string system;  ///< "ring at 10 Gb/s"; of the benchmark "10 Gb/s"
    std::string variant; ///< "density 0.05, identical"; of the benchmark "bits-4, dependent"
    std::string rowHead; ///< what a table's row begins with
    double asked{0};     ///< codec.ratio of the benchmark
    double plainGbps{0}; ///< aggregation throughput: fp32 bits over the exchange's time
    double codedGbps{0};
    double plainSeconds{0}; ///< of an iteration
    double codedSeconds{0};
    HomomorphicParts exchangeParts{};  ///< of the compressed exchange; neither compute nor hosts
    HomomorphicParts iterationParts{}; ///< of the compressed iteration
    SketchFigures sketches{};

    double ThroughputGain() const;
    double IterationGain() const;
};

/** A run of an exchange alone, and one of an iteration that it overlaps with; may be the same. */
struct RunPair
{
    const MeasuredRun& exchange;
    const MeasuredRun& iteration;
};

HomomorphicPrediction PredictModel(const ModelNetwork& network,
                                   const Sparsity& sparsity,
                                   const RunPair& plain,
                                   const RunPair& coded);

/**
 * The benchmark's throughput is of the exchange between machines, coding included; its iteration also has
 * the sums and copies between a machine's GPUs.
 */
HomomorphicPrediction PredictBenchmark(const BenchmarkSetup& setup,
                                       const MeasuredRun& plain,
                                       const MeasuredRun& coded);

/** A figure that is compared with nothing, for the CSV alone. */
Comparison PredictedFigure(const HomomorphicPrediction& prediction,
                           const std::string& name,
                           FigureUnit unit,
                           double value);

/** Every number of a prediction. */
std::vector<Comparison> FiguresOf(const HomomorphicPrediction& prediction);

/** Where a set-up of the benchmark reaches the claimed throughput gain. */
struct FoundRatio
{
    bool reached{false};
    /** At the smallest ratio that reaches it; where none does, at the one with the largest gain. */
    HomomorphicPrediction at;
    HomomorphicPrediction bestThatDecodes; ///< the largest gain of those that decode without loss
};

/** Plain text of at most 120 columns; each begins with an empty line. @{ */
/** One model: a line per exchange, rate, density and overlap. */
std::string ModelTable(const std::vector<HomomorphicPrediction>& predictions);

/**
 * The best gains of all models' predictions beside what the paper's abstract claims, how many reach
 * that, and what limits the others.
 */
std::string BestText(const std::vector<HomomorphicPrediction>& predictions);

/** The benchmark's set-up, a line per index, rounds and rate. */
std::string BenchmarkTable(const std::vector<HomomorphicPrediction>& predictions);

/** At which ratio the benchmark reaches the claimed throughput gain. */
std::string RatioTable(const std::vector<FoundRatio>& found);
/** @} */

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_H
