/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_REDUCTION_ORDER_H
#define INCA_RANK_REDUCTION_ORDER_H

#include "inca/base/errors.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace inca
{

/**
 * Issues what a rank asks switches for in the order in which its exchanges began, as all workers do. One that is ready early
 * is held back.
 */
class ReductionOrder
{
  public:
    /** A reduction of @p round, which begins, will be asked for. */
    void Reserve(std::uint32_t round)
    {
        m_places.push_back({round, nullptr});
    }

    /**
     * It is ready: calls @p begin when all that were reserved before have begun, now if they have.
     * @throws InvariantError if it was not reserved
     */
    void Request(std::uint32_t round, std::function<void()> begin)
    {
        const auto place =
            std::find_if(m_places.begin(), m_places.end(), [round](const Place& one) {
                return one.round == round && !one.begin;
            });
        if (place == m_places.end())
        {
            throw InvariantError("round " + std::to_string(round) +
                                 " has a reduction, but has reserved no place");
        }
        place->begin = std::move(begin);
        while (!m_places.empty() && m_places.front().begin)
        {
            const auto first = std::move(m_places.front().begin);
            m_places.pop_front(); // whoever begins may reserve another
            first();
        }
    }

  private:
    /** A reduction that has not begun. */
    struct Place
    {
        std::uint32_t round;         ///< over all rounds of all exchanges
        std::function<void()> begin; ///< empty: it is not ready
    };

    std::deque<Place> m_places; ///< in the order of their exchanges
};

} // namespace inca

#endif // INCA_RANK_REDUCTION_ORDER_H
