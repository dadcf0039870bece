/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-values.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace inca
{

namespace
{

/** Of all that @p step receives of the same elements as with its receive number @p receive. */
bool
IsLastOf(const Step& step, std::size_t receive)
{
    const auto& range = step.receives[receive].range;
    return std::none_of(step.receives.begin() + static_cast<std::ptrdiff_t>(receive) + 1,
                        step.receives.end(),
                        [range](const Transfer& later) { return later.range == range; });
}

} // namespace

RankValues::RankValues(ElementRange window, OwnWords own, ValueHooks hooks)
    : m_window(window),
      m_own(std::move(own)),
      m_hooks(std::move(hooks))
{
}

void
RankValues::Restart(ElementRange window)
{
    m_window = window;
    m_written = {};
    m_updated.clear();
}

const Word*
RankValues::Held(ElementRange range) const
{
    const auto pieces = m_written.Cut(range);
    const bool isHeld = pieces.size() == 1 && pieces.front().held;
    return isHeld ? &m_words[range.begin - m_window.begin] : nullptr;
}

void
RankValues::Read(ElementRange range, Word* out) const
{
    for (const auto& piece : m_written.Cut(range))
    {
        auto* target = out + (piece.range.begin - range.begin);
        if (piece.held)
        {
            std::copy_n(&m_words[piece.range.begin - m_window.begin], piece.range.count, target);
        }
        else
        {
            m_own(piece.range, target);
        }
    }
}

void
RankValues::Receive(const Step& step, const std::vector<const Word*>& received)
{
    for (std::size_t i = 0; i < step.receives.size(); ++i)
    {
        const auto range = Clip(step.receives[i].range, m_window);
        if (range.count == 0)
        {
            continue;
        }
        const bool adds = step.receives[i].combine == Combine::ADD;
        adds ? Add(range, received[i]) : Put(range, received[i]);
        if (IsLastOf(step, i))
        {
            Keep(range, adds && step.ownsResult);
            if (step.update)
            {
                m_updated.push_back(range);
            }
        }
    }
}

void
RankValues::Store(ElementRange range, const Word* words)
{
    Put(range, words);
    Keep(range, false);
}

void
RankValues::Keep(ElementRange range, bool ownsResult)
{
    const auto change = [&](const auto& hook) {
        if (hook)
        {
            ChangeFloats(range.count, At(range.begin), hook);
        }
    };
    change(m_hooks.narrow);
    if (ownsResult && m_hooks.keepOwned)
    {
        change(m_hooks.keepOwned);
        change(m_hooks.narrow);
    }
}

void
RankValues::Put(ElementRange range, const Word* words)
{
    std::copy_n(words, range.count, At(range.begin));
    m_written.Add(range);
}

void
RankValues::Add(ElementRange range, const Word* words)
{
    FetchOwn(range);
    auto* sums = At(range.begin);
    AddWords(m_hooks.sum, words, sums, range.count);
    if (m_hooks.roundSum)
    {
        ChangeFloats(range.count, sums, m_hooks.roundSum);
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

Word*
RankValues::At(std::uint64_t element)
{
    if (m_words.size() < m_window.count)
    {
        m_words.resize(m_window.count);
    }
    return &m_words[element - m_window.begin];
}

} // namespace inca
