/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Steps that the network adds.
#include "rank/round-runner.h"

#include "base/errors.h"

#include <algorithm>

namespace inca
{

void
RoundRunner::BeginNetworkSum(ElementRange range)
{
    if (!m_host.aggregation)
    {
        throw InvariantError("rank " + std::to_string(m_host.rank) +
                             " has a step that the network adds, but no aggregation client");
    }
    if ((m_stepIndex > 0 || m_roundIndex > 0) && m_job.concurrent > 1)
    {
        throw InvariantError("step " + std::to_string(m_stepIndex) + " of round " +
                             std::to_string(m_roundIndex) +
                             " has the network add, which all workers must ask for in one order: "
                             "of exchanges at the same time only first steps keep to one");
    }
    NetworkSumRequest request;
    request.values = range.count;
    if (m_round.hooks.sum != WordSum::FP32)
    {
        request.words = m_round.hooks.sum;
        request.exponent = m_input.exponent;
        request.writeExponent = [this](std::int16_t exponent) { m_largestExponent = exponent; };
    }
    if (m_values)
    {
        m_networkSum.resize(range.count);
        request.read = [this, range](ElementRange part, Word* out) {
            m_values->Read({range.begin + part.begin, part.count}, out);
        };
        request.write = [this](ElementRange part, const Word* sum) {
            std::copy_n(sum, part.count, &m_networkSum[part.begin]);
        };
    }
    request.done = [this] { EndNetworkSum(); };
    m_host.aggregation->Sum(std::move(request));
}

void
RoundRunner::EndNetworkSum()
{
    const auto range = *m_step.networkSum;
    const auto bytes = PlainBytes(range);
    m_messageSeen({m_stepIndex, Leg::GRADIENT, GradientBytes(range), bytes});
    if (m_values)
    {
        Step store;
        store.receives = {{m_host.rank, range, Leg::GRADIENT}};
        m_values->Receive(store, {m_networkSum.data()});
        m_networkSum = {};
    }
    EndStep();
}

} // namespace inca
