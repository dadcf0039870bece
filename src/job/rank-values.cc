/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-values.h"

#include "base/errors.h"
#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace inca
{

namespace
{

/** Ranges that are apart from each other, ascending. */
using Ranges = std::vector<ElementRange>;

/** Adds @p range, which becomes one with those that it touches. */
void
AddTo(Ranges& ranges, ElementRange range)
{
    const auto first =
        std::partition_point(ranges.begin(), ranges.end(), [range](const ElementRange& one) {
            return one.End() < range.begin;
        });
    auto last = first;
    auto whole = range;
    for (; last != ranges.end() && last->begin <= range.End(); ++last)
    {
        whole = Spanned(whole, *last);
    }
    if (whole.count > 0)
    {
        ranges.insert(ranges.erase(first, last), whole);
    }
}

/** Calls @p use with the pieces of @p range, in order, and whether @p ranges have them. */
template <typename Use>
void
ForEachPiece(const Ranges& ranges, ElementRange range, Use use)
{
    auto at = range.begin;
    const auto useUpTo = [&](std::uint64_t end, bool isHeld) {
        if (end > at)
        {
            use(ElementRange{at, end - at}, isHeld);
            at = end;
        }
    };
    for (const auto& held : ranges)
    {
        useUpTo(std::min(held.begin, range.End()), false);
        useUpTo(std::min(held.End(), range.End()), true);
    }
    useUpTo(range.End(), false);
}

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
    : m_own(std::move(own)),
      m_hooks(std::move(hooks))
{
    Restart(window);
}

void
RankValues::Restart(ElementRange window)
{
    m_window = window;
    m_words.resize(window.count);
    m_written = {};
    m_updated.clear();
}

void
RankValues::Read(ElementRange range, Word* out) const
{
    ForEachPiece(m_written, range, [&](ElementRange part, bool isHeld) {
        auto* const target = out + (part.begin - range.begin);
        if (isHeld)
        {
            std::copy_n(m_words.data() + (part.begin - m_window.begin), part.count, target);
        }
        else
        {
            m_own(part, target);
        }
    });
}

Word*
RankValues::Held(ElementRange range)
{
    ForEachPiece(m_written, range, [this](ElementRange part, bool isHeld) {
        if (!isHeld)
        {
            m_own(part, At(part));
        }
    });
    AddTo(m_written, range);
    return At(range);
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
        if (adds)
        {
            auto* const sum = Held(range);
            m_hooks.sum.add(received[i], sum, sum, range.count);
            if (m_hooks.roundSum)
            {
                ChangeFloats(range.count, sum, m_hooks.roundSum);
            }
        }
        else
        {
            std::copy_n(received[i], range.count, At(range));
            AddTo(m_written, range);
        }
        if (!IsLastOf(step, i))
        {
            continue;
        }
        if (step.receives[i].kind == PayloadKind::GRADIENT)
        {
            Keep(range, adds && step.ownsResult);
        }
        if (step.update)
        {
            Update(range);
        }
    }
}

void
RankValues::Update(ElementRange range)
{
    const auto here = Clip(range, m_window);
    m_updated.push_back(here);
    if (m_hooks.narrowWeights && here.count > 0)
    {
        ChangeFloats(here.count, Held(here), m_hooks.narrowWeights);
    }
}

void
RankValues::Store(ElementRange range, const Word* words, PayloadKind kind)
{
    std::copy_n(words, range.count, At(range));
    AddTo(m_written, range);
    if (kind == PayloadKind::GRADIENT)
    {
        Keep(range, false);
    }
}

/** Makes what is kept of sums, or of parts of them; weights are kept as they come. */
void
RankValues::Keep(ElementRange range, bool ownsResult)
{
    if (m_hooks.narrow)
    {
        ChangeFloats(range.count, At(range), m_hooks.narrow);
    }
    if (ownsResult && m_hooks.keepOwned)
    {
        ChangeFloats(range.count, At(range), m_hooks.keepOwned);
        Keep(range, false);
    }
}

void
WeightShards::Keep(std::uint64_t begin, const RankValues& values)
{
    auto shard = std::make_shared<Shard>();
    for (const auto& range : values.Updated())
    {
        shard->emplace_back(range, std::vector<Word>(range.count));
        values.Read(range, shard->back().second.data());
    }
    m_shards[begin] = std::move(shard);
}

RankValues::OwnWords
WeightShards::Of(std::uint64_t begin) const
{
    const auto found = m_shards.find(begin);
    if (found == m_shards.end())
    {
        return nullptr;
    }
    return [shard = found->second](ElementRange range, Word* out) {
        std::fill_n(out, range.count, Word{0}); // whoever has them sends others
        for (const auto& [kept, words] : *shard)
        {
            const auto part = Clip(range, kept);
            std::copy_n(words.data() + (part.begin - kept.begin),
                        part.count,
                        out + (part.begin - range.begin));
        }
    };
}

std::vector<Word>
AssembleShards(const WorkerValues& valuesOf, const Communicator& workers, ElementRange window)
{
    std::vector<Word> whole(window.count);
    Ranges owned;
    std::uint64_t count = 0;
    for (const auto worker : workers)
    {
        const auto& values = valuesOf(worker);
        for (const auto& range : values.Updated())
        {
            const auto part = Clip(range, window);
            if (part.count > 0)
            {
                values.Read(part, &whole[part.begin - window.begin]);
                AddTo(owned, part);
                count += part.count;
            }
        }
    }
    if (count != window.count || owned != Ranges{window})
    {
        throw InvariantError(Text("of values ",
                                  window.begin,
                                  " .. ",
                                  window.End(),
                                  " not each is in one worker's shard"));
    }
    return whole;
}

} // namespace inca
