/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-network.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_drawStream = 1;  ///< of RandomStream: what a network is
constexpr std::uint64_t g_eventStream = 2; ///< what happens in it
constexpr std::uint64_t g_shareStream = 3; ///< who gets what
constexpr std::int64_t g_mostTicks = 2'000'000;
constexpr double g_actShare = 1.0 / 8; ///< of ticks, with an act of a worker

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

/** Values, words and bits take turns as they come; 0 values: sizes alone. */
SlotNumbers
DrawNumbers(RandomStream& random, std::uint32_t values)
{
    constexpr std::array<SlotNumbers, 3> kinds{
        SlotNumbers::INTEGERS, SlotNumbers::BITS, SlotNumbers::SCALED};
    return values == 0 ? SlotNumbers::SIZES : kinds[Draw(random, 0, kinds.size() - 1)];
}

std::string
NumbersOf(const SlotJob& job)
{
    std::string text;
    for (const auto& stream : job.streams)
    {
        text += " " + std::to_string(stream.values) + "/" +
                std::to_string(static_cast<int>(stream.numbers)) + "/" +
                std::to_string(static_cast<int>(stream.halves));
    }
    return text;
}

} // namespace

std::string
SlotNetworkSpec::Text() const
{
    return std::to_string(job.workers) + " workers, " + std::to_string(levels) +
           " levels, fanout " + std::to_string(fanout) + ", " + std::to_string(job.slots) +
           " slots of " + std::to_string(job.valuesPerPacket) + " values, adder " + job.adder +
           ", streams of" + NumbersOf(job) + ", dropped " + std::to_string(dropShare) + ", twice " +
           std::to_string(copyShare) + ", timeout " + std::to_string(patience.timeout) +
           " doubled after " + std::to_string(patience.doubleAfter);
}

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
        stream.numbers = DrawNumbers(random, values);
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

SlotNetworkSpec
DrawSharedNetwork(std::uint64_t seed)
{
    auto spec = DrawSlotNetwork(seed);
    RandomStream random(seed, g_shareStream);
    for (auto& stream : spec.job.streams)
    {
        stream.halves = std::array{Halves::REDUCE_SCATTER,
                                   Halves::ALL_GATHER,
                                   Halves::REDUCE_SCATTER,
                                   Halves::ALL_GATHER,
                                   Halves::BOTH}[Draw(random, 0, 4)];
    }
    return spec;
}

SlotNetwork::SlotNetwork(const SlotNetworkSpec& spec)
    : m_spec(spec),
      m_random(spec.job.seed, g_eventStream)
{
    m_switches.emplace_back();
    AddSwitches(0, {0, spec.job.workers}, spec.levels);
    for (std::size_t self = 0; self < m_switches.size(); ++self)
    {
        auto& node = m_switches[self];
        const SlotPoolSpec pool{spec.job.slots,
                                static_cast<std::uint32_t>(node.children.size()),
                                self == 0,
                                AdderNamed(spec.job.adder)};
        node.pool = std::make_unique<SlotPool>(pool);
    }
}

void
SlotNetwork::AddSwitches(std::size_t self, ElementRange workers, std::uint32_t levels)
{
    if (levels == 1)
    {
        AddWorkers(self, workers);
        return;
    }
    const auto parts = std::min<std::uint64_t>(m_spec.fanout, workers.count);
    for (std::uint64_t part = 0; part < parts; ++part)
    {
        const auto below = m_switches.size();
        m_switches[self].children.push_back(below);
        m_switches.emplace_back();
        m_switches[below].parent = self;
        m_switches[below].child = static_cast<std::uint32_t>(part);
        auto range = BlockOf(workers.count, parts, part);
        range.begin += workers.begin;
        AddSwitches(below, range, levels - 1);
    }
}

void
SlotNetwork::AddWorkers(std::size_t self, ElementRange workers)
{
    m_switches[self].aboveWorkers = true;
    for (std::uint64_t i = 0; i < workers.count; ++i)
    {
        m_switches[self].children.push_back(m_workers.size());
        m_switchOf.push_back(self);
        m_workers.emplace_back(m_spec.job,
                               static_cast<Rank>(m_workers.size()),
                               static_cast<std::uint32_t>(i),
                               m_spec.patience);
    }
}

bool
SlotNetwork::Run()
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

bool
SlotNetwork::AllDone() const
{
    return std::all_of(m_workers.begin(), m_workers.end(), [](const SlotWorker& worker) {
        return worker.IsDone();
    });
}

void
SlotNetwork::Tick()
{
    if (m_underWay.empty() || Below(g_actShare))
    {
        ActAt(Pick(m_workers.size()));
    }
    if (m_underWay.empty())
    {
        WaitForTimeout();
    }
    else
    {
        MoveAny();
    }
}

/** Begins a stream, or sends what is due, if there is any. */
void
SlotNetwork::ActAt(std::size_t worker)
{
    auto& self = m_workers[worker];
    if (self.HasStreams() && Below(0.5))
    {
        self.BeginStream();
        SendReady(worker);
    }
    else if (auto packet = self.TakeDue(m_now))
    {
        Send({false, true, m_switchOf[worker], std::move(*packet)});
    }
}

/** Nothing else can happen: time goes on to the first timeout, if any worker waits. */
void
SlotNetwork::WaitForTimeout()
{
    std::optional<std::int64_t> first;
    for (const auto& worker : m_workers)
    {
        const auto due = worker.NextDue();
        if (due && *due < first.value_or(*due + 1))
        {
            first = due;
        }
    }
    m_now = std::max(m_now + 1, first.value_or(m_now));
}

void
SlotNetwork::SendReady(std::size_t worker)
{
    while (auto packet = m_workers[worker].TakeReady(m_now))
    {
        Send({false, true, m_switchOf[worker], std::move(*packet)});
    }
}

void
SlotNetwork::Send(Frame frame)
{
    ++m_counts.sent;
    m_underWay.push_back(std::move(frame));
}

void
SlotNetwork::MoveAny()
{
    ++m_now;
    const auto index = Pick(m_underWay.size());
    auto frame = m_underWay[index];
    if (!AllDone() && Below(m_spec.copyShare))
    {
        ++m_counts.copied;
    }
    else
    {
        std::swap(m_underWay[index], m_underWay.back());
        m_underWay.pop_back();
    }
    if (Below(m_spec.dropShare))
    {
        ++m_counts.dropped;
        return;
    }
    ++m_counts.arrived;
    Arrive(frame);
}

void
SlotNetwork::Arrive(const Frame& frame)
{
    if (!frame.toWorker)
    {
        ArriveAtSwitch(frame);
        return;
    }
    m_workers[frame.target].Receive(frame.packet);
    SendReady(frame.target);
}

void
SlotNetwork::ArriveAtSwitch(const Frame& frame)
{
    auto& self = m_switches[frame.target];
    const auto& packet = frame.packet;
    const auto outcome = frame.up ? self.pool->Add(packet) : self.pool->TakeResult(packet);
    ++self.in;
    ++self.outcomes[outcome];
    if (outcome == SlotOutcome::RESULT || (outcome == SlotOutcome::COMPLETED && frame.target == 0))
    {
        SendToAll(self, packet.number);
    }
    else if (outcome == SlotOutcome::COMPLETED || outcome == SlotOutcome::ASK_AGAIN)
    {
        SendUp(self, packet.number);
    }
    else if (outcome == SlotOutcome::ANSWER)
    {
        SendDown(self, packet.number, packet.child);
    }
}

void
SlotNetwork::SendUp(const SlotSwitch& from, std::uint64_t number)
{
    auto sum = from.pool->Sum(number);
    sum.child = from.child;
    Send({false, true, from.parent, std::move(sum)});
}

void
SlotNetwork::SendDown(const SlotSwitch& from, std::uint64_t number, std::size_t childNumber)
{
    auto part = PartFor(from.pool->Sum(number), static_cast<std::uint32_t>(childNumber));
    Send({from.aboveWorkers, false, from.children[childNumber], std::move(part)});
}

void
SlotNetwork::SendToAll(const SlotSwitch& from, std::uint64_t number)
{
    for (std::size_t child = 0; child < from.children.size(); ++child)
    {
        SendDown(from, number, child);
    }
}

bool
SlotNetwork::Below(double share)
{
    return m_random.Uniform() < share;
}

std::size_t
SlotNetwork::Pick(std::size_t count)
{
    return m_random.Bits() % count;
}

} // namespace inca
