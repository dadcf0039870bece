/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What holds of every exchange, and the closed forms of what all ranks send together.
#include "base/errors.h"
#include "exchange/all-exchanges.h"
#include "exchange/all-to-all.h"
#include "exchange/listed-plan.h"
#include "exchange/rank-load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr Rank g_mostWorkers = 17;

/** All transfers of each ordered pair of ranks, in order, as the sender sees them. */
using Pairs = std::map<std::pair<Rank, Rank>, std::vector<Transfer>>;

std::vector<Step>
AllSteps(const StepPlan& plan, Rank rank)
{
    std::vector<Step> steps;
    for (std::uint32_t index = 0; index < plan.StepCount(rank); ++index)
    {
        steps.push_back(plan.At(rank, index));
    }
    return steps;
}

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
        while (Tick())
        {
            ++m_time;
        }
    }

    /** Whether all ranks came to their end: else they wait for each other for ever. */
    bool Ends() const
    {
        return std::all_of(
            m_hosts.begin(), m_hosts.end(), [](const Host& host) { return host.IsIdle(); });
    }

    std::uint64_t MessageTimes() const
    {
        return m_time;
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

    const StepPlan& m_plan;
    std::vector<Host> m_hosts;
    std::uint64_t m_time{0};
};

/** What both ends say of the same messages. */
std::pair<Pairs, Pairs>
BothEnds(const StepPlan& plan)
{
    Pairs sent;
    Pairs received;
    for (Rank rank = 0; rank < plan.RankCount(); ++rank)
    {
        for (const auto& step : AllSteps(plan, rank))
        {
            for (const auto& send : step.sends)
            {
                sent[{rank, send.peer}].push_back(send);
            }
            for (const auto& receive : step.receives)
            {
                received[{receive.peer, rank}].push_back(receive.SeenByPeer(rank));
            }
        }
    }
    return {sent, received};
}

} // namespace

/* They stay inside the tensor, too, and go to others, but for those of all-to-alls. */
TEST(EveryExchange, BothEndsNameTheSameMessagesInTheSameOrder)
{
    for (Rank workers = 2; workers <= g_mostWorkers; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            for (std::uint64_t elements = 0; elements <= 50; ++elements)
            {
                const auto plan = MakeStepPlan(spec, elements);
                const bool toSelf = ExchangeCatalog().Find(spec.algorithm).allToAll;
                const auto [sent, received] = BothEnds(*plan);
                ASSERT_EQ(sent, received) << Describe(spec, elements);
                for (const auto& [ends, transfers] : sent)
                {
                    ASSERT_TRUE(toSelf || ends.first != ends.second) << Describe(spec, elements);
                    ASSERT_LT(ends.second, plan->RankCount()) << Describe(spec, elements);
                    for (const auto& transfer : transfers)
                    {
                        ASSERT_LE(transfer.range.End(), elements) << Describe(spec, elements);
                    }
                }
            }
        }
    }
}

/* Worker 1 of 3 sends block 0 to worker 0, where it becomes block 1; a message that only one end moves is another one. */
TEST(AllToAll, NamesARangeAtEachEnd)
{
    const AllToAll plan(3, 6);
    EXPECT_EQ(TextOf(plan.At(1, 0)), ">2:4-6@2 >0:0-2@2 <2:4-6@2 <0:0-2@2");
    const auto [sent, received] = BothEnds(plan);
    EXPECT_EQ(sent, received);
    EXPECT_EQ(sent.size(), 6U);
    auto moved = plan.At(1, 0).sends.front();
    moved.shift = 0;
    EXPECT_FALSE(moved == plan.At(1, 0).sends.front());
}

/* Of a part of an all-reduce, too. */
TEST(EveryExchange, MeansWhatItIsAskedFor)
{
    for (const auto& entry : ExchangeCatalog().Rows())
    {
        ExchangeSpec spec{entry.name, 4, "flat", 2};
        EXPECT_EQ(MakeStepPlan(spec, 8)->Means(), Meaning::SUM) << entry.name;
        spec.sharded = entry.shards;
        spec.phase = SumPhase::REDUCE_SCATTER;
        spec.ringChannels = 2;
        if (!entry.shards)
        {
            EXPECT_THROW(MakeStepPlan(spec, 8), InvariantError) << entry.name;
            continue;
        }
        EXPECT_EQ(MakeStepPlan(spec, 8)->Means(), Meaning::REDUCE_SCATTER) << entry.name;
        spec.phase = SumPhase::ALL_GATHER;
        EXPECT_EQ(MakeStepPlan(spec, 8)->Means(), Meaning::ALL_GATHER) << entry.name;
    }
}

/* All-to-alls do. */
TEST(EveryExchange, DoesNotDeadlockWithoutBuffersOnHalfDuplexHosts)
{
    for (Rank workers = 2; workers <= g_mostWorkers; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            for (const std::uint64_t elements : {0, 3, 50})
            {
                EXPECT_NE(Rendezvous(*MakeStepPlan(spec, elements)).Ends(),
                          ExchangeCatalog().Find(spec.algorithm).allToAll)
                    << Describe(spec, elements);
            }
        }
    }
}

/*
 * Ring, even N: in a step the even workers send while the odd ones receive, then the other way round: 2 message times per
 * step, 2 (N - 1) steps. Odd N: 2 (N - 1) N messages, of which (N - 1) / 2 at a time at most: 4 N, which the alternation
 * reaches. As many servers as workers: in message time t worker i sends to server i + t, all at once; then W times back.
 */
TEST(HalfDuplex, RingsAndServersTakeTheirClosedForms)
{
    for (Rank workers = 2; workers <= g_mostWorkers; ++workers)
    {
        Rendezvous ring(*MakeStepPlan({"ring", workers}, 1000));
        EXPECT_TRUE(ring.Ends());
        EXPECT_EQ(ring.MessageTimes(), 4U * (workers % 2 == 0 ? workers - 1 : workers)) << workers;
        Rendezvous servers(*MakeStepPlan({"sharded-parameter-server", workers}, 1000));
        EXPECT_TRUE(servers.Ends());
        EXPECT_EQ(servers.MessageTimes(), 2U * workers) << workers;
    }
}

/*
 * Each value is handed to the network once by each worker, or never; what the network adds in a step needs no message
 * in that step. Aggregators update once, servers do not. What is sent is received. A sum of W gradients of n elements
 * takes (W - 1) n additions at least, and these exchanges make no more than that: at the ranks, or in the network. Only in
 * recursive doubling all add: of 12 workers 8 members 3 n each, and n from each of 4 neighbours.
 */
TEST(EveryExchange, MovesAddsAndUpdatesOnce)
{
    constexpr std::uint64_t elements = 1003;
    for (const auto& spec : AllExchanges(12))
    {
        SCOPED_TRACE(Describe(spec, elements));
        const auto plan = MakeStepPlan(spec, elements);
        const auto inNetwork = ReducesInNetwork(spec);
        const auto updatesDue = ExchangeCatalog().Find(spec.algorithm).returnsWeights ? 1U : 0U;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        std::uint64_t added = 0;
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            std::uint64_t handed = 0;
            unsigned updates = 0;
            for (const auto& step : AllSteps(*plan, rank))
            {
                const auto range = step.reduction.value_or(ElementRange{});
                EXPECT_EQ(range.begin, handed);
                EXPECT_TRUE(!step.reduction || (step.sends.empty() && step.receives.empty()));
                handed += range.count;
                updates += step.update ? 1 : 0;
            }
            EXPECT_EQ(handed, inNetwork ? elements : 0);
            EXPECT_EQ(updates, rank < plan->WorkerCount() ? 0U : updatesDue);
            const auto load = LoadOf(*plan, rank);
            for (const auto& payload : {load.gradient, load.crossesGroups, load.weight})
            {
                sent += payload.sentElements;
                received += payload.receivedElements;
            }
            added += load.addedElements;
            EXPECT_EQ(load.reductions,
                      std::vector<ReductionSize>(inNetwork ? 1 : 0, ReductionSize(elements)));
        }
        EXPECT_EQ(sent, received);
        const auto sums = spec.algorithm == "recursive-doubling" ? 8U * 3U + 4U : 11U;
        EXPECT_EQ(added, inNetwork ? 0U : sums * elements);
    }
}

/* One rank with two steps: 2 messages out, 3 summed; then one added, one weight out. Gradients: 4 + 3 sent, 3 * 10 received. Weights: 10 sent, 5 received. Added: (3 - 1) * 10 + 5. */
TEST(Traffic, CountsElementsAndMessagesPerKind)
{
    Step sums;
    sums.sends = {{1, {0, 4}, PayloadKind::GRADIENT}, {2, {4, 3}, PayloadKind::GRADIENT}};
    sums.receives = {
        Operand(1, {0, 10}, true), Operand(2, {0, 10}, false), Operand(3, {0, 10}, false)};
    Step weights;
    weights.sends = {{1, {0, 10}, PayloadKind::WEIGHT}};
    weights.receives = {{1, {0, 5}, PayloadKind::WEIGHT, Combine::ADD}};
    const auto traffic = LoadOf(ListedPlan(10, {{sums, weights}}), 0);
    EXPECT_EQ(traffic.gradient.sentElements, 7U);
    EXPECT_EQ(traffic.gradient.sentMessages, 2U);
    EXPECT_EQ(traffic.gradient.receivedElements, 30U);
    EXPECT_EQ(traffic.gradient.receivedMessages, 3U);
    EXPECT_EQ(traffic.weight.sentElements, 10U);
    EXPECT_EQ(traffic.weight.sentMessages, 1U);
    EXPECT_EQ(traffic.weight.receivedElements, 5U);
    EXPECT_EQ(traffic.weight.receivedMessages, 1U);
    EXPECT_EQ(traffic.addedElements, 25U);
    EXPECT_EQ(traffic.codedElements, 7U);
}

/* Rings and servers, of which each rank's traffic is known, are not among them. */
TEST(Traffic, OfAllRanksIsWhatClosedFormsSay)
{
    struct Row
    {
        ExchangeSpec spec;
        std::uint64_t elements;
        TotalTraffic expected;
    };

    std::vector<Row> rows;
    // Two trees: 2 (N - 1) m of m = 50 per tree, and in 2 (N - 1) K messages of K = 7 chunks of 8 (the
    // last one of 2).
    for (Rank workers = 2; workers <= 20; ++workers)
    {
        ExchangeSpec spec{"tree", workers};
        spec.treeChunkElements = 8;
        rows.push_back({spec, 100, {4ULL * (workers - 1) * 50, 0, 4ULL * (workers - 1) * 7, 0}});
    }
    // P members, a power of two, send 2 (P - 1) n in 2 log P steps, and each of the N - P beyond gives n
    // and gets n.
    for (Rank workers = 2; workers <= 33; ++workers)
    {
        Rank members = 1;
        Rank steps = 0;
        for (; 2 * members <= workers; members *= 2)
        {
            steps += 2;
        }
        const std::uint64_t beyond = workers - members;
        rows.push_back({{"halving-doubling", workers},
                        1003,
                        {2 * (members - 1 + beyond) * 1003, 0, members * steps + 2 * beyond, 0}});
        const auto doublings = members * steps / 2 + 2 * beyond; // of all n values each
        rows.push_back(
            {{"recursive-doubling", workers}, 1003, {doublings * 1003ULL, 0, doublings, 0}});
    }
    // W n gradients in W messages; W n weights in W messages.
    for (const std::uint64_t workers : {2U, 4U, 7U})
    {
        for (const std::string broadcast : {"flat", "binomial"})
        {
            rows.push_back({{"worker-aggregator", static_cast<Rank>(workers), broadcast, 2},
                            1000,
                            {workers * 1000, workers * 1000, workers, workers}});
        }
    }
    for (const auto& [workers, size] :
         std::vector<std::pair<Rank, Rank>>{{4, 2}, {6, 2}, {6, 3}, {12, 4}, {16, 8}})
    {
        // L = W / G groups: 2 (G - 1) n gradients in each group and n from each leader: (2 W - L) n in
        // all, in 2 (G - 1) G messages per group and one per leader; weights W n.
        const std::uint64_t groups = workers / size;
        rows.push_back({{"hierarchical-aggregator", workers, "binomial", size},
                        1003,
                        {(2 * workers - groups) * 1003,
                         workers * 1003ULL,
                         groups * (2 * (size - 1) * size + 1),
                         workers}});
        // With B = ceil(n / G): 2 (G - 1) L n in the groups, 2 (L - 1) n among the leaders, L (n - B) to
        // scatter, (G - 1) L n to gather: (3 W - 2) n - L B. For W = 6, G = 3, n = 1003: B = 335, 16 * 1003
        // - 2 * 335 = 15378. Messages: 2 (G - 1) G L, 2 (L - 1) L, (G - 1) L and (G - 1) G L.
        for (const std::uint64_t n : {1, 64, 1003})
        {
            rows.push_back({{"hierarchical-ring", workers, "flat", size},
                            n,
                            {(3 * workers - 2) * n - groups * ((n + size - 1) / size),
                             0,
                             (size - 1) * groups * (3 * size + 1) + 2 * (groups - 1) * groups,
                             0}});
        }
    }
    for (const auto& row : rows)
    {
        SCOPED_TRACE(Describe(row.spec, row.elements));
        const auto total = SentByAll(row.spec, row.elements);
        EXPECT_EQ(total.gradient, row.expected.gradient);
        EXPECT_EQ(total.weight, row.expected.weight);
        EXPECT_EQ(total.gradientMessages, row.expected.gradientMessages);
        EXPECT_EQ(total.weightMessages, row.expected.weightMessages);
    }
}

} // namespace inca
