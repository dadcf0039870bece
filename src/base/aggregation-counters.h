/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_AGGREGATION_COUNTERS_H
#define INCA_BASE_AGGREGATION_COUNTERS_H

#include <cstdint>

namespace inca
{

/**
 * What became of the frames that a program took. At any time:
 * in = combined + forwarded + answered + dropped.
 */
struct AggregationCounters
{
    std::uint64_t in{0};
    std::uint64_t combined{0};   ///< contributions added to a sum
    std::uint64_t forwarded{0};  ///< sums from above passed on, and requests passed up
    std::uint64_t answered{0};   ///< contributions that were answered with a finished sum
    std::uint64_t duplicates{0}; ///< dropped: contributed before, and the sum is not finished
    std::uint64_t late{0};       ///< dropped: of a round that is over
    std::uint64_t noSlot{0};     ///< dropped: the memory has no place for it
    std::uint64_t foreign{0};    ///< dropped: not from a child or the parent
    std::uint64_t made{0};       ///< frames that the program made itself

    std::uint64_t Dropped() const
    {
        return duplicates + late + noSlot + foreign;
    }
};

} // namespace inca

#endif // INCA_BASE_AGGREGATION_COUNTERS_H
