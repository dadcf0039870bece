/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/channel-runner.h"

#include "base/errors.h"
#include "base/units.h"
#include "device/mac-hash.h"
#include "device/simulated-time.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

ChannelRunner::ChannelRunner(RankHost& host,
                             ChannelPlace place,
                             const StepPlan& steps,
                             const JobChunk& chunk,
                             RoundContent& content)
    : m_host(host),
      m_job(*host.job),
      m_chunk(chunk),
      m_place(place),
      m_roundIndex(m_job.RoundOfExchange(place.round)),
      m_steps(steps),
      m_content(content),
      m_mailbox(place.channel, place.channels),
      m_networkSum(host, m_content, chunk.rounds[m_roundIndex].hooks.sum),
      m_waits(host.timeline, host.clock)
{
}

void
ChannelRunner::Start(MessageSeen messageSeen, Done done)
{
    m_messageSeen = std::move(messageSeen);
    m_done = std::move(done);
    BeginStep();
}

void
ChannelRunner::BeginStep()
{
    m_progress = {};
    m_outgoing.clear();
    m_incoming.clear();
    m_places.clear();
    if (HasEnded())
    {
        const auto done = std::move(m_done); // whoever is told may end this object
        done();
        return;
    }
    m_step = m_steps.At(m_host.rank, m_stepIndex);
    if (m_host.stepBegun)
    {
        m_host.stepBegun({m_host.rank, m_place.round, m_place.channel, StepsAlike()});
    }
    m_step.reduction ? BeginReduction() : BeginMessages();
}

void
ChannelRunner::BeginMessages()
{
    PrepareSends();
    for (const auto& transfer : m_step.receives)
    {
        const auto key = m_mailbox.NextFrom(transfer.peer);
        m_places.emplace_back(key, m_incoming.size());
        m_incoming.push_back({key, IsToSelf(m_host.rank, transfer), {}});
    }
    std::sort(m_places.begin(), m_places.end());
    const bool receiveFirst = m_step.receiveFirst && !m_step.receives.empty();
    if (Alternates() && receiveFirst)
    {
        BeginReceives();
        return;
    }
    BeginSends();
    if (!Alternates())
    {
        BeginReceives();
    }
}

void
ChannelRunner::BeginReduction()
{
    RequireOneOrder();
    const auto ask = [this] { m_networkSum.Begin(m_step, [this] { EndReduction(); }); };
    m_host.SumsOf(m_step).client ? OrderOf(m_step).Request(m_place.round, ask)
                                 : ask(); // which refuses
}

/** All-gathers may wait for updates that come after other sums. */
ReductionOrder&
ChannelRunner::OrderOf(const Step& step) const
{
    auto& all = m_host.SumsOf(step);
    return step.phase == SumPhase::ALL_GATHER ? all.gathers : all.sums;
}

void
ChannelRunner::ReserveReductions() const
{
    const auto steps = m_steps.StepCount(m_host.rank);
    const auto& all = m_host.networkSums;
    for (std::uint32_t index = 0; (all[0].client || all[1].client) && index < steps; ++index)
    {
        const auto step = m_steps.At(m_host.rank, index);
        if (step.reduction)
        {
            OrderOf(step).Reserve(m_place.round);
        }
        else if (m_place.channels > 1)
        {
            return; // of several channels, one that begins with messages has nothing else
        }
    }
}

/** All workers ask for the first steps of exchanges in one order, and for what they gather, where that has its own. */
void
ChannelRunner::RequireOneOrder() const
{
    const auto client = m_host.SumsOf(m_step).client;
    const bool isApart = m_step.phase == SumPhase::ALL_GATHER && client && client->GathersApart();
    const bool isOrdered = m_roundIndex == 0 && (m_stepIndex == 0 || isApart);
    if (!isOrdered && m_job.concurrent > 1)
    {
        throw InvariantError("step " + std::to_string(m_stepIndex) + " of round " +
                             std::to_string(m_roundIndex) +
                             " has the network add, which all workers must ask for in one order: "
                             "of exchanges at the same time only first steps, and gathers in a "
                             "sequence of their own, keep to one");
    }
}

void
ChannelRunner::EndReduction()
{
    TellOfSum();
    if (!UpdatesNow())
    {
        EndStep();
        return;
    }
    Update(OwnPart(), [this] { EndStep(); });
}

void
ChannelRunner::TellOfSum() const
{
    const auto range = *m_step.reduction;
    const auto own = OwnPart();
    const auto valueBytes = m_host.SumsOf(m_step).client->ValueBytes();
    const ElementRange before{range.begin, own.begin - range.begin};
    const ElementRange after{own.End(), range.End() - own.End()};
    StepMessage message;
    message.step = m_place.firstStep + m_stepIndex;
    message.round = static_cast<std::uint32_t>(m_roundIndex);
    message.words = range.count;
    switch (m_step.phase)
    {
    case SumPhase::ALL_REDUCE:
        message.plainBytes = m_content.OwnBytes(range, message.kind);
        message.wireBytes = range.count * valueBytes;
        break;
    case SumPhase::REDUCE_SCATTER:
        message.words = own.count;
        message.plainBytes = m_content.OwnBytes(own, message.kind);
        message.wireBytes = own.count * valueBytes;
        break;
    case SumPhase::ALL_GATHER:
        message.kind = m_step.gathered;
        message.words = (range.count - own.count) / m_step.oneIn;
        message.plainBytes =
            (m_content.OwnBytes(before, message.kind) + m_content.OwnBytes(after, message.kind)) /
            m_step.oneIn;
        message.wireBytes = message.plainBytes;
        break;
    }
    m_messageSeen(message);
}

ElementRange
ChannelRunner::OwnPart() const
{
    return inca::OwnPart(m_step, m_host.rank, m_job.workers);
}

void
ChannelRunner::PrepareSends()
{
    for (std::size_t i = 0; i < m_step.sends.size(); ++i)
    {
        const auto& transfer = m_step.sends[i];
        m_outgoing.push_back(
            {m_mailbox.NextTo(transfer.peer),
             RepeatsSend(m_step, i) ? m_outgoing.back().content : m_content.OfSend(transfer)});
    }
}

void
ChannelRunner::BeginSends()
{
    if (m_progress.sendsBegun)
    {
        return;
    }
    m_progress.sendsBegun = true;
    SendNext();
}

void
ChannelRunner::SendNext()
{
    if (m_progress.nextSend == m_outgoing.size())
    {
        if (!m_progress.receivesBegun && Alternates())
        {
            BeginReceives();
        }
        m_waits.Note(WaitsFor());
        CombineIfDue();
        EndStepIfDone();
        return;
    }
    const auto& transfer = m_step.sends[m_progress.nextSend];
    m_progress.waitsForGrant = Alternates() && !IsToSelf(m_host.rank, transfer) &&
                               !m_mailbox.TakeGrant(m_outgoing[m_progress.nextSend].key);
    m_waits.Note(WaitsFor());
    if (m_progress.waitsForGrant)
    {
        return;
    }
    const bool isCoded = m_job.coding.HostCodecOf(transfer) != nullptr;
    if (isCoded && !RepeatsSend(m_step, m_progress.nextSend))
    {
        m_host.codec.Run(
            PathKind::ENCODE,
            WorkPs(m_content.PlainBytes(transfer), RatesOf(transfer).encode),
            [this] { Post(); },
            std::nullopt,
            NumberOf(Act::POST),
            transfer.crossesGroups ? 1 : 0);
        return;
    }
    Post();
}

/** Takes this rank's message to itself, with which the step may end: after the sends behind it have begun. */
void
ChannelRunner::Keep()
{
    const auto& [key, content] = m_outgoing[m_progress.nextSend++];
    ReceivedMessage message;
    message.bytes = content.payload;
    SendNext();
    Accept(key, std::move(message));
}

bool
ChannelRunner::IsInside(const Transfer& transfer) const
{
    return m_job.AreInOneNode(m_host.rank, transfer.peer);
}

/** What a protocol takes goes on in each channel by itself. */
void
ChannelRunner::Post()
{
    if (IsToSelf(m_host.rank, m_step.sends[m_progress.nextSend]))
    {
        Keep();
        return;
    }
    const auto bytes = m_outgoing[m_progress.nextSend].content.bytes;
    const auto& round = m_chunk.rounds[m_roundIndex];
    const bool crosses = m_step.sends[m_progress.nextSend].crossesGroups && round.costsBetween;
    const auto& costs = crosses ? *round.costsBetween : round.costs;
    const bool isSpared = costs.sparesNodes && IsInside(m_step.sends[m_progress.nextSend]);
    const auto costPs = isSpared ? 0 : costs.MessagePs(bytes);
    if (costPs == 0)
    {
        Hand();
        return;
    }
    const PathLog::Scope scope;
    ExtendPath(PathKind::PROTOCOL, NowPs() + costPs);
    m_host.clock.At(
        m_host.clock.NowPs() + costPs, [this] { Hand(); }, NumberOf(Act::HAND));
}

void
ChannelRunner::Hand()
{
    const auto& transfer = m_step.sends[m_progress.nextSend];
    auto& outgoing = m_outgoing[m_progress.nextSend];
    Message message;
    message.to = m_host.addresses->Of(transfer.peer);
    message.tag = {m_job.id, m_place.round, outgoing.key.second, false, IsInside(transfer)};
    message.sentPs = m_host.clock.NowPs();
    message.plainBytes = outgoing.content.bytes;
    message.compressible = m_job.coding.PlaceOf(transfer) == CodingPlace::ENGINE;
    message.codec = message.compressible ? m_job.coding.Of(transfer).codec.get() : nullptr;
    message.meanBits = message.compressible ? m_job.coding.BitsOf(m_chunk.range, transfer) : 0;
    message.payload = std::move(outgoing.content.payload);
    message.codedSizes = message.compressible ? CodedSizesOf(m_progress.nextSend) : nullptr;
    m_host.transport->Send(std::move(message), [this] {
        ++m_progress.nextSend;
        SendNext();
    });
}

CodingRates
ChannelRunner::RatesOf(const Transfer& transfer) const
{
    return m_job.coding.Of(transfer).rates.value_or(m_host.codingRates);
}

/** Replayed frame sizes of this step's send number @p send; null if no values were replayed. */
std::shared_ptr<const FrameSizes>
ChannelRunner::CodedSizesOf(std::size_t send) const
{
    if (m_job.coding.sizes.empty())
    {
        return nullptr;
    }
    const auto chunk = m_job.ExchangeOf(m_place.round) % m_job.chunks.size();
    return m_job.coding.sizes[chunk]->Of(
        {m_host.rank, m_place.firstStep + m_stepIndex, static_cast<std::uint32_t>(send)});
}

void
ChannelRunner::BeginReceives()
{
    m_progress.receivesBegun = true;
    m_progress.combined = m_incoming.empty();
    for (std::size_t i = 0; Alternates() && i < m_incoming.size(); ++i)
    {
        if (!m_incoming[i].here) // what a rank sends to itself waits for nobody
        {
            Grant(i);
        }
    }
    PassOverHere();
    m_waits.Note(WaitsFor());
    for (std::size_t i = 0; i < m_incoming.size(); ++i)
    {
        if (auto early = m_mailbox.Take(m_incoming[i].key))
        {
            Take(i, std::move(*early));
        }
    }
    EndStepIfDone();
}

void
ChannelRunner::Grant(std::size_t index)
{
    const auto& [peer, ordinal] = m_incoming[index].key;
    Message grant;
    grant.to = m_host.addresses->Of(peer);
    grant.tag = {m_job.id, m_place.round, ordinal, true};
    grant.sentPs = m_host.clock.NowPs();
    m_host.transport->Send(std::move(grant), nullptr);
}

void
ChannelRunner::Deliver(ReceivedMessage message)
{
    const MessageKey key{m_host.addresses->RankAt(message.from), message.tag.ordinal};
    if (message.tag.grant)
    {
        m_waits.Came({key, true}, message.sentPs);
        m_mailbox.AddGrant(key);
        if (m_progress.waitsForGrant && m_outgoing[m_progress.nextSend].key == key)
        {
            SendNext();
        }
        return;
    }
    Accept(key, std::move(message));
}

void
ChannelRunner::Accept(const MessageKey& key, ReceivedMessage message)
{
    if (const auto place = PlaceOf(key); place && m_progress.receivesBegun)
    {
        Take(*place, std::move(message));
        return;
    }
    m_mailbox.Keep(key, std::move(message));
}

std::optional<std::size_t>
ChannelRunner::PlaceOf(const MessageKey& key) const
{
    const auto found = std::lower_bound(
        m_places.begin(), m_places.end(), key, [](const auto& entry, const MessageKey& sought) {
            return entry.first < sought;
        });
    if (found == m_places.end() || found->first != key)
    {
        return std::nullopt;
    }
    return found->second;
}

/** The first of several may be put down, for the next to be added to it. */
bool
ChannelRunner::IsAdded(const Step& step, std::size_t index)
{
    const auto& receives = step.receives;
    const bool isBeforeAdded = index + 1 < receives.size() &&
                               receives[index + 1].combine == Combine::ADD &&
                               receives[index + 1].range == receives[index].range;
    return isBeforeAdded || receives[index].combine == Combine::ADD;
}

void
ChannelRunner::TellOf(std::size_t index, const ReceivedMessage& message)
{
    const auto& transfer = m_step.receives[index];
    m_messageSeen({m_place.firstStep + m_stepIndex,
                   static_cast<std::uint32_t>(m_roundIndex),
                   transfer.kind,
                   transfer.range.count,
                   m_content.OwnBytes(transfer.range, transfer.kind),
                   message.wirePayloadBytes,
                   IsAdded(m_step, index)});
    m_wireBytes.resize(std::max(m_wireBytes.size(), m_incoming.size()));
    m_wireBytes[index] = message.wirePayloadBytes;
    m_waits.Came({m_incoming[index].key, false}, message.sentPs);
}

void
ChannelRunner::PassOverHere()
{
    while (m_progress.firstMissing < m_incoming.size() && m_incoming[m_progress.firstMissing].here)
    {
        ++m_progress.firstMissing;
    }
}

void
ChannelRunner::Take(std::size_t index, ReceivedMessage message)
{
    const auto& transfer = m_step.receives[index];
    const auto plainBytes = m_content.PlainBytes(transfer);
    if (!IsToSelf(m_host.rank, transfer))
    {
        TellOf(index, message);
    }
    m_incoming[index].words = m_content.WordsOf(transfer, std::move(message));
    m_incoming[index].here = true;
    PassOverHere();
    m_waits.Note(WaitsFor());
    if (m_progress.firstMissing == m_incoming.size())
    {
        BeginSends(); // of a host that alternates
    }
    if (m_job.coding.HostCodecOf(transfer) == nullptr)
    {
        Arrive(index);
        return;
    }
    m_host.codec.Run(
        PathKind::DECODE,
        WorkPs(plainBytes, RatesOf(transfer).decode),
        [this, index] { Arrive(index); },
        std::nullopt,
        NumberOf(Act::ARRIVE, index),
        transfer.crossesGroups ? 1 : 0);
}

void
ChannelRunner::Arrive(std::size_t index)
{
    ++m_progress.arrived;
    const bool all = m_progress.arrived == m_incoming.size();
    if (AddsOnArrival())
    {
        // The first one is only put down; the others are added as they come.
        const auto added = m_progress.arrived == 1 ? 0 : BytesToAdd(m_step.receives[index]);
        const auto goOn = [this, all] {
            if (all)
            {
                Combined();
            }
        };
        m_host.sum.Run(PathKind::SUM,
                       WorkPs(added, m_host.sumBytesPerSecond),
                       goOn,
                       std::nullopt,
                       NumberOf(Act::ADD, all ? 1 : 0));
        return;
    }
    CombineIfDue();
}

void
ChannelRunner::CombineIfDue()
{
    const bool moved = m_progress.sendsBegun && m_progress.nextSend == m_outgoing.size();
    const bool all =
        m_progress.receivesBegun && !m_incoming.empty() && m_progress.arrived == m_incoming.size();
    if (!m_progress.combining && !AddsOnArrival() && all && (moved || !Alternates()))
    {
        m_progress.combining = true;
        Combine();
    }
}

void
ChannelRunner::Combine()
{
    std::uint64_t bytes = 0;
    bool adds = false;
    for (const auto& receive : m_step.receives)
    {
        const bool added = receive.combine == Combine::ADD;
        bytes += added ? BytesToAdd(receive) : 0;
        adds = adds || added;
    }
    if (!adds)
    {
        Combined();
        return;
    }
    m_host.sum.Run(
        PathKind::SUM,
        WorkPs(bytes, m_host.sumBytesPerSecond),
        [this] { Combined(); },
        std::nullopt,
        NumberOf(Act::COMBINED));
}

/** That take time: GPUs of a node add what they get from each other as it comes. */
std::uint64_t
ChannelRunner::BytesToAdd(const Transfer& receive) const
{
    return IsInside(receive) ? 0 : m_content.WordBytes(receive.range);
}

void
ChannelRunner::Combined()
{
    if (m_content.Words() != nullptr)
    {
        std::vector<const Word*> received;
        for (const auto& incoming : m_incoming)
        {
            received.push_back(incoming.words.Words());
        }
        m_content.Receive(m_step, received);
    }
    const auto finish = [this] {
        m_progress.combined = true;
        EndStepIfDone();
    };
    if (!UpdatesNow())
    {
        finish();
        return;
    }
    Update(m_step.receives.front().range, finish);
}

/** Whether the step under way ends with weights of its sums, which are decoded first if they are coded. */
bool
ChannelRunner::UpdatesNow() const
{
    return m_step.update && !m_chunk.coding && m_job.IsOfLastBatch(m_job.ExchangeOf(m_place.round));
}

/** Whether the next step adds gradients, too. */
bool
ChannelRunner::SumsGoOn() const
{
    if (m_stepIndex + 1 >= m_steps.StepCount(m_host.rank))
    {
        return false;
    }
    const auto next = m_steps.At(m_host.rank, m_stepIndex + 1);
    return !next.sends.empty() && next.sends.front().kind == PayloadKind::GRADIENT;
}

/** Makes weights of the sums of @p range. */
void
ChannelRunner::Update(ElementRange range, std::function<void()> done)
{
    const auto exchange = m_job.ExchangeOf(m_place.round);
    const auto durationPs =
        m_job.IsWorker(m_host.rank)
            ? m_job.ShardUpdatePs(m_host.rank, m_job.IterationOf(exchange), m_chunk, range)
            : m_job.AggregatorUpdatePs(m_chunk, range);
    m_host.updateShard({exchange, SumsGoOn() ? 0 : m_place.together, durationPs, std::move(done)});
}

void
ChannelRunner::EndStepIfDone()
{
    if (m_progress.sendsBegun && m_progress.receivesBegun && m_progress.combined &&
        m_progress.nextSend == m_outgoing.size())
    {
        m_progress.sendsBegun = false;
        m_progress.receivesBegun = false;
        EndStep();
    }
}

void
ChannelRunner::EndStep()
{
    ++m_stepIndex;
    m_progress.ended = true;
    m_host.clock.At(
        m_host.clock.NowPs(), [this] { BeginStep(); }, NumberOf(Act::BEGIN_STEP));
}

bool
ChannelRunner::Alternates() const
{
    return m_host.path->IsHalfDuplex();
}

bool
ChannelRunner::AddsOnArrival() const
{
    return m_job.sumOnArrival && !m_job.IsWorker(m_host.rank);
}

std::optional<Awaited>
ChannelRunner::WaitsFor() const
{
    if (m_progress.waitsForGrant)
    {
        return Awaited{m_outgoing[m_progress.nextSend].key, true};
    }
    if (m_progress.receivesBegun && m_progress.firstMissing < m_incoming.size())
    {
        return Awaited{m_incoming[m_progress.firstMissing].key, false};
    }
    return std::nullopt;
}

/** Of one rank; never 0. */
std::uint64_t
ChannelRunner::NumberOf(Act act, std::size_t index) const
{
    return std::uint64_t{m_place.round} << 36U ^ std::uint64_t{m_place.channel} << 20U ^
           std::uint64_t{index} << 4U ^ (static_cast<std::uint64_t>(act) + 1);
}

std::uint64_t
ChannelRunner::WayTo(Rank peer) const
{
    return WayNumber(m_host.addresses->Of(m_host.rank), m_host.addresses->Of(peer));
}

std::uint64_t
ChannelRunner::WayFrom(Rank peer) const
{
    return WayNumber(m_host.addresses->Of(peer), m_host.addresses->Of(m_host.rank));
}

/** Whether messages are as large, as their hosts and engines make them, and say the same of themselves. */
bool
ChannelRunner::AreAsLarge(const std::vector<Transfer>& all,
                          const std::vector<Transfer>& others) const
{
    return std::equal(
        all.begin(), all.end(), others.begin(), others.end(), [this](const auto& a, const auto& b) {
            return m_job.HostBytes(m_chunk, a) == m_job.HostBytes(m_chunk, b) &&
                   m_job.coding.BitsOf(m_chunk.range, a) == m_job.coding.BitsOf(m_chunk.range, b) &&
                   m_content.OwnBytes(a.range, a.kind) == m_content.OwnBytes(b.range, b.kind);
        });
}

std::uint32_t
ChannelRunner::StepsAlike()
{
    const auto count = m_steps.StepCount(m_host.rank);
    if (m_stepIndex >= m_alikeUntil && m_stepIndex < count)
    {
        const auto first = m_steps.At(m_host.rank, m_stepIndex);
        m_alikeUntil = m_stepIndex + 1;
        const auto isAlike = [&](const Step& other) {
            return AreAlike(first, other) && AreAsLarge(first.sends, other.sends) &&
                   AreAsLarge(first.receives, other.receives);
        };
        while (m_job.coding.sizes.empty() && m_alikeUntil < count &&
               isAlike(m_steps.At(m_host.rank, m_alikeUntil)))
        {
            ++m_alikeUntil;
        }
    }
    return m_stepIndex < count ? m_alikeUntil - m_stepIndex : 0;
}

void
ChannelRunner::VisitState(StateVisitor& visitor)
{
    visitor.State(StepsAlike() == 0 ? 0 : m_alikeUntil);
    std::uint64_t step = m_stepIndex;
    const auto moved = visitor.CountUpTo(step, m_alikeUntil);
    const auto& [nextSend, sends, grant, receives, arrived, missing, combining, combined, ended] =
        m_progress;
    visitor.State(nextSend << 8U | std::uint64_t{sends} | std::uint64_t{grant} << 1U |
                  std::uint64_t{receives} << 2U | std::uint64_t{combining} << 3U |
                  std::uint64_t{combined} << 4U | std::uint64_t{ended} << 5U);
    visitor.State(std::uint64_t{arrived} << 32U | missing);
    for (const auto& [key, content] : m_outgoing)
    {
        visitor.MessageNumber(WayTo(key.first), m_place.round, key.second);
    }
    for (const auto& [key, here, words] : m_incoming)
    {
        visitor.MessageNumber(WayFrom(key.first), m_place.round, key.second);
        visitor.State(here ? 1 : 0);
    }
    for (const auto bytes : m_wireBytes)
    {
        visitor.State(bytes);
    }
    const auto from = [this](Rank peer) { return WayFrom(peer); };
    const auto to = [this](Rank peer) { return WayTo(peer); };
    m_mailbox.VisitState(visitor, m_place.round, from, to);
    m_waits.VisitState(visitor, m_place.round, [&](const Awaited& awaited) {
        return awaited.grant ? to(awaited.key.first) : from(awaited.key.first);
    });
    if (moved > 0)
    {
        TellOfSkipped(moved);
        m_stepIndex = static_cast<std::uint32_t>(step);
        m_step = m_steps.At(m_host.rank, m_stepIndex);
    }
}

/** What has come of the current step was told of, and will have come of the one that is the current one then. */
void
ChannelRunner::TellOfSkipped(std::uint64_t steps)
{
    const auto step = m_steps.At(m_host.rank, m_stepIndex); // as are all
    for (std::size_t index = 0; index < step.receives.size(); ++index)
    {
        const auto& transfer = step.receives[index];
        const bool isTold = !m_progress.ended && m_incoming[index].here;
        auto number = m_place.firstStep + m_stepIndex + (isTold ? 1 : 0);
        for (std::uint64_t i = 0; i < steps && !IsToSelf(m_host.rank, transfer); ++i, ++number)
        {
            m_messageSeen({number,
                           static_cast<std::uint32_t>(m_roundIndex),
                           transfer.kind,
                           transfer.range.count,
                           m_content.OwnBytes(transfer.range, transfer.kind),
                           m_wireBytes[index],
                           IsAdded(step, index)});
        }
    }
}

std::string
ChannelRunner::State() const
{
    auto text = "exchange " + std::to_string(m_job.ExchangeOf(m_place.round)) +
                (m_chunk.rounds.size() == 1 ? "" : ", round " + std::to_string(m_roundIndex + 1)) +
                (m_place.channels == 1 ? "" : ", channel " + std::to_string(m_place.channel + 1)) +
                ", step " + std::to_string(m_stepIndex + 1) + " of " +
                std::to_string(m_steps.StepCount(m_host.rank));
    if (m_step.reduction)
    {
        return text + ", waits for the network's sum: " + m_host.SumsOf(m_step).client->State();
    }
    const auto awaited = WaitsFor();
    if (!awaited)
    {
        return text + (m_progress.nextSend < m_outgoing.size() ? ", is sending" : ", is working");
    }
    return text +
           (awaited->grant ? ", waits until it may send to " : ", waits for a message from ") +
           m_job.NameOf(awaited->key.first);
}

} // namespace inca
