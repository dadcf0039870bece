/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_ADDRESSES_H
#define INCA_RANK_RANK_ADDRESSES_H

#include "inca/base/errors.h"
#include "inca/device/mac-hash.h"
#include "inca/exchange/step-plan.h"

#include "ns3/mac48-address.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

/** Which host each rank of a job sits on: said when the job is installed, shared by its ranks. */
class RankAddresses
{
  public:
    /**
     * @param byRank workers, then aggregators or servers
     * @throws InvariantError if two ranks sit on one host
     */
    explicit RankAddresses(std::vector<ns3::Mac48Address> byRank)
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

    /** The host that a rank sits on. */
    ns3::Mac48Address Of(Rank rank) const
    {
        return m_byRank[rank];
    }

    /** @throws InvariantError if no rank of the job sits at @p address */
    Rank RankAt(ns3::Mac48Address address) const
    {
        const auto found = m_ranks.find(address);
        if (found == m_ranks.end())
        {
            throw InvariantError("a message from a host that is no part of the job");
        }
        return found->second;
    }

  private:
    std::vector<ns3::Mac48Address> m_byRank;                      ///< addresses
    std::unordered_map<ns3::Mac48Address, Rank, MacHash> m_ranks; ///< by address
};

} // namespace inca

#endif // INCA_RANK_RANK_ADDRESSES_H
