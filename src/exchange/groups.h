/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_GROUPS_H
#define INCA_EXCHANGE_GROUPS_H

#include "exchange/composed-plan.h"

namespace inca
{

/** Consecutive workers in groups of equal size; the first of each group leads it. */
struct Groups
{
    Rank workers; ///< a multiple of size
    Rank size;    ///< at least 2

    Rank Count() const
    {
        return workers / size;
    }

    Rank Of(Rank worker) const
    {
        return worker / size;
    }

    Rank PositionOf(Rank worker) const
    {
        return worker % size;
    }

    /** The worker's group: its leader, then its other members in order. */
    Lineup Members(Rank worker) const
    {
        const auto leader = worker - PositionOf(worker);
        return {leader, leader + 1, 1};
    }

    /** The leaders of all groups in order. */
    Lineup Leaders() const
    {
        return {0, size, size};
    }

    /** @p aggregator, then the leaders of all groups in order. */
    Lineup LeadersUnder(Rank aggregator) const
    {
        return {aggregator, 0, size};
    }
};

/**
 * The size of a hierarchy's groups where none is given: the largest up to 4 that cuts the workers into two or more
 * equal groups, or the smallest beyond that does. @return 4 if no size does
 */
inline Rank
UsualGroupSize(Rank workers)
{
    constexpr Rank usual = 4;
    const auto cuts = [workers](Rank size) { return workers % size == 0 && workers / size >= 2; };
    for (Rank size = usual; size >= 2; --size)
    {
        if (cuts(size))
        {
            return size;
        }
    }
    for (Rank size = usual + 1; size <= workers / 2; ++size)
    {
        if (cuts(size))
        {
            return size;
        }
    }
    return usual;
}

} // namespace inca

#endif // INCA_EXCHANGE_GROUPS_H
