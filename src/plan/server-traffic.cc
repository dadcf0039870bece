/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/server-traffic.h"

#include "exchange/element-range.h"

namespace inca
{

ServerTraffic::ServerTraffic(Rank workers, const Framing& framing)
    : m_workers(workers),
      m_framing(framing)
{
}

RankFrames
ServerTraffic::Of(Rank rank, std::uint64_t elements) const
{
    MessageTraffic oneWay;
    if (rank < m_workers)
    {
        const auto larger = elements % m_workers;
        const auto size = elements / m_workers;
        oneWay.Add(size, m_workers - larger, m_framing);
        oneWay.Add(size + 1, larger, m_framing);
    }
    else
    {
        const auto block = BlockOf(elements, m_workers, rank - m_workers);
        oneWay.Add(block.count, m_workers, m_framing);
    }
    return {oneWay, oneWay};
}

} // namespace inca
