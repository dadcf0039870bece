/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-addresses.h"

#include "base/errors.h"

#include <utility>

namespace inca
{

RankAddresses::RankAddresses(std::vector<ns3::Mac48Address> byRank)
    : m_byRank(std::move(byRank))
{
    for (Rank rank = 0; rank < m_byRank.size(); ++rank)
    {
        if (!m_ranks.emplace(m_byRank[rank], rank).second)
        {
            throw InvariantError("two ranks of a job sit on one host");
        }
    }
}

ns3::Mac48Address
RankAddresses::Of(Rank rank) const
{
    return m_byRank[rank];
}

Rank
RankAddresses::RankAt(ns3::Mac48Address address) const
{
    const auto found = m_ranks.find(address);
    if (found == m_ranks.end())
    {
        throw InvariantError("a message from a host that is no part of the job");
    }
    return found->second;
}

} // namespace inca
