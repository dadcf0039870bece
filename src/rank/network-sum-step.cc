/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/network-sum-step.h"

#include "base/errors.h"

#include <string>
#include <utility>

namespace inca
{

void
NetworkSumStep::Begin(ElementRange range, std::function<void()> done)
{
    if (!m_host.aggregation)
    {
        throw InvariantError("rank " + std::to_string(m_host.rank) +
                             " has a step that the network adds, but no aggregation client");
    }
    NetworkSumRequest request;
    request.values = range.count;
    if (m_sum != WordSum::FP32)
    {
        request.words = m_sum;
        request.exponent = m_content.OwnExponent();
        request.writeExponent = [this](std::int16_t exponent) { m_largestExponent = exponent; };
    }
    if (m_content.Words() != nullptr)
    {
        request.read = [this, range](ElementRange part, Word* out) {
            m_content.Words()->Read({range.begin + part.begin, part.count}, out);
        };
        // a packet whose sum is there is not made again, so its own words are not asked for any more
        request.write = [this, range](ElementRange part, const Word* sum) {
            m_content.Store({range.begin + part.begin, part.count}, sum);
        };
    }
    request.done = std::move(done);
    m_host.aggregation->Sum(std::move(request));
}

} // namespace inca
