/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-values.h"

#include "base/errors.h"
#include "base/large-memory.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
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

/** Words that nobody else holds: @p words, or a copy. */
SharedBytes
Owned(SharedBytes words, std::uint64_t count)
{
    if (words.WritableWords() != nullptr)
    {
        return words;
    }
    LargeWords copy(count);
    std::copy_n(words.Words(), count, copy.data());
    return SharedBytes::Of(std::move(copy));
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
    m_pieces.Clear();
    m_sums = {};
    m_stored = {};
    m_updated.clear();
}

SharedBytes
RankValues::Held(ElementRange range) const
{
    const auto pieces = m_pieces.Cut(range);
    return pieces.size() == 1 ? pieces.front().words : SharedBytes();
}

bool
RankValues::HoldsTheSame(const RankValues& other, ElementRange range) const
{
    const auto own = m_pieces.Cut(range);
    const auto others = other.m_pieces.Cut(range);
    return std::equal(own.begin(),
                      own.end(),
                      others.begin(),
                      others.end(),
                      [](const WordPiece& a, const WordPiece& b) {
                          return a.words.AreThere() && a.range == b.range &&
                                 a.words.data() == b.words.data();
                      });
}

void
RankValues::HandOver(ElementRange range)
{
    m_pieces.HandOver(Clip(range, m_window));
}

void
RankValues::Read(ElementRange range, Word* out) const
{
    for (const auto& piece : m_pieces.Cut(range))
    {
        auto* target = out + (piece.range.begin - range.begin);
        if (piece.words.AreThere())
        {
            std::copy_n(piece.words.Words(), piece.range.count, target);
        }
        else
        {
            ReadOwn(piece, target);
        }
    }
}

/** Of what no memory is there for. */
void
RankValues::ReadOwn(const WordPiece& piece, Word* out) const
{
    if (piece.held)
    {
        throw InvariantError("elements " + std::to_string(piece.range.begin) + " .. " +
                             std::to_string(piece.range.End()) +
                             " were handed over, and are asked for");
    }
    m_own(piece.range, out);
}

void
RankValues::Receive(const Step& step, std::vector<SharedBytes> received)
{
    for (std::size_t i = 0; i < step.receives.size(); ++i)
    {
        const auto range = Clip(step.receives[i].range, m_window);
        if (range.count == 0)
        {
            continue;
        }
        const bool adds = step.receives[i].combine == Combine::ADD;
        auto words = adds ? Sum(range, std::move(received[i])) : std::move(received[i]);
        if (!IsLastOf(step, i))
        {
            m_pieces.Put(range, std::move(words));
            continue;
        }
        m_pieces.Put(range, Kept(range, std::move(words), adds && step.ownsResult));
        if (step.update)
        {
            Update(range);
        }
    }
}

void
RankValues::Store(ElementRange range, const Word* words)
{
    const auto parts = m_stored.Cut(range);
    const bool isNew = parts.size() == 1 && !parts.front().held;
    if (!isNew) // others may hold what was there
    {
        LargeWords copy(range.count);
        std::copy_n(words, range.count, copy.data());
        m_pieces.Put(range, Kept(range, SharedBytes::Of(std::move(copy)), false));
        return;
    }
    if (!m_sums.AreThere())
    {
        m_sums = SharedBytes::Of(LargeWords(m_window.count));
        m_firstSum = m_sums.WritableWords();
    }
    const auto first = range.begin - m_window.begin;
    std::copy_n(words, range.count, m_firstSum + first);
    Change(range.count, m_firstSum + first, false);
    m_stored.Add(range);
    m_pieces.Put(range, m_sums.Part(first * sizeof(Word), range.count * sizeof(Word)));
}

/** Of what is held and @p term, which are not held then. */
SharedBytes
RankValues::Sum(ElementRange range, SharedBytes term)
{
    const auto* const terms = term.Words();
    auto pieces = m_pieces.Take(range);
    auto* out = pieces.size() == 1 ? pieces.front().words.WritableWords() : nullptr;
    auto sum = out != nullptr ? pieces.front().words : SharedBytes();
    if (out == nullptr)
    {
        sum = term.WritableWords() != nullptr ? std::move(term)
                                              : SharedBytes::Of(LargeWords(range.count));
        out = sum.WritableWords();
    }
    for (const auto& piece : pieces)
    {
        const auto first = piece.range.begin - range.begin;
        AddTo(piece, terms + first, out + first);
    }
    if (m_hooks.roundSum)
    {
        ChangeFloats(range.count, out, m_hooks.roundSum);
    }
    return sum;
}

/** @param out may be where either term stands */
void
RankValues::AddTo(const WordPiece& piece, const Word* term, Word* out) const
{
    const auto& range = piece.range;
    if (piece.words.AreThere())
    {
        AddWords(m_hooks.sum, term, piece.words.Words(), out, range.count);
        return;
    }
    std::array<Word, WORD_BLOCK> own;
    for (std::uint64_t first = 0; first < range.count; first += WORD_BLOCK)
    {
        const auto count = std::min<std::uint64_t>(WORD_BLOCK, range.count - first);
        ReadOwn({{range.begin + first, count}, piece.held, {}}, own.data());
        AddWords(m_hooks.sum, term + first, own.data(), out + first, count);
    }
}

bool
RankValues::Changes(bool ownsResult) const
{
    return m_hooks.narrow || (ownsResult && m_hooks.keepOwned);
}

/** To what is kept of them. */
void
RankValues::Change(std::uint64_t count, Word* words, bool ownsResult) const
{
    if (m_hooks.narrow)
    {
        ChangeFloats(count, words, m_hooks.narrow);
    }
    if (ownsResult && m_hooks.keepOwned)
    {
        ChangeFloats(count, words, m_hooks.keepOwned);
        Change(count, words, false);
    }
}

/** Whether that is what they are already, as what has come in the gradients' type is. */
bool
RankValues::IsUnchanged(std::uint64_t count, const Word* words, bool ownsResult) const
{
    if (ownsResult && m_hooks.keepOwned)
    {
        return false; // or hardly ever
    }
    std::array<float, WORD_BLOCK> narrowed;
    for (std::uint64_t first = 0; first < count; first += WORD_BLOCK)
    {
        const auto part = std::min<std::uint64_t>(WORD_BLOCK, count - first);
        CopyFloats(words + first, part, narrowed.data());
        m_hooks.narrow(narrowed.data(), part);
        if (std::memcmp(narrowed.data(), words + first, part * sizeof(Word)) != 0)
        {
            return false;
        }
    }
    return true;
}

/** Where they are, if they need not be changed, or nobody else holds them. */
SharedBytes
RankValues::Kept(ElementRange range, SharedBytes words, bool ownsResult) const
{
    if (!Changes(ownsResult) || IsUnchanged(range.count, words.Words(), ownsResult))
    {
        return words;
    }
    words = Owned(std::move(words), range.count);
    Change(range.count, words.WritableWords(), ownsResult);
    return words;
}

} // namespace inca
