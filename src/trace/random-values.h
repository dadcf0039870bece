/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_RANDOM_VALUES_H
#define INCA_TRACE_RANDOM_VALUES_H

#include "trace/gradient-trace.h"

#include <array>
#include <cstddef>
#include <optional>

namespace inca
{

constexpr std::size_t g_exponentCount = 256;

/** Share of the values by biased fp32 exponent; exponent 0 stands for zero. Adds up to 1. */
using ExponentLaw = std::array<double, g_exponentCount>;

/**
 * The distribution of a layer's random values: the published width shares at 2^-@p bound; else
 * the exponent histogram; else the width shares at the nearest published bound (the finer of two).
 *
 * Of width shares, an exponent is uniform in its class: 34 bits 127 and 128; 18 bits from eb +
 * ceil((127 - eb) / 2) to 126; 10 bits from eb to below that; 2 bits zero or one of the ten
 * exponents below eb, where eb = 127 - bound (INCEPTIONN, Algorithm 2). A class that holds no
 * exponent is left out. Where density is known, it says how many values are zero, and others keep
 * their shares; values that the histogram counts as denormal become of exponent 1.
 * @return empty if the statistics have neither widths nor exponents
 */
std::optional<ExponentLaw> MakeExponentLaw(const LayerStatistics& statistics, unsigned bound);

} // namespace inca

#endif // INCA_TRACE_RANDOM_VALUES_H
