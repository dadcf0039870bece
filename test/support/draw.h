/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_DRAW_H
#define INCA_TEST_SUPPORT_DRAW_H

#include "base/random.h"

#include <cstdint>
#include <initializer_list>

namespace inca
{

/** One of some choices, by number of scenario and of question. */
class Draw
{
  public:
    explicit Draw(std::uint32_t scenario)
        : m_scenario(scenario)
    {
    }

    template <typename Choice>
    Choice Of(std::initializer_list<Choice> choices)
    {
        return choices.begin()[RandomBits(1, m_scenario, m_question++, 0) % choices.size()];
    }

  private:
    std::uint32_t m_scenario;
    std::uint32_t m_question{0};
};

} // namespace inca

#endif // INCA_TEST_SUPPORT_DRAW_H
