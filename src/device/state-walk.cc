/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/state-walk.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>

namespace inca
{

StateWalk::StateWalk(NetworkState& state, std::int64_t nowPs)
    : m_state(&state),
      m_nowPs(nowPs)
{
    state.timePs = nowPs;
    state.digest = 0;
    state.repeats = true;
    state.counts.clear();
    state.ends.clear();
    state.apart.clear();
}

StateWalk::StateWalk(const NetworkState& before, const NetworkState& now, std::uint64_t times)
    : m_before(&before),
      m_now(&now),
      m_times(times),
      m_nowPs(now.timePs)
{
}

std::uint64_t
StateWalk::Count(std::uint64_t& value)
{
    ++m_steps;
    if (m_state != nullptr)
    {
        m_state->counts.push_back(value);
        return 0;
    }
    NS_ASSERT(m_now->counts.at(m_place) == value);
    const auto moved = m_times * (m_now->counts[m_place] - m_before->counts[m_place]);
    ++m_place;
    value += moved;
    return moved;
}

std::uint64_t
StateWalk::CountUpTo(std::uint64_t& value, std::uint64_t end)
{
    if (m_state != nullptr)
    {
        m_state->ends.push_back({m_state->counts.size(), end});
    }
    return Count(value);
}

void
StateWalk::Number(ns3::Mac48Address from, ns3::Mac48Address to, std::uint64_t number)
{
    const auto way = MacNumber(from) << SHIFT ^ MacNumber(to); // the high bits of all hosts are alike
    State(number - m_numbers.try_emplace(way, number).first->second);
}

void
StateWalk::Carried(Train& train)
{
    auto& segment = train.segment;
    const bool isData = train.kind == TrainKind::DATA;
    const bool isOrdinary = (isData || train.kind == TrainKind::ACK) && !segment.repeated &&
                            train.bytes == nullptr && segment.held == 0;
    if (!isOrdinary)
    {
        Once();
        return;
    }
    State(static_cast<std::uint64_t>(train.kind) | std::uint64_t{segment.last} << 8U |
          std::uint64_t{train.congested} << 9U | std::uint64_t{train.compressed} << 10U |
          std::uint64_t{train.compressible} << 11U | std::uint64_t{segment.tag.grant} << 12U |
          train.wireBytes << 16U);
    State(MacNumber(train.source));
    State(MacNumber(train.destination));
    if (isData)
    {
        State(train.plainBytes);
        State(std::uint64_t{segment.tag.round} << 32U | segment.tag.ordinal);
        Count(segment.offset);
        return;
    }
    // what data is on its way follows from its order; what was acknowledged does not
    Number(train.destination, train.source, segment.number);
    State(segment.transmission - segment.number);
}

void
StateWalk::Apart(std::uint64_t eventUid)
{
    if (m_state != nullptr)
    {
        m_state->apart.insert(eventUid);
    }
}

void
StateWalk::Once()
{
    if (m_state != nullptr)
    {
        m_state->repeats = false;
    }
}

void
StateWalk::End()
{
    m_state->digest = m_digest;
    m_state->steps = m_steps;
}

std::uint64_t
TimesToRepeat(const NetworkState& before, const NetworkState& now)
{
    const bool isSame = before.repeats && now.repeats && before.digest == now.digest &&
                        before.counts.size() == now.counts.size();
    if (!isSame)
    {
        return 0;
    }
    auto times = std::numeric_limits<std::uint64_t>::max();
    for (const auto& end : now.ends)
    {
        const auto grown = now.counts[end.count] - before.counts[end.count];
        if (grown > 0)
        {
            const auto whole = (end.value - now.counts[end.count]) / grown;
            times = std::min(times, whole == 0 ? 0 : whole - 1);
        }
    }
    return times;
}

} // namespace inca
