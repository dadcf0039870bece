/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-values.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace inca
{

RankValues::RankValues(ElementRange window, OwnGradient own, ValueHooks hooks)
    : m_window(window),
      m_own(std::move(own)),
      m_hooks(std::move(hooks))
{
}

void
RankValues::Read(ElementRange range, float* out) const
{
    for (const auto& piece : m_written.Cut(range))
    {
        auto* target = out + (piece.range.begin - range.begin);
        if (piece.held)
        {
            std::copy_n(&m_values[piece.range.begin - m_window.begin], piece.range.count, target);
        }
        else
        {
            m_own(piece.range, target);
        }
    }
}

void
RankValues::Receive(const Step& step, const std::vector<const float*>& received)
{
    for (std::size_t i = 0; i < step.receives.size(); ++i)
    {
        const auto range = Clip(step.receives[i].range, m_window);
        if (range.count == 0)
        {
            continue;
        }
        const bool stores =
            step.combine == Combine::STORE || (step.combine == Combine::SUM_ALL && i == 0);
        stores ? Store(range, received[i]) : Add(range, received[i]);
        if (step.ownsResult && m_hooks.keepOwned)
        {
            m_hooks.keepOwned(At(range.begin), range.count);
        }
    }
}

void
RankValues::Store(ElementRange range, const float* values)
{
    std::copy_n(values, range.count, At(range.begin));
    m_written.Add(range);
}

void
RankValues::Add(ElementRange range, const float* values)
{
    FetchOwn(range);
    auto* sums = At(range.begin);
    AddWords(m_hooks.sum, values, sums, range.count);
    if (m_hooks.roundSum)
    {
        m_hooks.roundSum(sums, range.count);
    }
}

void
RankValues::FetchOwn(ElementRange range)
{
    for (const auto& piece : m_written.Cut(range))
    {
        if (!piece.held)
        {
            m_own(piece.range, At(piece.range.begin));
        }
    }
    m_written.Add(range);
}

float*
RankValues::At(std::uint64_t element)
{
    if (!m_values)
    {
        m_values.reset(
            new float[m_window.count]); // not make_unique: it would write, and so take, every page
    }
    return &m_values[element - m_window.begin];
}

} // namespace inca
