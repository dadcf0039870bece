/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Slots of workers and switches without a clock: every sum is right whatever becomes of packets.
#include "exchange/slot-pool.h"
#include "exchange/slot-worker.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

namespace inca
{

namespace
{

/** Runs the seed of a failure alone: INCA_SLOT_NETWORK_SEED=123 inca-test-exchange ... */
constexpr const char* g_seedVariable = "INCA_SLOT_NETWORK_SEED";

constexpr std::uint64_t g_seeds = 5000;
constexpr std::uint64_t g_drawStream = 1;  ///< of RandomStream: what a network is
constexpr std::uint64_t g_eventStream = 2; ///< what happens in it
constexpr std::uint64_t g_shareStream = 3; ///< who gets what
constexpr std::int64_t g_mostTicks = 2'000'000;
constexpr double g_actShare = 1.0 / 8; ///< of ticks, with an act of a worker

/** How a network treats frames. */
struct SlotNetworkSpec
{
    SlotJob job;
    std::uint32_t levels{1}; ///< of switches
    std::uint32_t fanout{2}; ///< switches below a switch, at most
    double dropShare{0};
    double copyShare{0}; ///< frames that arrive twice
    SlotPatience patience{};
};

std::uint64_t
Draw(RandomStream& random, std::uint64_t least, std::uint64_t most)
{
    return least + random.Bits() % (most - least + 1);
}

std::uint32_t
DrawSmall(RandomStream& random, std::uint32_t least, std::uint32_t most)
{
    return static_cast<std::uint32_t>(Draw(random, least, most));
}

/**
 * Everything drawn: 2..16 workers, 1..3 levels, 1..8 slots, 0..4 values, up to 10 % dropped; 1..4
 * streams of scaled values, integers and bits, or of sizes alone.
 */
SlotNetworkSpec
DrawSlotNetwork(std::uint64_t seed)
{
    RandomStream random(seed, g_drawStream);
    SlotNetworkSpec spec;
    spec.job.seed = seed;
    spec.job.workers = DrawSmall(random, 2, 16);
    spec.job.slots = DrawSmall(random, 1, 8);
    const auto values = DrawSmall(random, 0, 4); // 0: sizes alone
    spec.job.valuesPerPacket = std::max(values, 1U);
    spec.job.adder = Draw(random, 0, 1) == 1 ? "int32" : "int32-saturating";
    spec.job.streams.resize(Draw(random, 1, 4));
    for (auto& stream : spec.job.streams)
    {
        // values, words and bits take turns as they come
        const std::array kinds{SlotNumbers::INTEGERS, SlotNumbers::BITS, SlotNumbers::SCALED};
        stream.numbers =
            values == 0 ? SlotNumbers::SIZES : kinds[Draw(random, 0, kinds.size() - 1)];
        stream.values = Draw(random, 1, Draw(random, 1, 40));
    }
    spec.levels = DrawSmall(random, 1, 3);
    spec.fanout = DrawSmall(random, 1, 4);
    spec.dropShare = random.Uniform() * 0.1;
    spec.copyShare = random.Uniform() * 0.1;
    const auto frames = Draw(random, 1, 8) * spec.job.workers * spec.job.slots;
    spec.patience = {static_cast<std::int64_t>(frames), DrawSmall(random, 0, 3)};
    return spec;
}

/** As DrawSlotNetwork, with streams of which workers get, or have, a part each. */
SlotNetworkSpec
DrawSharedNetwork(std::uint64_t seed)
{
    auto spec = DrawSlotNetwork(seed);
    RandomStream random(seed, g_shareStream);
    for (auto& stream : spec.job.streams)
    {
        stream.phase = std::array{SumPhase::REDUCE_SCATTER,
                                  SumPhase::ALL_GATHER,
                                  SumPhase::REDUCE_SCATTER,
                                  SumPhase::ALL_GATHER,
                                  SumPhase::ALL_REDUCE}[Draw(random, 0, 4)];
    }
    return spec;
}

/** A switch of the network, and what became of all that it got. */
struct SlotSwitch
{
    std::unique_ptr<SlotPool> pool;
    std::size_t parent{0};    ///< a switch; the root is its own
    std::uint32_t child{0};   ///< its number at the parent
    bool aboveWorkers{false}; ///< its children are workers
    std::vector<std::size_t> children;
    std::map<SlotOutcome, std::uint64_t> outcomes{};
};

/**
 * Workers and switches without a clock: of all frames under way any arrives next (so they overtake
 * each other), or is lost, or arrives and stays under way; workers send again when they feel like
 * it. Time is the count of arrivals, and goes on to a timeout where nothing else can happen.
 */
class SlotNetwork
{
  public:
    explicit SlotNetwork(const SlotNetworkSpec& spec)
        : m_spec(spec),
          m_random(spec.job.seed, g_eventStream)
    {
        switches.emplace_back();
        AddSwitches(0, {0, spec.job.workers}, spec.levels);
        for (auto& node : switches)
        {
            const auto children = static_cast<std::uint32_t>(node.children.size());
            node.pool = std::make_unique<SlotPool>(SlotPoolSpec{
                spec.job.slots, children, &node == &switches.front(), AdderNamed(spec.job.adder)});
        }
    }

    /** @return whether all workers ended; what is under way then arrives still */
    bool Run()
    {
        for (std::int64_t tick = 0; !AllDone(); ++tick)
        {
            if (tick == g_mostTicks)
            {
                return false;
            }
            Tick();
        }
        while (!m_underWay.empty())
        {
            MoveAny();
        }
        return true;
    }

    std::vector<SlotSwitch> switches;
    std::vector<SlotWorker> workers;

  private:
    struct Frame
    {
        bool toWorker;
        bool up; ///< a contribution
        std::size_t target;
        SlotPacket packet;
    };

    void AddSwitches(std::size_t self, ElementRange below, std::uint32_t levels)
    {
        if (levels == 1)
        {
            AddWorkers(self, below);
            return;
        }
        const auto parts = std::min<std::uint64_t>(m_spec.fanout, below.count);
        for (std::uint64_t part = 0; part < parts; ++part)
        {
            const auto node = switches.size();
            switches[self].children.push_back(node);
            switches.emplace_back();
            switches[node].parent = self;
            switches[node].child = static_cast<std::uint32_t>(part);
            auto range = BlockOf(below.count, parts, part);
            range.begin += below.begin;
            AddSwitches(node, range, levels - 1);
        }
    }

    void AddWorkers(std::size_t self, ElementRange below)
    {
        switches[self].aboveWorkers = true;
        for (std::uint32_t i = 0; i < below.count; ++i)
        {
            const auto rank = static_cast<Rank>(workers.size());
            switches[self].children.push_back(rank);
            m_switchOf.push_back(self);
            workers.emplace_back(m_spec.job, rank, i, m_spec.patience);
        }
    }

    bool AllDone() const
    {
        return std::all_of(
            workers.begin(), workers.end(), [](const auto& worker) { return worker.IsDone(); });
    }

    bool Below(double share)
    {
        return m_random.Uniform() < share;
    }

    std::size_t Pick(std::size_t count)
    {
        return m_random.Bits() % count;
    }

    void Tick()
    {
        if (m_underWay.empty() || Below(g_actShare))
        {
            ActAt(Pick(workers.size()));
        }
        m_underWay.empty() ? WaitForTimeout() : MoveAny();
    }

    /** Begins a stream, or sends what is due, if there is any. */
    void ActAt(std::size_t worker)
    {
        auto& self = workers[worker];
        if (self.HasStreams() && Below(0.5))
        {
            self.BeginStream();
            SendReady(worker);
        }
        else if (auto packet = self.TakeDue(m_now))
        {
            Send(false, true, m_switchOf[worker], std::move(*packet));
        }
    }

    /** Nothing else can happen: time goes on to the first timeout, if any worker waits. */
    void WaitForTimeout()
    {
        std::optional<std::int64_t> first;
        for (const auto& worker : workers)
        {
            const auto due = worker.NextDue();
            first = due && *due < first.value_or(*due + 1) ? due : first;
        }
        m_now = std::max(m_now + 1, first.value_or(m_now));
    }

    void SendReady(std::size_t worker)
    {
        while (auto packet = workers[worker].TakeReady(m_now))
        {
            Send(false, true, m_switchOf[worker], std::move(*packet));
        }
    }

    void Send(bool toWorker, bool up, std::size_t target, SlotPacket packet)
    {
        m_underWay.push_back({toWorker, up, target, std::move(packet)});
    }

    void MoveAny()
    {
        ++m_now;
        const auto index = Pick(m_underWay.size());
        const auto frame = m_underWay[index];
        if (AllDone() || !Below(m_spec.copyShare))
        {
            std::swap(m_underWay[index], m_underWay.back());
            m_underWay.pop_back();
        }
        if (Below(m_spec.dropShare))
        {
            return;
        }
        if (frame.toWorker)
        {
            workers[frame.target].Receive(frame.packet);
            SendReady(frame.target);
        }
        else
        {
            ArriveAtSwitch(switches[frame.target], frame);
        }
    }

    void ArriveAtSwitch(SlotSwitch& self, const Frame& frame)
    {
        const auto& packet = frame.packet;
        const auto outcome = frame.up ? self.pool->Add(packet) : self.pool->TakeResult(packet);
        ++self.outcomes[outcome];
        const bool completes = outcome == SlotOutcome::COMPLETED;
        if (outcome == SlotOutcome::RESULT || (completes && frame.target == 0))
        {
            for (std::uint32_t child = 0; child < self.children.size(); ++child)
            {
                SendDown(self, packet.number, child);
            }
        }
        else if (completes || outcome == SlotOutcome::ASK_AGAIN)
        {
            auto sum = self.pool->Sum(packet.number);
            sum.child = self.child;
            Send(false, true, self.parent, std::move(sum));
        }
        else if (outcome == SlotOutcome::ANSWER)
        {
            SendDown(self, packet.number, packet.child);
        }
    }

    void SendDown(const SlotSwitch& from, std::uint64_t number, std::uint32_t child)
    {
        Send(
            from.aboveWorkers, false, from.children[child], PartFor(from.pool->Sum(number), child));
    }

    SlotNetworkSpec m_spec;
    RandomStream m_random;
    std::vector<std::size_t> m_switchOf; ///< by worker
    std::vector<Frame> m_underWay;
    std::int64_t m_now{0};
};

/* Of each packet, whatever was lost or came twice, a switch adds every child's contribution exactly
 * once, the last one completing it, and passes exactly one sum down. */
void
ExpectEachOnce(SlotSwitch& node, bool isRoot, std::uint64_t packets)
{
    EXPECT_EQ(node.outcomes[SlotOutcome::COMBINED], packets * (node.children.size() - 1));
    EXPECT_EQ(node.outcomes[SlotOutcome::COMPLETED], packets);
    EXPECT_EQ(node.outcomes[SlotOutcome::RESULT], isRoot ? 0 : packets);
    EXPECT_EQ(node.outcomes[SlotOutcome::NO_SLOT], 0U);
    EXPECT_EQ(node.pool->Open(), 0U);
}

void
RunSeed(const SlotNetworkSpec& spec)
{
    SCOPED_TRACE(std::string(g_seedVariable) + "=" + std::to_string(spec.job.seed));
    SlotNetwork network(spec);
    ASSERT_TRUE(network.Run());
    const auto packets = spec.job.PacketCount();
    for (Rank rank = 0; rank < spec.job.workers; ++rank)
    {
        const auto& worker = network.workers[rank];
        ASSERT_EQ(worker.sums, spec.job.ExpectedBits(rank));
        ASSERT_EQ(worker.wordExponents, spec.job.ExpectedWordExponents());
        ASSERT_EQ(worker.received, packets);
    }
    for (auto& node : network.switches)
    {
        ExpectEachOnce(node, &node == &network.switches.front(), packets);
    }
}

} // namespace

/** All get every sum; or some sums are parts, of workers who get them or hand them on. */
class SlotNetworks : public testing::TestWithParam<SlotNetworkSpec (*)(std::uint64_t)>
{
};

TEST_P(SlotNetworks, EndWithExactSumsWhateverIsLostOrOvertakenOrComesTwice)
{
    const auto* only = std::getenv(g_seedVariable);
    const auto first = only == nullptr ? 1 : std::strtoull(only, nullptr, 10);
    const auto last = only == nullptr ? g_seeds : first;
    for (auto seed = first; seed <= last && !HasFailure(); ++seed)
    {
        RunSeed(GetParam()(seed));
    }
}

INSTANTIATE_TEST_SUITE_P(All, SlotNetworks, testing::Values(DrawSlotNetwork, DrawSharedNetwork));

} // namespace inca
