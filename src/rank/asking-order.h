/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_ASKING_ORDER_H
#define INCA_RANK_ASKING_ORDER_H

#include <cstdint>
#include <deque>
#include <functional>

namespace inca
{

/**
 * When a rank may ask the network for the all-gathers of its exchanges, if several are under way: in the order of the
 * reduce-scatters, as all workers do. Who is ready before those in front waits for them.
 */
class AskingOrder
{
  public:
    /** The first half of @p round begins. */
    void Enter(std::uint32_t round);

    /**
     * Its second half may begin: calls @p ask when all that entered before have asked, now if they have.
     * @throws InvariantError if it has not entered
     */
    void Ask(std::uint32_t round, std::function<void()> ask);

  private:
    struct Place
    {
        std::uint32_t round;
        std::function<void()> ask; ///< empty: it is not ready
    };

    std::deque<Place> m_places;
};

} // namespace inca

#endif // INCA_RANK_ASKING_ORDER_H
