/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/word-pieces.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inca
{

namespace
{

SharedBytes
PartOf(const SharedBytes& words, std::uint64_t first, std::uint64_t count)
{
    return words.AreThere() ? words.Part(first * sizeof(Word), count * sizeof(Word)) : words;
}

} // namespace

void
WordPieces::Put(ElementRange range, SharedBytes words)
{
    if (range.count > 0)
    {
        Insert(range, std::move(words));
    }
}

void
WordPieces::HandOver(ElementRange range)
{
    Put(range, {});
}

std::vector<WordPiece>
WordPieces::Cut(ElementRange range) const
{
    std::vector<WordPiece> pieces;
    auto at = range.begin;
    if (range.count == 0)
    {
        return pieces;
    }
    for (auto piece = FirstBeyond(at); piece != m_pieces.end() && piece->first < range.End();
         ++piece)
    {
        const auto& [begin, place] = *piece;
        if (begin > at)
        {
            pieces.push_back({{at, begin - at}, false, {}});
            at = begin;
        }
        const auto end = std::min(place.end, range.End());
        pieces.push_back({{at, end - at}, true, PartOf(place.words, at - begin, end - at)});
        at = end;
    }
    if (at < range.End())
    {
        pieces.push_back({{at, range.End() - at}, false, {}});
    }
    return pieces;
}

std::vector<WordPiece>
WordPieces::Take(ElementRange range)
{
    auto pieces = Cut(range);
    Remove(range);
    return pieces;
}

/** The first that ends behind @p element. */
WordPieces::Map::const_iterator
WordPieces::FirstBeyond(std::uint64_t element) const
{
    auto next = m_pieces.upper_bound(element);
    if (next != m_pieces.begin() && std::prev(next)->second.end > element)
    {
        --next;
    }
    return next;
}

/** @return what follows @p range then */
WordPieces::Map::iterator
WordPieces::Remove(ElementRange range)
{
    const auto found = FirstBeyond(range.begin);
    auto piece = m_pieces.erase(found, found); // the same, to change it
    while (piece != m_pieces.end() && piece->first < range.End())
    {
        const auto begin = piece->first;
        const auto place = std::move(piece->second);
        piece = m_pieces.erase(piece);
        if (begin < range.begin)
        {
            m_pieces.emplace_hint(
                piece, begin, Place{range.begin, PartOf(place.words, 0, range.begin - begin)});
        }
        if (place.end > range.End())
        {
            piece = m_pieces.emplace_hint(
                piece,
                range.End(),
                Place{place.end,
                      PartOf(place.words, range.End() - begin, place.end - range.End())});
        }
    }
    return piece;
}

void
WordPieces::Insert(ElementRange range, SharedBytes words)
{
    auto next = Remove(range);
    auto piece = m_pieces.emplace_hint(next, range.begin, Place{range.End(), std::move(words)});
    if (piece != m_pieces.begin() && AreOne(std::prev(piece)->second, *piece))
    {
        auto& before = std::prev(piece)->second;
        before.end = range.End();
        before.words.Lengthen(piece->second.words.size());
        piece = std::prev(m_pieces.erase(piece));
    }
    if (next != m_pieces.end() && AreOne(piece->second, *next))
    {
        piece->second.end = next->second.end;
        piece->second.words.Lengthen(next->second.words.size());
        m_pieces.erase(next);
    }
}

bool
WordPieces::AreOne(const Place& first, const Map::value_type& second)
{
    const auto& words = second.second.words;
    const bool isGone = !first.words.AreThere() && !words.AreThere();
    return first.end == second.first && (isGone || first.words.GoOnWith(words));
}

} // namespace inca
