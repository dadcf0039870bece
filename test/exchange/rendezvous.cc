/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/rendezvous.h"

#include <algorithm>
#include <set>
#include <vector>

namespace inca
{

namespace
{

/** One rank under way. */
struct Host
{
    std::uint32_t steps;
    std::uint32_t next{0};
    std::vector<Transfer> sends{};    ///< of the step at hand, those that are left
    std::vector<Transfer> receives{}; ///< likewise
    bool receiveFirst{false};
    bool sums{false}; ///< waits for the network's sum

    bool IsIdle() const
    {
        return sends.empty() && receives.empty() && !sums;
    }
};

class Rendezvous
{
  public:
    explicit Rendezvous(const StepPlan& plan)
        : m_plan(plan)
    {
        for (Rank rank = 0; rank < plan.RankCount(); ++rank)
        {
            m_hosts.push_back({plan.StepCount(rank)});
            Begin(rank);
        }
    }

    std::optional<std::uint64_t> Run()
    {
        for (std::uint64_t time = 0;; ++time)
        {
            if (AllDone())
            {
                return time;
            }
            if (!Tick())
            {
                return std::nullopt;
            }
        }
    }

  private:
    /** One unit of time. @return whether any message travelled */
    bool Tick()
    {
        auto busy = TakeSum();
        for (Rank rank = 0; rank < m_hosts.size(); ++rank)
        {
            if (busy.count(rank) == 0 && Sends(rank) && CanTake(rank, busy))
            {
                busy.insert({rank, m_hosts[rank].sends.front().peer});
                Move(rank);
            }
        }
        for (const auto rank : busy)
        {
            Begin(rank);
        }
        return !busy.empty();
    }

    /** @return the workers, if all wait for the network's sum and so get it */
    std::set<Rank> TakeSum()
    {
        std::set<Rank> workers;
        for (Rank worker = 0; worker < m_plan.WorkerCount(); ++worker)
        {
            if (m_hosts[worker].sums)
            {
                workers.insert(worker);
            }
        }
        if (workers.size() < m_plan.WorkerCount())
        {
            return {};
        }
        for (const auto worker : workers)
        {
            m_hosts[worker].sums = false;
        }
        return workers;
    }

    bool Sends(Rank rank) const
    {
        const auto& host = m_hosts[rank];
        return !host.sends.empty() && (!host.receiveFirst || host.receives.empty());
    }

    bool CanTake(Rank sender, const std::set<Rank>& busy) const
    {
        const auto peer = m_hosts[sender].sends.front().peer;
        return busy.count(peer) == 0 && !Sends(peer) && FindReceive(peer, sender) >= 0;
    }

    /** Where @p host expects a message of @p sender, or -1. */
    std::ptrdiff_t FindReceive(Rank host, Rank sender) const
    {
        const auto& receives = m_hosts[host].receives;
        const auto found =
            std::find_if(receives.begin(), receives.end(), [sender](const Transfer& receive) {
                return receive.peer == sender;
            });
        return found == receives.end() ? -1 : found - receives.begin();
    }

    void Move(Rank sender)
    {
        auto& sends = m_hosts[sender].sends;
        const auto peer = sends.front().peer;
        auto& receives = m_hosts[peer].receives;
        receives.erase(receives.begin() + FindReceive(peer, sender));
        sends.erase(sends.begin());
    }

    /** Goes on to the next step that has anything to do, if the present one is done. */
    void Begin(Rank rank)
    {
        auto& host = m_hosts[rank];
        while (host.IsIdle() && host.next < host.steps)
        {
            auto step = m_plan.At(rank, host.next++);
            host.sends = std::move(step.sends);
            host.receives = std::move(step.receives);
            host.receiveFirst = step.receiveFirst;
            host.sums = step.networkSum.has_value();
        }
    }

    bool AllDone() const
    {
        return std::all_of(
            m_hosts.begin(), m_hosts.end(), [](const Host& host) { return host.IsIdle(); });
    }

    const StepPlan& m_plan;
    std::vector<Host> m_hosts;
};

} // namespace

std::optional<std::uint64_t>
RendezvousTime(const StepPlan& plan)
{
    return Rendezvous(plan).Run();
}

} // namespace inca
