/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/network-sum-step.h"

#include "base/errors.h"

#include <algorithm>
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
        m_words.resize(range.count);
        request.read = [this, range](ElementRange part, Word* out) {
            m_content.Words()->Read({range.begin + part.begin, part.count}, out);
        };
        request.write = [this](ElementRange part, const Word* sum) {
            std::copy_n(sum, part.count, &m_words[part.begin]);
        };
    }
    request.done = [this, range, done = std::move(done)] {
        End(range);
        done();
    };
    m_host.aggregation->Sum(std::move(request));
}

void
NetworkSumStep::End(ElementRange range)
{
    Step store;
    store.receives = {{m_host.rank, range, Leg::GRADIENT}};
    m_content.Receive(store, {m_words.data()});
    m_words = {};
}

} // namespace inca
