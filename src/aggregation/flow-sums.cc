/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/flow-sums.h"

#include "base/units.h"
#include "device/simulated-time.h"
#include "exchange/shards.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace inca
{

FlowSums::FlowSums(ns3::Ptr<FlowNetwork> network,
                   SlotFormat format,
                   std::vector<Worker> workers,
                   std::vector<Adder> adders,
                   bool sparesHosts)
    : m_sparesHosts(sparesHosts),
      m_network(std::move(network)),
      m_workers(std::move(workers)),
      m_adders(std::move(adders)),
      m_addersOf(m_workers.size()),
      m_format(format)
{
    for (std::size_t i = 0; i < m_adders.size(); ++i)
    {
        ns3::UintegerValue rate(0); // it adds as fast as they come
        m_adders[i].program->GetAttributeFailSafe("AdderRate", rate);
        m_adders[i].addedPerSecond = rate.Get();
        for (const auto worker : m_adders[i].below)
        {
            m_addersOf[worker].push_back(i);
        }
    }
    m_sequences.resize(m_format.sequences);
    for (auto& sequence : m_sequences)
    {
        sequence.asked.resize(m_workers.size());
    }
}

void
FlowSums::Dispose()
{
    m_sequences.clear();
    m_workers.clear();
    m_adders.clear();
}

void
FlowSums::Ask(Rank worker,
              std::uint64_t stream,
              const ReductionSize& size,
              std::uint64_t blocks,
              std::uint64_t prologue)
{
    const auto number = m_format.SequenceOf(size.phase);
    auto& sequence = m_sequences[number];
    const auto place = sequence.asked[worker]++ - sequence.sentSums;
    if (place == sequence.sums.size())
    {
        auto& sum = *sequence.sums.emplace_back(std::make_shared<Sum>(*this));
        sum.sequence = number;
        sum.size = size;
        sum.blocks = blocks;
        sum.prologue = prologue;
        sum.streams.resize(m_workers.size());
        sum.firstAskedPs = NowPs();
    }
    auto& sum = *sequence.sums[place];
    sum.streams[worker] = stream;
    sum.path = PathLog::Now();
    ++sum.asked;
    BeginNext(sequence, true);
}

/**
 * Begins the next sum if all workers have asked for it. @p isIdle: no packets of a sum before it
 * are being sent.
 */
void
FlowSums::BeginNext(Sequence& sequence, bool isIdle)
{
    const auto isDue = !sequence.sums.empty() && sequence.sums.front()->asked == m_workers.size();
    if (isDue && !std::exchange(sequence.isUnderWay, true))
    {
        Begin(*sequence.sums.front(), isIdle);
    }
}

void
FlowSums::Begin(Sum& sum, bool isIdle)
{
    auto& sequence = m_sequences[sum.sequence];
    sum.packets = sum.blocks + (isIdle ? 0 : sum.prologue);
    sum.units = static_cast<double>(sum.packets);
    const auto trip = TripOf(sum);
    auto load = LoadOf(sum);
    load.window = static_cast<double>(m_format.SlotsOf(sum.sequence));
    load.roundTripPs = trip.turnPs;
    if (load.window >= sum.units || load.window * trip.slowestPs >= trip.turnPs)
    {
        sum.trip = {}; // slots are enough
    }
    const auto delayPs = isIdle ? IdlePs(sum, trip) : BehindPs(sum, trip, load.window);
    sequence.beganPs = NowPs() + delayPs;
    ExtendPath(sum, delayPs);
    Announce(sum, trip.slowestPs);
    if (!isIdle && delayPs == 0 && !(load != *sequence.load))
    {
        m_network->Append(sequence.flow, sequence.sums.front()); // its packets go as slots get free
        return;
    }
    sequence.load = std::make_shared<const FlowLoad>(std::move(load));
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<std::uint64_t>(delayPs)),
                             [this, load = sequence.load, part = sequence.sums.front()] {
                                 m_sequences[part->sequence].flow = m_network->Begin(load, part);
                             });
}

/** By what its hosts wait for, to when its first packets leave. */
void
FlowSums::ExtendPath(Sum& sum, std::int64_t delayPs) const
{
    const auto messagePs = std::min<std::int64_t>(delayPs, std::llround(MessagePs()));
    const PathLog::Scope scope;
    PathLog::Follow(sum.path);
    sum.slowest.ExtendPath(NowPs()); // for the sum before, whose packets these follow
    PathLog::Extend(PathKind::HOST_MESSAGE, Dearest().node, NowPs() + messagePs);
    sum.slowest.ExtendPath(NowPs() + delayPs); // for packets that tell exponents
    sum.path = PathLog::Now();
}

/** How long a packet is under way, up from where that takes longest. Says when each worker has got the last one. */
FlowSums::Trip
FlowSums::TripOf(Sum& sum) const
{
    const auto wayPs = [](const Stages& stages, double Stage::*of) {
        return std::accumulate(
            stages.begin(), stages.end(), 0.0, [of](double ps, const Stage& stage) {
                return ps + stage.*of + stage.thenPs;
            });
    };
    Stages up;
    Trip trip;
    for (Rank worker = 0; worker < m_workers.size(); ++worker)
    {
        auto stages = Up(sum, worker);
        const auto down = Down(sum, worker);
        const auto sendsPs = wayPs(stages, &Stage::onePs) + wayPs(down, &Stage::otherPs);
        const auto getsPs = wayPs(stages, &Stage::otherPs) + wayPs(down, &Stage::onePs);
        trip.turnPs = std::max({trip.turnPs, sendsPs, getsPs});
        if (wayPs(stages, &Stage::onePs) > wayPs(up, &Stage::onePs))
        {
            up = std::move(stages);
        }
    }
    trip.hostPs = up.front().totalPs;
    double mostPs = 0;
    for (Rank worker = 0; worker < m_workers.size(); ++worker)
    {
        auto stages = up;
        const auto down = Down(sum, worker);
        stages.insert(stages.end(), down.begin(), down.end());
        const auto most = [&stages](double Stage::*of) {
            return *std::max_element(
                stages.begin(), stages.end(), [of](const Stage& a, const Stage& b) {
                    return a.*of < b.*of;
                });
        };
        const auto slowest = most(&Stage::totalPs);
        if (slowest.totalPs > mostPs)
        {
            mostPs = slowest.totalPs;
            sum.slowest = slowest.place;
        }
        NoteLinks(stages, sum);
        const auto allPs = wayPs(stages, &Stage::onePs);
        sum.untilGotPs.push_back(std::llround(allPs - slowest.onePs)); // that is part of the flow
        if (allPs > trip.allPs)
        {
            trip.allPs = allPs;
            NoteTrip(stages, sum);
        }
        trip.emptyPs = std::max(trip.emptyPs, wayPs(stages, &Stage::emptyPs));
        trip.slowestPs = std::max(trip.slowestPs, slowest.totalPs / sum.units);
        trip.slowestEmptyPs = std::max(trip.slowestEmptyPs, most(&Stage::emptyPs).emptyPs);
    }
    const auto share = ShareInTurn(sum);
    trip.turnPs = share * trip.allPs + (1 - share) * trip.turnPs;
    return trip;
}

/** Share of packets of which a worker gets values before it sends values of the packet that is next in their slot (BlockPackets). */
double
FlowSums::ShareInTurn(const Sum& sum) const
{
    const auto slots = m_format.SlotsOf(sum.sequence);
    const auto phase = sum.size.phase;
    if (phase == SumPhase::ALL_REDUCE || sum.blocks <= slots)
    {
        return 1;
    }
    const auto workers = m_workers.size();
    const auto oneIn = sum.size.oneIn;
    if (phase == SumPhase::ALL_GATHER && slots % workers == 0)
    {
        return 0; // whoever owns the one owns the other
    }
    const auto part =
        phase == SumPhase::ALL_GATHER ? slots % oneIn : (oneIn - slots % oneIn) % oneIn;
    const auto pairs = sum.blocks - slots;
    const auto pattern = workers * oneIn;
    const auto rest =
        std::clamp<std::uint64_t>(pairs % pattern, part * workers, (part + 1) * workers);
    const auto some = pairs / pattern * workers + rest - part * workers;
    return static_cast<double>(some) / static_cast<double>(pairs);
}

void
FlowSums::NoteLinks(const Stages& stages, Sum& sum) const
{
    if (!PathLog::IsOn())
    {
        return;
    }
    auto& links = sum.links.emplace_back();
    for (const auto& stage : stages)
    {
        if (m_network->LinkAt(stage.place, stage.resource) != nullptr)
        {
            links.push_back(stage.resource);
        }
    }
}

void
FlowSums::NoteTrip(const Stages& stages, Sum& sum) const
{
    sum.trip = {};
    for (std::size_t i = 0; PathLog::IsOn() && i < stages.size(); ++i)
    {
        const auto& stage = stages[i];
        const auto* const link = m_network->LinkAt(stage.place, stage.resource);
        sum.trip.Add(stage.place, stage.onePs, stage.thenPs, link);
    }
}

const FlowSums::Worker&
FlowSums::Dearest() const
{
    return *std::max_element(m_workers.begin(), m_workers.end(), [](const auto& a, const auto& b) {
        return a.path->MessageCostPs() < b.path->MessageCostPs();
    });
}

/** Of the dearest host. */
double
FlowSums::MessagePs() const
{
    return m_sparesHosts ? 0 : static_cast<double>(Dearest().path->MessageCostPs());
}

/**
 * What a sum with none ahead of it waits for: its hosts, and the first sums of packets without values, which tell exponents. All of
 * these packets are under way then.
 */
std::int64_t
FlowSums::IdlePs(const Sum& sum, const Trip& trip) const
{
    const auto ahead = static_cast<double>(sum.prologue);
    const auto aheadPs = ahead > 0 ? std::max(trip.emptyPs, ahead * trip.slowestEmptyPs) : 0;
    return std::llround(MessagePs() + aheadPs);
}

/**
 * What a sum right behind another one waits for: its hosts, as far as what they gave to their NICs before has left by then. That
 * is all of the sum before, or what the slots let go.
 */
std::int64_t
FlowSums::BehindPs(const Sum& sum, const Trip& trip, double slots) const
{
    const auto sinceBeganPs = static_cast<double>(NowPs() - m_sequences[sum.sequence].beganPs);
    const auto inNicPs =
        sum.units <= slots ? sinceBeganPs - trip.hostPs : slots * trip.slowestPs - trip.allPs;
    const bool isHostSlowest = trip.hostPs >= trip.slowestPs * sum.units;
    return std::llround(std::max(0.0, MessagePs() - (isHostSlowest ? 0 : std::max(0.0, inNicPs))));
}

/** Counts its packets in switches. Those of whoever asked first wait in slots for those of the last. */
void
FlowSums::Announce(const Sum& sum, double packetPs)
{
    const auto ahead = static_cast<double>(NowPs() - sum.firstAskedPs) / packetPs;
    const auto most = std::min(m_format.SlotsOf(sum.sequence), sum.Packets());
    const auto slots = std::min(static_cast<double>(most), 1 + ahead);
    for (const auto& adder : m_adders)
    {
        adder.program->CountFlow(sum.Packets(), static_cast<std::uint32_t>(slots));
    }
}

void
FlowSums::Sent(const Sum& sum)
{
    auto& sequence = m_sequences[sum.sequence];
    sequence.sums.pop_front();
    ++sequence.sentSums;
    sequence.isUnderWay = false;
    BeginNext(sequence, false);
}

void
FlowSums::Carried(const Sum& sum)
{
    Count(sum);
    auto& sequence = m_sequences[sum.sequence];
    const PathLog::Scope scope;
    PathLog::Follow(sum.path);
    PathLog::Await(sequence.carriedPath);
    sum.trip.ExtendPath(PathKind::SLOTS, NowPs());
    sum.slowest.ExtendPath(NowPs());
    sequence.carriedPath = PathLog::Now();
    const auto workers = static_cast<Rank>(m_workers.size());
    for (Rank worker = 0; worker < workers; ++worker)
    {
        const auto bytes = WordsGot(sum.size, worker, workers) * m_format.adder.sum->bytes;
        const PathLog::Scope inner;
        if (!sum.links.empty())
        {
            m_network->ExtendPath(sum.slowest, sum.links[worker], NowPs() + sum.untilGotPs[worker]);
        }
        ns3::Simulator::ScheduleWithContext(
            m_workers[worker].node,
            ns3::TimeStep(static_cast<std::uint64_t>(sum.untilGotPs[worker])),
            [onSum = m_workers[worker].onSum,
             stream = sum.streams[worker],
             packets = sum.Packets(),
             bytes] { onSum(stream, packets, bytes); });
    }
}

/** On all links. */
void
FlowSums::Count(const Sum& sum)
{
    const auto count = [this, &sum](std::uint32_t link, const Packets& packets) {
        const auto others = sum.Packets() - packets.values;
        m_network->Count(link,
                         sum.Packets(),
                         {packets.values * m_format.PayloadBytes(*packets.type),
                          packets.values * m_format.FrameBytes(*packets.type) +
                              others * m_format.EmptyFrameBytes()});
    };
    for (Rank worker = 0; worker < m_workers.size(); ++worker)
    {
        const auto link = FlowNetwork::LinkOf(m_workers[worker].host);
        count(link, Upwards(sum, {worker}, false));
        count(link + 1, Downwards(sum, {worker}));
    }
    for (const auto& adder : m_adders)
    {
        if (adder.up)
        {
            count(*adder.up, Upwards(sum, adder.below, true));
            count(*adder.down, Downwards(sum, adder.below));
        }
    }
}

/** What a packet takes in the mean of all that packets pass. */
FlowLoad
FlowSums::LoadOf(const Sum& sum) const
{
    FlowLoad load;
    const auto units = sum.units;
    const auto add = [&load, units](const Stage& stage) {
        AddUse(load.sending, {stage.resource, stage.totalPs / units});
    };
    for (Rank worker = 0; worker < m_workers.size(); ++worker)
    {
        const auto host = m_workers[worker].host;
        const auto link = FlowNetwork::LinkOf(host);
        add(OnLane(sum, m_network->LaneOf(host), m_workers[worker], Upwards(sum, {worker}, false)));
        add(OnLink(sum, link, Upwards(sum, {worker}, false)));
        add(OnLink(sum, link + 1, Downwards(sum, {worker})));
        add(OnLane(sum, link + 1, m_workers[worker], Downwards(sum, {worker})));
    }
    double adderPs = 0;
    for (const auto& adder : m_adders)
    {
        if (adder.up)
        {
            add(OnLink(sum, *adder.up, Upwards(sum, adder.below, true)));
            add(OnLink(sum, *adder.down, Downwards(sum, adder.below)));
        }
        adderPs = std::max(adderPs, static_cast<double>(AdderPs(adder, sum)));
    }
    load.most = adderPs > 0 ? units / (adderPs * static_cast<double>(sum.blocks)) : load.most;
    load.queues = {{FlowNetwork::LinkOf(m_workers.front().host) + 1,
                    0}}; // none has more than its link can take
    return load;
}

/** Packets whose values are of these workers' own parts. */
std::uint64_t
FlowSums::Owned(const Sum& sum, const std::vector<Rank>& by) const
{
    const auto workers = m_workers.size();
    std::uint64_t owned = 0;
    for (const auto worker : by)
    {
        owned += sum.blocks / workers + (worker < sum.blocks % workers ? 1 : 0);
    }
    return owned;
}

/** Of packets with values of some workers' blocks: those of parts that are for one of these workers (BlockPackets::IsFor). */
std::uint64_t
FlowSums::For(const Sum& sum, const std::vector<Rank>& workers, std::uint64_t packets) const
{
    std::vector<bool> parts(sum.size.oneIn);
    for (const auto worker : workers)
    {
        parts[worker % sum.size.oneIn] = true;
    }
    const auto some = std::count(parts.begin(), parts.end(), true);
    return packets * static_cast<std::uint64_t>(some) / sum.size.oneIn;
}

/** What workers send, or, with @p isSum, what a switch above them sends. */
FlowSums::Packets
FlowSums::Upwards(const Sum& sum, const std::vector<Rank>& from, bool isSum) const
{
    const bool isGathered = sum.size.phase == SumPhase::ALL_GATHER;
    return {isGathered ? Owned(sum, from) : For(sum, from, sum.blocks),
            isSum ? m_format.adder.sum : m_format.adder.term};
}

/** What is gathered from a worker below a switch is there already. */
FlowSums::Packets
FlowSums::Downwards(const Sum& sum, const std::vector<Rank>& to) const
{
    const auto phase = sum.size.phase;
    const auto own = Owned(sum, to);
    const auto all = phase == SumPhase::ALL_REDUCE       ? sum.blocks
                     : phase == SumPhase::REDUCE_SCATTER ? own
                                                         : For(sum, to, sum.blocks - own);
    return {all, m_format.adder.sum};
}

FlowSums::Stage
FlowSums::StageOf(
    const Sum& sum, std::uint32_t resource, const Packets& packets, double onePs, double emptyPs)
{
    const auto values = static_cast<double>(packets.values);
    const auto others = static_cast<double>(sum.packets - packets.values);
    return {resource, values * onePs + others * emptyPs, onePs, emptyPs, emptyPs, 0, {}};
}

FlowSums::Stage
FlowSums::OnLink(const Sum& sum, std::uint32_t link, const Packets& packets) const
{
    const auto& on = m_network->Link(link);
    auto stage = StageOf(sum,
                         link,
                         packets,
                         on.PsPerByte() * static_cast<double>(m_format.FrameBytes(*packets.type)),
                         on.PsPerByte() * static_cast<double>(m_format.EmptyFrameBytes()));
    stage.thenPs = static_cast<double>(on.latencyPs);
    stage.place = m_network->PlaceOf(link);
    return stage;
}

/** What others below or above it have values of passes it, too. */
FlowSums::Stage
FlowSums::OnTrunk(const Sum& sum, std::uint32_t link, const Packets& packets) const
{
    auto stage = OnLink(sum, link, packets);
    stage.otherPs = stage.totalPs / sum.units;
    return stage;
}

FlowSums::Stage
FlowSums::OnLane(const Sum& sum,
                 std::uint32_t resource,
                 const Worker& worker,
                 const Packets& packets) const
{
    const auto costPs = [this, &worker](std::uint64_t bytes) {
        return m_sparesHosts ? 0 : static_cast<double>(worker.path->FrameCostPs(bytes));
    };
    auto stage =
        StageOf(sum, resource, packets, costPs(m_format.PayloadBytes(*packets.type)), costPs(0));
    stage.place = {worker.path->FrameKind(), worker.node};
    return stage;
}

/** To the root, where its packets are added last. */
FlowSums::Stages
FlowSums::Up(const Sum& sum, Rank worker) const
{
    const auto host = m_workers[worker].host;
    const auto own = Upwards(sum, {worker}, false);
    Stages stages{OnLane(sum, m_network->LaneOf(host), m_workers[worker], own),
                  OnLink(sum, FlowNetwork::LinkOf(host), own)};
    for (const auto i : m_addersOf[worker])
    {
        const auto& adder = m_adders[i];
        const auto addPs = static_cast<double>(AdderPs(adder, sum));
        stages.push_back({0,
                          addPs * static_cast<double>(sum.blocks),
                          addPs,
                          0,
                          addPs,
                          0,
                          {PathKind::ADDER, adder.node}});
        if (adder.up)
        {
            stages.push_back(OnTrunk(sum, *adder.up, Upwards(sum, adder.below, true)));
        }
    }
    return stages;
}

FlowSums::Stages
FlowSums::Down(const Sum& sum, Rank worker) const
{
    const auto host = m_workers[worker].host;
    Stages stages;
    for (auto i = m_addersOf[worker].rbegin(); i != m_addersOf[worker].rend(); ++i)
    {
        if (const auto& adder = m_adders[*i]; adder.down)
        {
            stages.push_back(OnTrunk(sum, *adder.down, Downwards(sum, adder.below)));
        }
    }
    const auto link = FlowNetwork::LinkOf(host) + 1;
    stages.push_back(OnLink(sum, link, Downwards(sum, {worker})));
    stages.push_back(OnLane(sum, link, m_workers[worker], Downwards(sum, {worker})));
    return stages;
}

/** What a packet takes of a switch's adder, of all children, or of as many as have something to add (neighbours have different parts). */
std::int64_t
FlowSums::AdderPs(const Adder& adder, const Sum& sum) const
{
    if (adder.addedPerSecond == 0 || sum.size.phase == SumPhase::ALL_GATHER)
    {
        return 0;
    }
    const std::int64_t children{adder.program->Children()};
    const std::int64_t oneIn{sum.size.oneIn};
    const auto partsOfChild =
        std::min(oneIn, static_cast<std::int64_t>(adder.below.size()) / children);
    const auto values =
        (sum.size.words + sum.blocks - 1) / sum.blocks; // short packets of small sums
    return children * partsOfChild * WorkPs(values, adder.addedPerSecond) / oneIn;
}

} // namespace inca
