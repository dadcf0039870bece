/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_KIND_H
#define INCA_SWEEP_RUN_KIND_H

#include <array>
#include <cstddef>
#include <string>

namespace inca
{

/** What is run of a scenario. */
enum class RunKind
{
    ITSELF,         ///< the scenario as it is
    BASELINE,       ///< the fastest uncompressed exchange instead of it, with its type of gradients
    BASELINE_16BIT, ///< the same with gradients of 16 bits
};

/** The two kinds of baselines, in the order of columns. */
constexpr std::array<RunKind, 2> BASELINE_KINDS{RunKind::BASELINE, RunKind::BASELINE_16BIT};

/** The keys of their results, in the same order. */
using BaselineKeys = std::array<std::string, BASELINE_KINDS.size()>;

/** How processes tell each other of a kind. @{ */
constexpr char
LetterOf(RunKind kind)
{
    return static_cast<char>('0' + static_cast<int>(kind));
}

constexpr RunKind
KindOf(char letter)
{
    return static_cast<RunKind>(letter - '0');
}

/** @} */

} // namespace inca

#endif // INCA_SWEEP_RUN_KIND_H
