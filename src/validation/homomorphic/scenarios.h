/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_SCENARIOS_H
#define INCA_VALIDATION_HOMOMORPHIC_SCENARIOS_H

#include "scenario/scenario.h"

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

/** "ncf", "lstm", "vgg-19" and "bert-base". */
const std::vector<std::string>& HomomorphicModels();

/** "ring", "parameter-server", "sharded-parameter-server" and "switch-slots". */
const std::vector<std::string>& HomomorphicExchanges();

/** 10, 25, 40 and 100. (Gb/s) */
const std::vector<std::uint64_t>& HomomorphicRates();

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

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_SCENARIOS_H
