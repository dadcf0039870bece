/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/state-visitor.h"

#include <algorithm>
#include <limits>

namespace inca
{

StateVisitor::StateVisitor(NetworkState& state, std::int64_t nowPs, PeriodKind kind)
    : m_kind(kind),
      m_state(&state),
      m_nowPs(nowPs)
{
    state.kind = kind;
    state.timePs = nowPs;
    state.digest = 0;
    state.repeats = true;
    state.counts.clear();
    state.firstPackets = {};
    state.ends.clear();
    state.means.clear();
    state.pastTimes.clear();
    state.stepEvents.clear();
    state.foreignEvents.clear();
    state.paths.clear();
    PathLog::BeginEra();
}

StateVisitor::StateVisitor(const NetworkState& before, const NetworkState& now, std::uint64_t times)
    : m_kind(now.kind),
      m_before(&before),
      m_now(&now),
      m_times(times),
      m_nowPs(now.timePs)
{
    if (PathLog::IsOn())
    {
        const auto periodPs = now.timePs - before.timePs;
        m_paths = PathLog::Repeat(before.paths, now.paths, before.timePs, periodPs, times);
    }
}

std::uint64_t
StateVisitor::Count(std::uint64_t& value)
{
    ++m_steps;
    if (m_state != nullptr)
    {
        m_state->counts.push_back(value);
        return 0;
    }
    const auto moved = m_times * (m_now->counts[m_place] - m_before->counts[m_place]);
    ++m_place;
    value += moved;
    return moved;
}

std::uint64_t
StateVisitor::CountUpTo(std::uint64_t& value, std::uint64_t end)
{
    if (m_state != nullptr)
    {
        m_state->ends.push_back({m_state->counts.size(), end});
    }
    return Count(value);
}

std::uint64_t
StateVisitor::Mean(std::int64_t value, std::uint64_t measured, std::uint64_t kept)
{
    ++m_steps;
    if (m_state != nullptr)
    {
        m_state->means.push_back({m_state->counts.size(), kept});
        m_state->counts.push_back(static_cast<std::uint64_t>(value));
        m_state->counts.push_back(measured);
        return 0;
    }
    const bool isAtRest = m_now->counts[m_place] == m_before->counts[m_place];
    const auto grown = m_now->counts[m_place + 1] - m_before->counts[m_place + 1];
    m_place += 2;
    return isAtRest ? 0 : grown;
}

void
StateVisitor::SequenceNumber(std::uint64_t way, std::uint64_t number)
{
    State(number - m_numbers.try_emplace(way, number).first->second);
}

void
StateVisitor::MessageNumber(std::uint64_t way, std::uint32_t round, std::uint32_t ordinal)
{
    const auto ofRound = (way ^ round) * MULTIPLIER;
    State(ordinal - m_ordinals.try_emplace(ofRound, ordinal).first->second);
}

std::int64_t
StateVisitor::PastTime(std::int64_t& timePs)
{
    if (m_state != nullptr)
    {
        m_state->pastTimes.push_back({m_state->counts.size(), false});
    }
    auto number = static_cast<std::uint64_t>(timePs);
    const auto moved = Count(number);
    timePs = static_cast<std::int64_t>(number);
    return static_cast<std::int64_t>(moved);
}

void
StateVisitor::SentTime(std::int64_t& sentPs)
{
    PastTime(sentPs);
    if (m_state != nullptr)
    {
        m_state->pastTimes.back().isOfMessage = true;
    }
}

void
StateVisitor::StepEvent(std::uint64_t eventUid, StepEventKind kind, std::uint64_t what)
{
    if (m_state != nullptr)
    {
        m_state->stepEvents.emplace(eventUid, std::pair(kind, what));
    }
}

void
StateVisitor::Packet(std::uint64_t& number, std::size_t sequence)
{
    if (m_state == nullptr)
    {
        number += PacketsMoved(sequence);
        return;
    }
    auto& first = m_state->firstPackets[sequence];
    first = first.value_or(number);
    State(number - *first);
}

std::uint64_t
StateVisitor::PacketsMoved(std::size_t sequence) const
{
    if (m_state != nullptr || !m_now->firstPackets[sequence])
    {
        return 0;
    }
    return m_times * (*m_now->firstPackets[sequence] - *m_before->firstPackets[sequence]);
}

void
StateVisitor::Path(PathEnd& path)
{
    if (m_state == nullptr)
    {
        path = m_paths.empty() ? path : m_paths[m_path++];
    }
    else if (PathLog::IsOn())
    {
        m_state->paths.push_back(path);
    }
}

void
StateVisitor::ForeignEvent(std::uint64_t eventUid)
{
    if (m_state != nullptr)
    {
        m_state->foreignEvents.insert(eventUid);
    }
}

void
StateVisitor::Aperiodic()
{
    if (m_state != nullptr)
    {
        m_state->repeats = false;
    }
}

void
StateVisitor::End()
{
    m_state->digest = m_digest;
    m_state->steps = m_steps;
}

namespace
{

/** Whether a time of the past has stayed, or is a period later. */
bool
IsTimeOfPeriod(const NetworkState& before,
               const NetworkState& now,
               const NetworkState::PastTime& time)
{
    const auto grownBy = [&](std::size_t count) {
        return now.counts[count] - before.counts[count];
    };
    const auto movedPs = static_cast<std::int64_t>(grownBy(time.count));
    const bool isNext = movedPs == now.timePs - before.timePs;
    return movedPs == 0 || (isNext && (!time.isOfMessage || grownBy(time.count + 1) == 0));
}

} // namespace

std::uint64_t
TimesToRepeat(const NetworkState& before, const NetworkState& now)
{
    const bool isSame = before.kind == now.kind && before.repeats && now.repeats &&
                        before.digest == now.digest && before.counts.size() == now.counts.size() &&
                        before.paths.size() == now.paths.size();
    if (!isSame)
    {
        return 0;
    }
    const bool areKnown =
        std::all_of(now.means.begin(), now.means.end(), [&](const NetworkState::Mean& mean) {
            const auto grown = now.counts[mean.count + 1] - before.counts[mean.count + 1];
            return grown <= mean.kept || now.counts[mean.count] == before.counts[mean.count];
        });
    const bool areOfPeriod =
        std::all_of(now.pastTimes.begin(), now.pastTimes.end(), [&](const auto& time) {
            return IsTimeOfPeriod(before, now, time);
        });
    if (!areKnown || !areOfPeriod)
    {
        return 0;
    }
    auto times = std::numeric_limits<std::uint64_t>::max();
    for (const auto& end : now.ends)
    {
        const auto grown = now.counts[end.count] - before.counts[end.count];
        if (grown > 0)
        {
            const auto left = end.value - std::min(end.value, now.counts[end.count]);
            times = std::min(times, std::max<std::uint64_t>(left / grown, 1) - 1);
        }
    }
    return times;
}

} // namespace inca
