/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_SKETCHES_H
#define INCA_VALIDATION_HOMOMORPHIC_SKETCHES_H

#include "scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

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

#endif // INCA_VALIDATION_HOMOMORPHIC_SKETCHES_H
