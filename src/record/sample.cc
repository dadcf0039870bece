/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/sample.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace inca
{

Sample
SampleOf(const std::vector<double>& values)
{
    Sample sample;
    sample.count = values.size();
    const auto count = static_cast<double>(sample.count);
    for (const auto value : values)
    {
        sample.mean += value / count;
    }
    if (sample.count > 1)
    {
        double squares = 0;
        for (const auto value : values)
        {
            squares += (value - sample.mean) * (value - sample.mean);
        }
        constexpr double above = 0.025; // and as much below
        const boost::math::students_t distribution(count - 1);
        sample.deviation = std::sqrt(squares / (count - 1));
        sample.margin = boost::math::quantile(boost::math::complement(distribution, above)) *
                        sample.deviation / std::sqrt(count);
    }
    return sample;
}

} // namespace inca
