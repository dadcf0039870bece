/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_SCENARIOS_H
#define INCA_VALIDATION_HOMOMORPHIC_SCENARIOS_H

#include "scenario/scenario.h"

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

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_SCENARIOS_H
