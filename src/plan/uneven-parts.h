/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_UNEVEN_PARTS_H
#define INCA_PLAN_UNEVEN_PARTS_H

#include "exchange/shift-symmetry.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** Elements that one rank moves in one exchange. */
struct MovedElements
{
    std::uint64_t sent{0};
    std::uint64_t received{0};
};

/**
 * What each rank moves where ranks are alike but for the sizes of parts, as many as workers: counted in
 * the steps of the first ranks, and for the others by the parts that are larger. Walks the steps of
 * `period` ranks once; each rank then takes constant time.
 */
class UnevenParts
{
  public:
    /** @param plan with at least as many elements as parts */
    UnevenParts(const StepPlan& plan, const ShiftSymmetry& symmetry);

    MovedElements Of(Rank rank) const;

  private:
    /** Of one rank: how often it moves each part, added up from part 0 on, twice round. */
    struct Visits
    {
        std::vector<std::uint64_t> sent;
        std::vector<std::uint64_t> received;
    };

    std::uint64_t PartAt(std::uint64_t begin) const;
    std::uint64_t Elements(const std::vector<std::uint64_t>& visits, std::uint64_t shift) const;

    ShiftSymmetry m_symmetry;
    Rank m_ranks;
    std::uint64_t m_size;   ///< of the smaller parts
    std::uint64_t m_larger; ///< parts that have one more
    std::vector<Visits> m_visits;
};

} // namespace inca

#endif // INCA_PLAN_UNEVEN_PARTS_H
