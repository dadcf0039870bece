/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_WORD_PIECES_H
#define INCA_JOB_WORD_PIECES_H

#include "base/shared-bytes.h"
#include "exchange/element-range.h"

#include <cstdint>
#include <map>
#include <vector>

namespace inca
{

/** A range of elements of which all, or none, are held. */
struct WordPiece
{
    ElementRange range;
    bool held{false};
    SharedBytes words; ///< none if it is not held, or was handed over
};

/**
 * Where the words of elements are: in pieces of memory that others may hold, too, or handed over, which
 * is to say that they were held and nobody may ask for them. Neighbours in one memory are one piece.
 */
class WordPieces
{
  public:
    /** They are there from now on, whatever was. */
    void Put(ElementRange range, SharedBytes words);

    /** They are not there any more. */
    void HandOver(ElementRange range);

    /** @return @p range cut where pieces begin or end, in order; nothing for an empty range */
    std::vector<WordPiece> Cut(ElementRange range) const;

    /** As Cut, of what is then not held any more. */
    std::vector<WordPiece> Take(ElementRange range);

    void Clear()
    {
        m_pieces.clear();
    }

  private:
    struct Place
    {
        std::uint64_t end;
        SharedBytes words;
    };

    using Map = std::map<std::uint64_t, Place>; ///< by first element

    static bool AreOne(const Place& first, const Map::value_type& second);
    Map::const_iterator FirstBeyond(std::uint64_t element) const;
    Map::iterator Remove(ElementRange range);
    void Insert(ElementRange range, SharedBytes words);

    Map m_pieces;
};

} // namespace inca

#endif // INCA_JOB_WORD_PIECES_H
