/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/reference-sum.h"

#include <cstddef>

namespace inca
{

void
ReferenceSum(const WorkerGradient& own, Rank workers, ElementRange window, std::vector<double>& sum)
{
    sum.assign(window.count, 0.0);
    std::vector<float> gradient(window.count);
    for (Rank worker = 0; worker < workers; ++worker)
    {
        own(worker, window, gradient.data());
        for (std::size_t i = 0; i < gradient.size(); ++i)
        {
            sum[i] += static_cast<double>(gradient[i]);
        }
    }
}

} // namespace inca
