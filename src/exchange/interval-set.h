/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_INTERVAL_SET_H
#define INCA_EXCHANGE_INTERVAL_SET_H

#include "exchange/element-range.h"

#include <cstdint>
#include <map>
#include <vector>

namespace inca
{

/** A piece of a range, and whether the set holds it. */
struct Interval
{
    ElementRange range;
    bool held;
};

/** A set of elements, kept as few disjoint ranges; neighbours are merged. */
class IntervalSet
{
  public:
    void Add(ElementRange range);

    /** @return @p range cut where the set begins or ends, in order; nothing for an empty range */
    std::vector<Interval> Cut(ElementRange range) const;

  private:
    using Map = std::map<std::uint64_t, std::uint64_t>; ///< begin to end

    /** The first that ends at or behind @p element. */
    Map::const_iterator FirstReaching(std::uint64_t element) const;

    Map m_intervals;
};

} // namespace inca

#endif // INCA_EXCHANGE_INTERVAL_SET_H
