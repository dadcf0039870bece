/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/reference-sum.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace inca
{

namespace
{

constexpr std::size_t g_lanes = 8; ///< added at once: enough for any vector unit

void
AddTo(const float* values, std::size_t count, double* sum)
{
    std::size_t i = 0;
    for (; i + g_lanes <= count; i += g_lanes)
    {
        for (std::size_t lane = 0; lane < g_lanes; ++lane)
        {
            sum[i + lane] += static_cast<double>(values[i + lane]);
        }
    }
    for (; i < count; ++i)
    {
        sum[i] += static_cast<double>(values[i]);
    }
}

} // namespace

void
ReferenceSum(const WorkerGradient& own, Rank workers, ElementRange window, std::vector<double>& sum)
{
    sum.assign(window.count, 0.0);
    std::array<float, WORD_BLOCK> gradient;
    for (std::uint64_t begin = 0; begin < window.count; begin += WORD_BLOCK)
    {
        const auto count = std::min<std::uint64_t>(WORD_BLOCK, window.count - begin);
        for (Rank worker = 0; worker < workers; ++worker)
        {
            own(worker, {window.begin + begin, count}, gradient.data());
            AddTo(gradient.data(), count, &sum[begin]);
        }
    }
}

} // namespace inca
