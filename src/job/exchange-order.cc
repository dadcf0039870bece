/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/exchange-order.h"

#include <algorithm>
#include <numeric>

namespace inca
{

ExchangeOrder::ExchangeOrder(std::uint32_t chunks)
    : m_chunks(chunks)
{
}

ExchangeOrder::ExchangeOrder(const std::vector<std::uint32_t>& priorities)
    : m_chunks(static_cast<std::uint32_t>(priorities.size())),
      m_byPriority(priorities.size())
{
    std::iota(m_byPriority.begin(), m_byPriority.end(), 0U);
    std::stable_sort(m_byPriority.begin(), m_byPriority.end(), [&priorities](auto a, auto b) {
        return priorities[a] < priorities[b];
    });
}

std::optional<std::uint32_t>
ExchangeOrder::At(std::uint32_t position, const IsReady& isReady)
{
    if (m_byPriority.empty())
    {
        return position;
    }
    if (position < m_chosen.size())
    {
        return m_chosen[position];
    }
    const auto chosen = Choose(isReady);
    if (chosen)
    {
        m_chosen.push_back(*chosen);
        m_taken[*chosen % m_chunks] = true;
        TellGrowth();
    }
    return chosen;
}

void
ExchangeOrder::StartTogether(std::uint32_t workers)
{
    m_together = workers;
}

void
ExchangeOrder::ReportReady(std::uint32_t exchange)
{
    if (m_together == 0)
    {
        return;
    }
    if (m_ready.size() <= exchange)
    {
        m_ready.resize(exchange + 1, 0);
    }
    if (++m_ready[exchange] == m_together)
    {
        TellGrowth();
    }
}

bool
ExchangeOrder::MayStart(std::uint32_t exchange) const
{
    return m_together == 0 || (exchange < m_ready.size() && m_ready[exchange] == m_together);
}

void
ExchangeOrder::OnGrowth(std::function<void()> grown)
{
    m_grown.push_back(std::move(grown));
}

void
ExchangeOrder::TellGrowth() const
{
    for (const auto& grown : m_grown)
    {
        grown();
    }
}

std::optional<std::uint32_t>
ExchangeOrder::Choose(const IsReady& isReady)
{
    if (m_chosen.size() % m_chunks == 0)
    {
        m_taken.assign(m_chunks, false);
        m_open = 0;
    }
    while (m_taken[m_byPriority[m_open]]) // one is not
    {
        ++m_open;
    }
    const auto first = static_cast<std::uint32_t>(m_chosen.size()) / m_chunks * m_chunks;
    for (auto i = m_open; i < m_chunks; ++i)
    {
        const auto chunk = m_byPriority[i];
        if (!m_taken[chunk] && isReady(first + chunk))
        {
            return first + chunk;
        }
    }
    return std::nullopt;
}

} // namespace inca
