/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-runner.h"

#include <utility>

namespace inca
{

RoundRunner::RoundRunner(RankHost& host, std::uint32_t number, const JobChunk& chunk)
    : m_content(host, chunk, host.job->RoundOfExchange(number))
{
    const auto& plan = *chunk.rounds[host.job->RoundOfExchange(number)].plan;
    const auto strands = StrandsOf(plan, host.path->Duplex() < 1.0);
    StrandPlace place{number, 0, static_cast<std::uint32_t>(strands.size())};
    for (const auto* strand : strands)
    {
        m_strands.push_back(std::make_unique<StrandRunner>(host, place, *strand, chunk, m_content));
        ++place.strand;
        place.firstStep += strand->StepCount(host.rank);
    }
}

void
RoundRunner::Start(RoundInput input, const MessageSeen& messageSeen, Done done)
{
    m_content.Begin(std::move(input));
    m_done = std::move(done);
    m_running = m_strands.size();
    // a strand without steps ends at once, and with the last one this object may
    const auto strands = m_strands.size();
    for (std::size_t i = 0; i < strands; ++i)
    {
        m_strands[i]->Start(messageSeen, [this] { StrandEnded(); });
    }
}

void
RoundRunner::StrandEnded()
{
    if (--m_running == 0)
    {
        const auto done = std::move(m_done); // whoever is told may end this object
        done();
    }
}

void
RoundRunner::Deliver(ReceivedMessage message)
{
    m_strands[message.tag.ordinal % m_strands.size()]->Deliver(std::move(message));
}

std::string
RoundRunner::State() const
{
    std::string text;
    for (const auto& strand : m_strands)
    {
        if (!strand->HasEnded())
        {
            text += (text.empty() ? "" : "; ") + strand->State();
        }
    }
    return text.empty() ? m_strands.front()->State() : text;
}

} // namespace inca
