/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/asking-order.h"

#include "base/errors.h"

#include <algorithm>
#include <string>
#include <utility>

namespace inca
{

void
AskingOrder::Enter(std::uint32_t round)
{
    m_places.push_back({round, nullptr});
}

void
AskingOrder::Ask(std::uint32_t round, std::function<void()> ask)
{
    const auto place = std::find_if(m_places.begin(), m_places.end(), [round](const Place& one) {
        return one.round == round && !one.ask;
    });
    if (place == m_places.end())
    {
        throw InvariantError("round " + std::to_string(round) +
                             " asks for a second half, but has " + "begun no first one");
    }
    place->ask = std::move(ask);
    while (!m_places.empty() && m_places.front().ask)
    {
        const auto first = std::move(m_places.front().ask);
        m_places.pop_front(); // whoever asks may enter again
        first();
    }
}

} // namespace inca
