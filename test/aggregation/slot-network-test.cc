/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Slots of workers and switches without a clock: every sum is right whatever becomes of packets.
#include "aggregation/slot-stream.h"
#include "base/random.h"
#include "exchange/block-packets.h"
#include "exchange/network-reduction.h"
#include "exchange/slot-pool.h"
#include "exchange/slot-timeouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** Runs the seed of a failure alone: INCA_SLOT_NETWORK_SEED=123 inca-test-aggregation ... */
constexpr const char* g_seedVariable = "INCA_SLOT_NETWORK_SEED";

constexpr std::uint64_t g_seeds = 5000;
constexpr std::uint64_t g_drawStream = 1;  ///< of RandomStream: what a network is
constexpr std::uint64_t g_eventStream = 2; ///< what happens in it
constexpr std::uint64_t g_shareStream = 3; ///< who gets what
constexpr std::int64_t g_mostTicks = 2'000'000;
constexpr double g_actShare = 1.0 / 8; ///< of ticks, with an act of a worker

/** What travels in the slots for a stream. */
enum class SlotNumbers : std::uint8_t
{
    SIZES,    ///< no payload
    INTEGERS, ///< words: any int32, which wrap, or small enough if adders saturate
    BITS,     ///< words that are or-ed
    SCALED,   ///< fp32 as int32, by blocks with exponents ahead
};

/** Words: of an int32 each, or of an fp32. */
using SlotBits = std::vector<Word>;

/** One sum. */
struct SlotSum
{
    SlotNumbers numbers{SlotNumbers::SIZES};
    std::uint64_t values{1};
    SumPhase phase{SumPhase::ALL_REDUCE};

    /** Whether exponents go ahead of it. */
    bool IsScaled() const
    {
        return !Words() && phase != SumPhase::ALL_GATHER;
    }

    /** How its words are added as they are, with a number of the worker's, of which the largest comes back; empty: values */
    std::optional<WordSum> Words() const
    {
        return numbers == SlotNumbers::INTEGERS ? std::optional(WordSum::INT32)
               : numbers == SlotNumbers::BITS   ? std::optional(WordSum::OR)
                                                : std::nullopt;
    }
};

/** What the workers of a slot network add; everything follows from the seed. */
struct SlotJob
{
    std::uint64_t seed{0};
    Rank workers{2};
    std::uint32_t slots{1};
    std::uint32_t valuesPerPacket{1};
    std::string adder{"int32"}; ///< a name of AdderNames, but fp32
    std::vector<SlotSum> streams;

    std::uint64_t BlockCount(std::size_t stream) const
    {
        const auto& sum = streams[stream];
        return sum.phase == SumPhase::ALL_REDUCE
                   ? (sum.values + valuesPerPacket - 1) / valuesPerPacket
                   : BlockPackets(sum.values, workers, valuesPerPacket).Count();
    }

    /** The packets of a worker, prologues and all. */
    std::uint64_t PacketCount() const
    {
        std::uint64_t packets = 0;
        for (std::size_t stream = 0; stream < streams.size(); ++stream)
        {
            const auto blocks = BlockCount(stream);
            packets +=
                blocks + (streams[stream].IsScaled() ? std::min<std::uint64_t>(slots, blocks) : 0);
        }
        return packets;
    }

    /** A number that goes with words, drawn behind the stream's values. */
    std::int16_t OwnWordExponent(Rank worker, std::size_t stream) const
    {
        const auto& sum = streams[stream];
        return sum.Words() && sum.phase != SumPhase::ALL_GATHER
                   ? static_cast<std::int16_t>(RandomBits(seed, worker, stream, sum.values) >> 48U)
                   : NO_EXPONENT;
    }

    SlotBits OwnBits(Rank worker, std::size_t stream) const
    {
        SlotBits bits(streams[stream].values);
        for (std::size_t i = 0; i < bits.size(); ++i)
        {
            const auto random = RandomBits(seed, worker, stream, i);
            bits[i] = streams[stream].numbers == SlotNumbers::SCALED
                          ? BitsOf(ValueOf(random))
                          : WordOf(streams[stream].numbers, random);
        }
        return bits;
    }

    /** What a worker must end with, by a path that knows no slots: 0 for what it does not get. */
    SlotBits ExpectedBits(Rank worker, std::size_t stream) const
    {
        const auto& sum = streams[stream];
        SlotBits expected(sum.values, 0);
        const bool isOne = sum.phase == SumPhase::ALL_REDUCE;
        for (Rank owner = 0; owner < (isOne ? 1 : workers); ++owner)
        {
            const bool gets = isOne || (owner == worker) == (sum.phase == SumPhase::REDUCE_SCATTER);
            if (gets && sum.numbers != SlotNumbers::SIZES)
            {
                AddPart(stream, owner, expected);
            }
        }
        return expected;
    }

    /** The largest numbers that come back with words, one entry per stream. */
    std::vector<std::int16_t> ExpectedWordExponents() const
    {
        std::vector<std::int16_t> expected(streams.size(), NO_EXPONENT);
        for (std::size_t stream = 0; stream < expected.size(); ++stream)
        {
            for (Rank worker = 0; worker < workers; ++worker)
            {
                expected[stream] = std::max(expected[stream], OwnWordExponent(worker, stream));
            }
        }
        return expected;
    }

  private:
    /** Of any sign and magnitude, mostly near others; some zeros, and few that are no numbers. */
    static float ValueOf(std::uint64_t bits)
    {
        const auto kind = bits >> 59U; // 0..31
        const auto mantissa = static_cast<float>(UniformOf(bits << 5U) - 0.5);
        if (kind == 0)
        {
            return std::numeric_limits<float>::quiet_NaN();
        }
        if (kind < 4)
        {
            return 0;
        }
        const auto near = static_cast<int>(bits % 8);
        return std::ldexp(mantissa, kind < 8 ? -near * 20 : near);
    }

    /** Any 32 bits, or an integer of which as many as there are workers fit int32. */
    std::uint32_t WordOf(SlotNumbers numbers, std::uint64_t random) const
    {
        if (numbers == SlotNumbers::BITS || adder == "int32")
        {
            return static_cast<std::uint32_t>(random);
        }
        const auto limit =
            std::numeric_limits<std::int32_t>::max() / static_cast<std::int64_t>(workers);
        const auto word = static_cast<std::int64_t>(random >> 1U) % (2 * limit + 1) - limit;
        return static_cast<std::uint32_t>(word);
    }

    /** Writes the part of @p owner, or all: its own, or the sum of all, scaled by packets of which none has two parts. */
    void AddPart(std::size_t stream, Rank owner, SlotBits& expected) const
    {
        const auto& sum = streams[stream];
        const auto range =
            BlockOf(sum.values, sum.phase == SumPhase::ALL_REDUCE ? 1 : workers, owner);
        std::vector<SlotBits> own;
        std::vector<const Word*> perWorker;
        for (Rank worker = 0; worker < workers; ++worker)
        {
            own.push_back(OwnBits(worker, stream));
            perWorker.push_back(own.back().data() + range.begin);
        }
        if (sum.phase == SumPhase::ALL_GATHER)
        {
            std::copy_n(perWorker[owner], range.count, expected.data() + range.begin);
            return;
        }
        MakeNetworkReduction({workers, AdderNamed(adder), {}, valuesPerPacket, sum.Words()})
            .add(perWorker, range.count, expected.data() + range.begin);
    }
};

/** How a network treats frames. */
struct SlotNetworkSpec
{
    SlotJob job;
    std::uint32_t levels{1}; ///< of switches
    std::uint32_t fanout{2}; ///< switches below a switch, at most
    double dropShare{0};
    double copyShare{0}; ///< frames that arrive twice
    std::int64_t timeout{1};
    std::uint32_t doubleAfter{0};
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
    spec.timeout = static_cast<std::int64_t>(frames);
    spec.doubleAfter = DrawSmall(random, 0, 3);
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

/** A worker of a slot network: pure objects put together, and the values that they move. */
class SlotWorker
{
  public:
    SlotWorker(const SlotJob& job, Rank rank, std::uint32_t child, SlotTimeouts timeouts)
        : sums(job.streams.size()),
          wordExponents(job.streams.size(), NO_EXPONENT),
          m_job(job),
          m_rank(rank),
          m_child(child),
          m_sender(job.slots),
          m_timeouts(std::move(timeouts))
    {
        m_coding.valuesPerPacket = job.valuesPerPacket;
        m_coding.scaledFor = job.workers;
        m_coding.exponentsAhead = true;
    }

    /** @return whether some have not begun */
    bool HasStreams() const
    {
        return m_streams.size() < m_job.streams.size();
    }

    void BeginStream()
    {
        const auto index = m_streams.size();
        const auto& sum = m_job.streams[index];
        ReductionRequest request;
        request.values = sum.values;
        request.exponent = m_job.OwnWordExponent(m_rank, index);
        request.share = {sum.phase, m_rank, m_job.workers};
        request.words = sum.Words();
        sums[index].assign(sum.values, 0);
        if (sum.numbers != SlotNumbers::SIZES)
        {
            request.read = [own = m_job.OwnBits(m_rank, index)](ElementRange range, Word* out) {
                std::copy_n(own.data() + range.begin, range.count, out);
            };
            request.write = [this, index](ElementRange range, const Word* in) {
                std::copy_n(in, range.count, sums[index].data() + range.begin);
            };
        }
        request.writeExponent = [this, index](std::int16_t largest) {
            wordExponents[index] = largest;
        };
        request.done = [this] { ++m_ended; };
        auto& stream = m_streams.emplace_back(m_coding, std::move(request));
        m_sender.Begin(index, stream.Blocks(), stream.ExponentsAhead());
        m_timeouts.Restart();
    }

    /** @return whether all streams have begun and ended */
    bool IsDone() const
    {
        return m_ended == m_job.streams.size();
    }

    /** @return a packet that may go now */
    std::optional<SlotPacket> TakeReady(std::int64_t now)
    {
        return Sent(m_sender.Next(), now);
    }

    /** @return a packet to be sent again */
    std::optional<SlotPacket> TakeDue(std::int64_t now)
    {
        const auto number = m_timeouts.TakeDue(now);
        return Sent(number ? m_sender.Missing(*number).value() : std::optional<SlotTurn>(), now);
    }

    std::optional<std::int64_t> NextDue() const
    {
        return m_timeouts.NextPs();
    }

    void Receive(const SlotPacket& sum)
    {
        if (const auto turn = m_sender.Receive(sum.number))
        {
            m_timeouts.Answered(sum.number);
            ++received;
            m_streams[turn->stream].Take(*turn, sum);
            if (turn->endsStream)
            {
                m_streams[turn->stream].End();
            }
        }
    }

    std::vector<SlotBits> sums;              ///< per stream; sizes alone leave zeros
    std::vector<std::int16_t> wordExponents; ///< the largest that came with words, per stream
    std::uint64_t received{0};               ///< sums, each once

  private:
    std::optional<SlotPacket> Sent(const std::optional<SlotTurn>& turn, std::int64_t now)
    {
        if (!turn)
        {
            return std::nullopt;
        }
        m_timeouts.Sent(turn->number, now);
        std::uint64_t clamped = 0;
        auto packet = m_streams[turn->stream].MakePacket(*turn, clamped);
        packet.child = m_child;
        return packet;
    }

    const SlotJob& m_job;
    Rank m_rank;
    std::uint32_t m_child;
    SlotCoding m_coding;
    SlotSender m_sender;
    SlotTimeouts m_timeouts;
    std::deque<SlotStream> m_streams;
    std::size_t m_ended{0};
};

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
    std::deque<SlotWorker> workers; ///< which stay in place

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
            workers.emplace_back(
                m_spec.job,
                rank,
                i,
                SlotTimeouts(m_spec.job.slots, m_spec.timeout, m_spec.doubleAfter));
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
        for (std::size_t stream = 0; stream < spec.job.streams.size(); ++stream)
        {
            ASSERT_EQ(worker.sums[stream], spec.job.ExpectedBits(rank, stream));
        }
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
