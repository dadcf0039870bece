/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/ring-traffic.h"

#include "exchange/ring.h"

#include <memory>
#include <utility>

namespace inca
{

namespace
{

/** @return running totals of @p counts, twice round: entry i is of the first i */
std::vector<std::uint64_t>
Totals(const std::vector<std::uint64_t>& counts)
{
    std::vector<std::uint64_t> totals{0};
    for (std::size_t i = 0; i < 2 * counts.size(); ++i)
    {
        totals.push_back(totals.back() + counts[i % counts.size()]);
    }
    return totals;
}

/** Of a ring without channels and chunks, of a value per block: that begins at the block's number. */
std::unique_ptr<StepPlan>
RingOfSingles(ExchangeSpec spec)
{
    spec.ringChannels = 1;
    spec.ringChunkElements = 0;
    return MakeRing(spec, spec.workers);
}

} // namespace

RingTraffic::RingTraffic(ExchangeSpec spec, Framing framing)
    : m_spec(std::move(spec)),
      m_framing(framing)
{
    const auto plan = RingOfSingles(m_spec);
    std::vector<std::uint64_t> sent(m_spec.workers, 0);
    std::vector<std::uint64_t> received(m_spec.workers, 0);
    for (std::uint32_t number = 0; number < plan->StepCount(0); ++number)
    {
        const auto step = plan->At(0, number);
        ++sent[step.sends.front().range.begin];
        ++received[step.receives.front().range.begin];
    }
    m_sent = Totals(sent);
    m_received = Totals(received);
}

RankFrames
RingTraffic::Of(Rank rank, std::uint64_t elements) const
{
    RankFrames all;
    for (const auto& turns : TurnsOf(m_spec, elements))
    {
        const RankFrames one{Messages(m_sent, rank, turns.elements),
                             Messages(m_received, rank, turns.elements)};
        all.Add(one, turns.times);
    }
    return all;
}

/** Block i of the first rank is block i + @p rank here; the first ones of @p elements are larger. */
MessageTraffic
RingTraffic::Messages(const std::vector<std::uint64_t>& visits,
                      Rank rank,
                      std::uint64_t elements) const
{
    const auto first = (m_spec.workers - rank) % m_spec.workers;
    const auto larger = visits[first + elements % m_spec.workers] - visits[first];
    const auto size = elements / m_spec.workers;
    MessageTraffic traffic;
    traffic.Add(size, visits[m_spec.workers] - larger, m_framing);
    traffic.Add(size + 1, larger, m_framing);
    return traffic;
}

} // namespace inca
