/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-runner.h"

#include "base/units.h"

#include "ns3/simulator.h"

#include <utility>

namespace inca
{

RoundRunner::RoundRunner(RankHost& host, std::uint32_t number, const JobChunk& chunk)
    : m_host(host),
      m_job(*host.job),
      m_chunk(chunk),
      m_number(number),
      m_roundIndex(number % static_cast<std::uint32_t>(chunk.rounds.size())),
      m_round(chunk.rounds[m_roundIndex])
{
}

void
RoundRunner::Start(RoundInput input, MessageSeen messageSeen, Done done)
{
    m_input = std::move(input);
    m_messageSeen = std::move(messageSeen);
    m_done = std::move(done);
    if (m_job.HasValues())
    {
        m_values = std::make_unique<RankValues>(
            ElementRange{0, m_round.plan->Elements()}, m_input.own, m_round.hooks);
    }
    BeginStep();
}

std::unique_ptr<RankValues>
RoundRunner::TakeValues()
{
    return std::move(m_values);
}

void
RoundRunner::BeginStep()
{
    m_combining = false;
    m_combined = false;
    m_sendsBegun = false;
    m_receivesBegun = false;
    m_nextSend = 0;
    m_arrivedCount = 0;
    m_watchedCount = 0;
    m_outgoing.clear();
    m_incoming.clear();
    if (m_stepIndex == m_round.plan->StepCount(m_host.rank))
    {
        const auto done = std::move(m_done); // whoever is told may end this object
        done();
        return;
    }
    m_step = m_round.plan->At(m_host.rank, m_stepIndex);
    m_step.networkSum ? BeginNetworkSum(*m_step.networkSum) : BeginMessages();
}

void
RoundRunner::BeginMessages()
{
    for (const auto& transfer : m_step.sends)
    {
        m_outgoing.push_back(Prepare(transfer));
    }
    for (const auto& transfer : m_step.receives)
    {
        m_incoming.push_back({{transfer.peer, m_expected[transfer.peer]++}, false, {}});
    }
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
RoundRunner::BeginSends()
{
    if (m_sendsBegun)
    {
        return;
    }
    m_sendsBegun = true;
    SendNext();
}

void
RoundRunner::SendNext()
{
    if (m_nextSend == m_outgoing.size())
    {
        if (!m_receivesBegun && Alternates())
        {
            BeginReceives();
        }
        NoteWait();
        CombineIfDue();
        EndStepIfDone();
        return;
    }
    m_waitsForGrant = Alternates() && m_grants.erase(m_outgoing[m_nextSend].key) == 0;
    NoteWait();
    if (m_waitsForGrant)
    {
        return;
    }
    const auto& transfer = m_step.sends[m_nextSend];
    if (IsHostCoded(transfer) && !RepeatsSend(m_step, m_nextSend))
    {
        m_host.codec.Run(Activity::CODEC,
                         WorkPs(PlainBytes(transfer.range), m_host.encodeBytesPerSecond),
                         [this] { Post(); });
        return;
    }
    Post();
}

void
RoundRunner::Post()
{
    const auto& transfer = m_step.sends[m_nextSend];
    auto& outgoing = m_outgoing[m_nextSend];
    Message message;
    message.to = m_host.addresses->Of(transfer.peer);
    message.tag = {m_job.id, m_number, outgoing.key.second, false};
    message.plainBytes = outgoing.bytes;
    message.compressible = m_job.engines && transfer.leg == Leg::GRADIENT;
    message.meanBits = message.compressible ? m_job.meanBits(InModel(transfer.range)) : 0;
    message.payload = std::move(outgoing.payload);
    // The receives of this step, if it has any, may overlap with the tail of its last send only.
    const bool opensReceives =
        !m_receivesBegun && !m_incoming.empty() && m_nextSend + 1 == m_outgoing.size();
    const auto leftBytes = opensReceives ? LeftBytes(outgoing.bytes) : outgoing.bytes;
    m_host.transport->Send(std::move(message), leftBytes, [this] { SendHasLeft(); });
}

void
RoundRunner::SendHasLeft()
{
    ++m_nextSend;
    SendNext();
}

void
RoundRunner::BeginReceives()
{
    m_receivesBegun = true;
    m_combined = m_incoming.empty();
    if (Alternates())
    {
        for (std::size_t i = 0; i < m_incoming.size(); ++i)
        {
            Grant(i);
        }
        WatchForSends();
    }
    NoteWait();
    for (std::size_t i = 0; i < m_incoming.size(); ++i)
    {
        const auto early = m_early.find(m_incoming[i].key);
        if (early != m_early.end())
        {
            auto message = std::move(early->second);
            m_early.erase(early);
            Take(i, std::move(message));
        }
    }
    EndStepIfDone();
}

void
RoundRunner::Grant(std::size_t index)
{
    const auto& [peer, ordinal] = m_incoming[index].key;
    Message grant;
    grant.to = m_host.addresses->Of(peer);
    grant.tag = {m_job.id, m_number, ordinal, true};
    m_host.transport->Send(std::move(grant), 0, nullptr);
}

void
RoundRunner::WatchForSends()
{
    if (m_sendsBegun)
    {
        return;
    }
    const auto reached = [this] {
        if (++m_watchedCount == m_incoming.size())
        {
            BeginSends();
        }
    };
    for (std::size_t i = 0; i < m_incoming.size(); ++i)
    {
        const auto& transfer = m_step.receives[i];
        if (!IsHostCoded(transfer)) // else its size is not known before it is here: Take counts it
        {
            m_host.transport->WatchReceive(m_host.addresses->Of(transfer.peer),
                                           {m_job.id, m_number, m_incoming[i].key.second, false},
                                           LeftBytes(PlainBytes(transfer.range)),
                                           reached);
        }
    }
}

void
RoundRunner::Deliver(ReceivedMessage message)
{
    const MessageKey key{m_host.addresses->RankAt(message.from), message.tag.ordinal};
    if (message.tag.grant)
    {
        m_grants.insert(key);
        if (m_waitsForGrant && m_outgoing[m_nextSend].key == key)
        {
            SendNext();
        }
        return;
    }
    for (std::size_t i = 0; m_receivesBegun && i < m_incoming.size(); ++i)
    {
        if (m_incoming[i].key == key)
        {
            Take(i, std::move(message));
            return;
        }
    }
    m_early.emplace(key, std::move(message));
}

void
RoundRunner::Take(std::size_t index, ReceivedMessage message)
{
    const auto& transfer = m_step.receives[index];
    const auto plainBytes = PlainBytes(transfer.range);
    m_messageSeen(
        {m_stepIndex, transfer.leg, GradientBytes(transfer.range), message.wirePayloadBytes});
    m_incoming[index].words = Decode(transfer, message);
    if (!IsHostCoded(transfer))
    {
        Arrive(index);
        return;
    }
    if (Alternates() && !m_sendsBegun && ++m_watchedCount == m_incoming.size())
    {
        BeginSends();
    }
    m_host.codec.Run(Activity::CODEC,
                     WorkPs(plainBytes, m_host.decodeBytesPerSecond),
                     [this, index] { Arrive(index); });
}

void
RoundRunner::Arrive(std::size_t index)
{
    m_incoming[index].arrived = true;
    ++m_arrivedCount;
    NoteWait();
    const bool all = m_arrivedCount == m_incoming.size();
    if (AddsOnArrival())
    {
        // The first one is only put down; the others are added as they come.
        const auto added = m_arrivedCount == 1 ? 0 : PlainBytes(m_step.receives[index].range);
        m_host.sum.Run(Activity::SUM, WorkPs(added, m_host.sumBytesPerSecond), [this, all] {
            if (all)
            {
                Combined();
            }
        });
        return;
    }
    CombineIfDue();
}

void
RoundRunner::CombineIfDue()
{
    const bool moved = m_sendsBegun && m_nextSend == m_outgoing.size();
    const bool all = m_receivesBegun && !m_incoming.empty() && m_arrivedCount == m_incoming.size();
    if (!m_combining && !AddsOnArrival() && all && (moved || !Alternates()))
    {
        m_combining = true;
        Combine();
    }
}

void
RoundRunner::Combine()
{
    if (m_step.combine == Combine::STORE)
    {
        Combined();
        return;
    }
    const auto additions = m_step.combine == Combine::ADD ? 1 : m_incoming.size() - 1;
    const auto bytes = additions * PlainBytes(m_step.receives.front().range);
    m_host.sum.Run(Activity::SUM, WorkPs(bytes, m_host.sumBytesPerSecond), [this] { Combined(); });
}

void
RoundRunner::Combined()
{
    if (m_values)
    {
        std::vector<const Word*> received;
        for (const auto& incoming : m_incoming)
        {
            received.push_back(incoming.words.data());
        }
        m_values->Receive(m_step, received);
    }
    const auto finish = [this] {
        m_combined = true;
        EndStepIfDone();
    };
    if (!m_step.update)
    {
        finish();
        return;
    }
    m_host.update.Run(
        Activity::UPDATE, m_job.AggregatorUpdatePs(m_chunk, m_step.receives.front().range), finish);
}

void
RoundRunner::EndStepIfDone()
{
    if (m_sendsBegun && m_receivesBegun && m_combined && m_nextSend == m_outgoing.size())
    {
        m_sendsBegun = false;
        m_receivesBegun = false;
        EndStep();
    }
}

void
RoundRunner::EndStep()
{
    ++m_stepIndex;
    ns3::Simulator::ScheduleNow([this] { BeginStep(); });
}

} // namespace inca
