/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/all-exchanges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
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

/**
 * Executes a plan on half-duplex hosts that know no buffers: a rank does one thing at a time, in
 * the order of its steps (in a step its sends, then its receives, or the other way round with
 * receiveFirst). A message takes one unit of time, whatever its size, and both ends are at it all
 * the time. The receives of one step come one by one, as their senders turn up. What the network
 * adds takes one unit of time too, once all workers are at it.
 */
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

    /** @return message times until all ranks are done, or nothing if they wait for each other for ever */
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
            host.sums = step.reduction.has_value();
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

TEST(HalfDuplex, NoExchangeDeadlocksWithoutBuffers)
{
    for (Rank workers = 2; workers <= 17; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            for (const std::uint64_t elements : {0, 3, 50})
            {
                EXPECT_TRUE(Rendezvous(*MakeStepPlan(spec, elements)).Run().has_value())
                    << Describe(spec, elements);
            }
        }
    }
}

TEST(HalfDuplex, ExchangesTakeTheirClosedForms)
{
    struct Row
    {
        ExchangeSpec spec;
        std::uint64_t messageTimes;
        std::uint64_t elements{1000};
    };

    std::vector<Row> rows{
        // All workers hand over and get back everything at once.
        {{"switch-slots", 8, "flat", 1, 2}, 1},
        {{"switch-tree", 8, "flat", 1, 2}, 1},
        // 2 groups of 4: rings in the groups 2 * 3 * 2 = 12; 2 sums to the aggregator 2; it hands the
        // weights to 2 leaders: 2; in the group 3 (flat) or 2 (binomial).
        {{"hierarchical-aggregator", 8, "flat", 1, 4}, 12 + 2 + 2 + 3},
        {{"hierarchical-aggregator", 8, "binomial", 1, 4}, 12 + 2 + 2 + 2},
        // 2 groups of 4: rings in the groups 2 * 3 * 2 = 12; ring of 2 leaders 2 * 1 * 2 = 4; scatter 3;
        // all-gather 3 * 2 = 6.
        {{"hierarchical-ring", 8, "flat", 1, 4}, 12 + 4 + 3 + 6},
    };
    // Even N: in a step the even workers send while the odd ones receive, then the other way round: 2
    // message times per step, 2 (N - 1) steps. Odd N: 2 (N - 1) N messages, of which (N - 1) / 2 at a
    // time at most, as each needs two workers: at least 4 N message times. The alternation reaches
    // that: N = 3: 12 messages, one at a time: 12. N = 5: 40 messages, two at a time: 20.
    for (Rank workers = 2; workers <= 17; ++workers)
    {
        rows.push_back(
            {{"ring", workers, "flat", 1, 2}, 4U * (workers % 2 == 0 ? workers - 1 : workers)});
    }
    // W gradients one by one into the aggregator, then the broadcast over W + 1 ranks: flat W;
    // binomial ceil(log2(W + 1)), here 2, 3, 4 for 3, 4, 8 workers; chain of 3 segments: the first one
    // reaches the last worker after W, and each other one needs 2 more, because a middle worker takes
    // and passes it: W + 2 * 2. Of a server: W gradients into it one by one, W sums out of it.
    for (const auto& [workers, binomial] :
         std::vector<std::pair<Rank, Rank>>{{3, 2}, {4, 3}, {8, 4}})
    {
        rows.push_back({{"worker-aggregator", workers, "flat", 1, 2}, 2 * workers});
        rows.push_back({{"worker-aggregator", workers, "binomial", 1, 2}, workers + binomial});
        rows.push_back({{"worker-aggregator", workers, "chain", 500, 2}, 2 * workers + 4, 1500});
        rows.push_back({{"parameter-server", workers, "flat", 1, 2}, 2 * workers});
    }
    // As many servers as workers: in message time t worker i sends to server i + t, all at once; the
    // timetable then fills W times likewise. Twice and three times as many are as many rounds.
    for (const auto& [workers, servers] :
         std::vector<std::pair<Rank, Rank>>{{2, 2}, {4, 4}, {9, 9}, {3, 6}, {4, 12}})
    {
        rows.push_back({{"sharded-parameter-server", workers, "flat", 1, 2, servers}, 2 * servers});
    }
    for (const auto& row : rows)
    {
        EXPECT_EQ(Rendezvous(*MakeStepPlan(row.spec, row.elements)).Run(), row.messageTimes)
            << Describe(row.spec, row.elements);
    }
}

} // namespace inca
