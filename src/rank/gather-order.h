/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_GATHER_ORDER_H
#define INCA_RANK_GATHER_ORDER_H

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
 * Issues a rank's all-gathers over switches in the order in which the reduce-scatters of the same exchanges began, as
 * all workers do. One that is ready early is held back.
 */
class GatherOrder
{
  public:
    /** The reduce-scatter of @p round begins. */
    void Reserve(std::uint32_t round)
    {
        m_places.push_back({round, nullptr});
    }

    /**
     * Its all-gather is ready: calls @p begin when all that were reserved before have begun, now if they have.
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
                                 " gathers, but has reserved no place");
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
    /** An all-gather that has not begun. */
    struct Place
    {
        std::uint32_t round;         ///< over all rounds of all exchanges
        std::function<void()> begin; ///< empty: it is not ready
    };

    std::deque<Place> m_places; ///< in the order of their reduce-scatters
};

} // namespace inca

#endif // INCA_RANK_GATHER_ORDER_H
