/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_SAMPLE_H
#define INCA_RECORD_SAMPLE_H

#include <cstddef>
#include <vector>

namespace inca
{

/** What several values say of the mean of all that might be drawn. */
struct Sample
{
    std::size_t count{0};
    double mean{0};
    double deviation{0}; ///< standard, with count - 1; 0 of one value
    double margin{0};    ///< of the mean, with 95 % of confidence, by Student's t; 0 of one value
};

/** @param values at least one */
Sample SampleOf(const std::vector<double>& values);

} // namespace inca

#endif // INCA_RECORD_SAMPLE_H
