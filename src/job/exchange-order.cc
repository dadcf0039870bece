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
      m_byPriority(priorities.size()),
      m_placeOf(priorities.size()),
      m_taken(priorities.size(), false)
{
    std::iota(m_byPriority.begin(), m_byPriority.end(), 0U);
    std::stable_sort(m_byPriority.begin(), m_byPriority.end(), [&priorities](auto a, auto b) {
        return priorities[a] < priorities[b];
    });
    for (std::uint32_t place = 0; place < m_chunks; ++place)
    {
        m_placeOf[m_byPriority[place]] = place;
    }
}

std::optional<std::uint32_t>
ExchangeOrder::At(std::uint32_t position) const
{
    if (m_byPriority.empty())
    {
        return position;
    }
    return position < m_chosen.size() ? std::optional(m_chosen[position]) : std::nullopt;
}

std::optional<std::uint32_t>
ExchangeOrder::Choose(std::uint32_t position, Rank worker)
{
    if (const auto known = At(position))
    {
        return known;
    }
    const auto list = m_together > 0 ? 0 : worker;
    if (list >= m_mayGo.size())
    {
        return std::nullopt;
    }
    auto& mayGo = m_mayGo[list];
    while (!mayGo.empty() && IsOver(mayGo.top()))
    {
        mayGo.pop();
    }
    const auto open = m_chosen.size() / m_chunks;
    if (mayGo.empty() || mayGo.top() / m_chunks != open)
    {
        return std::nullopt;
    }
    const auto place = mayGo.top();
    m_chosen.push_back(ExchangeAt(place));
    m_taken[place % m_chunks] = true;
    if (m_chosen.size() % m_chunks == 0)
    {
        m_taken.assign(m_chunks, false);
    }
    TellGrowth();
    return m_chosen.back();
}

/** @return whether it was chosen */
bool
ExchangeOrder::IsOver(std::uint32_t place) const
{
    const auto open = m_chosen.size() / m_chunks;
    return place / m_chunks < open || (place / m_chunks == open && m_taken[place % m_chunks]);
}

std::uint32_t
ExchangeOrder::ExchangeAt(std::uint32_t place) const
{
    return place / m_chunks * m_chunks + m_byPriority[place % m_chunks];
}

void
ExchangeOrder::StartTogether(std::uint32_t workers)
{
    m_together = workers;
}

void
ExchangeOrder::ReportReady(Rank worker, std::uint32_t exchange)
{
    if (m_together == 0)
    {
        AddReady(worker, exchange);
        return;
    }
    if (m_ready.size() <= exchange)
    {
        m_ready.resize(exchange + 1, 0);
    }
    if (++m_ready[exchange] == m_together)
    {
        AddReady(0, exchange);
        TellGrowth();
    }
}

void
ExchangeOrder::AddReady(Rank worker, std::uint32_t exchange)
{
    if (m_byPriority.empty())
    {
        return;
    }
    if (m_mayGo.size() <= worker)
    {
        m_mayGo.resize(worker + 1);
    }
    const auto iteration = exchange / m_chunks;
    m_mayGo[worker].push(iteration * m_chunks + m_placeOf[exchange % m_chunks]);
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

} // namespace inca
