/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/flow-network.h"

#include "device/simulated-time.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr double DUST{1e-5};         ///< units: what rounding leaves of a part
constexpr double LEAST_WINDOWS{0.5}; ///< that a flow sends while it waits for acknowledgements
constexpr double ROUNDING{1e-9};     ///< of rates and shares
constexpr double SMALL_CHANGE{1e-3}; ///< of a rate, which the next queue is not told, or of a load

bool
AreEqual(double a, double b)
{
    return std::abs(a - b) <= ROUNDING * std::max(a, b);
}

} // namespace

void
FlowTrip::Add(const FlowPlace& place, double ps, double thenPs, const FlowLink* link)
{
    const auto add = [this](const FlowPlace& next, double nextPs) {
        if (nextPs > 0)
        {
            m_parts.emplace_back(next, nextPs);
        }
    };
    add({PathKind::SWITCH, place.node}, std::exchange(m_switchPs, 0));
    m_parts.emplace_back(place, ps);
    if (link == nullptr)
    {
        add(place, thenPs);
        return;
    }
    m_switchPs = static_cast<double>(link->switchPs);
    add({PathKind::LATENCY, place.node, place.detail}, thenPs - m_switchPs);
}

void
FlowTrip::ExtendPath(PathKind waits, std::int64_t endPs) const
{
    double allPs = 0;
    for (const auto& [place, ps] : m_parts)
    {
        allPs += ps;
    }
    const auto beginPs = allPs > 0 ? PathLog::EndPs() : endPs;
    if (beginPs >= endPs)
    {
        return;
    }
    double untilPs = 0;
    bool hasLeft = false;
    for (const auto& [place, ps] : m_parts)
    {
        untilPs += ps;
        const auto share = untilPs / allPs * static_cast<double>(endPs - beginPs);
        place.ExtendPath(beginPs + std::llround(share));
        if (place.kind == PathKind::LINK && !std::exchange(hasLeft, true))
        {
            PathLog::Mark(PathKind::ANSWER, place.node);
        }
    }
    PathLog::Mark(waits, m_parts.front().first.node);
}

void
AddUse(std::vector<ResourceUse>& uses, const ResourceUse& next)
{
    if (!uses.empty() && uses.back().resource == next.resource)
    {
        uses.back().psPerUnit = std::max(uses.back().psPerUnit, next.psPerUnit);
    }
    else if (next.psPerUnit > 0)
    {
        uses.push_back(next);
    }
}

double
FlowLoad::Answered(double units) const
{
    return acked > 0 ? std::floor((units + DUST) / acked) * acked : units;
}

bool
FlowLoad::operator!=(const FlowLoad& other) const
{
    const auto isLike = [](const ResourceUse& one, const ResourceUse& two) {
        return one.resource == two.resource &&
               std::abs(one.psPerUnit - two.psPerUnit) <= SMALL_CHANGE * one.psPerUnit;
    };
    return !std::equal(sending.begin(),
                       sending.end(),
                       other.sending.begin(),
                       other.sending.end(),
                       isLike) ||
           !std::equal(
               queues.begin(), queues.end(), other.queues.begin(), other.queues.end(), isLike);
}

void
FlowNetwork::ExtendPath(const FlowPlace& slowest,
                        const std::vector<std::uint32_t>& links,
                        std::int64_t endPs) const
{
    if (!PathLog::IsOn())
    {
        return;
    }
    for (const auto link : links)
    {
        endPs -= m_links[link].latencyPs;
    }
    slowest.ExtendPath(endPs);
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const auto& link = m_links[links[i]];
        const auto& place = link.place;
        endPs += link.latencyPs;
        FlowPlace{PathKind::LATENCY, place.node, place.detail}.ExtendPath(endPs - link.switchPs);
        const auto behind = i + 1 < links.size() ? PlaceOf(links[i + 1]).node : place.node;
        FlowPlace{PathKind::SWITCH, behind}.ExtendPath(endPs);
    }
}

FlowNetwork::FlowNetwork(std::vector<FlowLink> links, std::uint32_t hosts, Route route)
    : m_links(std::move(links)),
      m_route(std::move(route)),
      m_rates(m_links.size() + 2 * hosts),
      m_queues(m_links.size()),
      m_hosts(hosts),
      m_timer([this] { OnTime(); }, false)
{
    for (std::uint32_t link = 0; link < m_links.size(); ++link)
    {
        auto& [port, latencyPs, switchPs, place] = m_links[link];
        place = {
            IsTrunk(link) ? PathKind::TRUNK : PathKind::LINK, port->NodeId(), port->GetIfIndex()};
    }
}

const std::vector<std::uint32_t>&
FlowNetwork::WayOf(std::uint32_t from, std::uint32_t to)
{
    m_way.clear();
    m_route(from, to, m_way);
    return m_way;
}

FlowNetwork::FlowId
FlowNetwork::Begin(std::shared_ptr<const FlowLoad> load, std::shared_ptr<FlowPart> first)
{
    if (m_unused.empty())
    {
        m_unused.push_back(static_cast<FlowId>(m_flows.size()));
        m_flows.emplace_back();
    }
    const auto number = m_unused.back();
    m_unused.pop_back();
    auto& flow = m_flows[number];
    flow.load = std::move(load);
    flow.passages.assign(flow.load->queues.size(), {});
    flow.sent = 0;
    flow.sincePs = NowPs();
    Append(number, std::move(first));
    return number;
}

void
FlowNetwork::Append(FlowId number, std::shared_ptr<FlowPart> part)
{
    auto& flow = m_flows[number];
    Advance(flow, NowPs());
    const auto begin = flow.parts.empty() ? flow.sent : flow.parts.back().end;
    const auto end = begin + part->units;
    const auto unacked = std::move(part->unacked);
    flow.parts.push_back({end, std::move(part)});
    if (flow.isSending)
    {
        return;
    }
    flow.isSending = true;
    StartSending(number);
    BeginWindows(flow, 1, flow.load->window, WaitsPs(flow));
    for (const auto& one : unacked)
    {
        flow.unacked.push_back(one);
        flow.windowEnd -= one.units;
    }
    if (const auto left = flow.windowEnd - flow.sent; left <= DUST)
    {
        LookAtWindow(number);
    }
    else if (!unacked.empty())
    {
        Await(flow, left, flow.ackedPs);
    }
}

/** Some is sent of a window that parts before have begun. What is too little for an acknowledgement gets one with what comes next. */
void
FlowNetwork::Await(Flow& flow, double units, std::int64_t ackedPs)
{
    flow.unanswered += units;
    if (const auto answered = flow.load->Answered(flow.unanswered); answered > 0)
    {
        flow.unacked.push_back({answered, ackedPs});
        flow.unanswered -= answered;
    }
}

/** Its host may send it. */
void
FlowNetwork::StartSending(FlowId number)
{
    auto& flow = m_flows[number];
    flow.sending = m_rates.Add(flow.load->sending, flow.load->most);
    m_owners.resize(std::max<std::size_t>(m_owners.size(), flow.sending + 1));
    m_owners[flow.sending] = number;
}

void
FlowNetwork::StopSending(FlowId number)
{
    m_rates.Remove(m_flows[number].sending);
    SetSendRate(number, 0);
    ChangeSoon();
}

std::int64_t
FlowNetwork::NextEventPs() const
{
    return m_events.empty() ? 0 : m_events.top().timePs - NowPs();
}

void
FlowNetwork::Dispose()
{
    m_timer.Stop();
    m_flows.clear();
    m_events = {};
    m_route = nullptr;
    m_links.clear();
}

void
FlowNetwork::Happen(std::int64_t timePs, What what, std::uint32_t of, std::uint64_t changes)
{
    m_events.push({timePs, m_eventCount++, changes, of, what});
    if (!m_isOnTime)
    {
        m_timer.WakeBy(timePs);
    }
}

/** Once for all flows that begin or end now, as far as that is known: behind what is scheduled for now. */
void
FlowNetwork::ChangeSoon()
{
    if (!std::exchange(m_changes, true))
    {
        m_change.ScheduleAt(NowPs());
    }
}

void
FlowNetwork::ChangeRates()
{
    m_changes = false;
    SetSendRates();
    if (m_rates.AreChanged())
    {
        SetSendRates(); // acknowledgements have given something back
    }
    EmitAll();
}

void
FlowNetwork::SetSendRates()
{
    for (const auto rate : m_rates.Update())
    {
        SetSendRate(m_owners[rate], m_rates.RateOf(rate));
    }
}

void
FlowNetwork::SetSendRate(FlowId number, double rate)
{
    auto& flow = m_flows[number];
    if (rate == flow.sendRate)
    {
        return;
    }
    Advance(flow, NowPs());
    TakeAcks(flow, rate - flow.sendRate);
    flow.sendRate = rate;
    SetRate({number, 0}, rate);
    FindNext(number);
}

/** Acknowledgements take so much more of the links on their way. */
void
FlowNetwork::TakeAcks(const Flow& flow, double rateChange)
{
    for (const auto& use : flow.load->acks)
    {
        const auto share = use.psPerUnit * rateChange;
        if (IsFromHost(use.resource))
        {
            m_rates.Take(use.resource, share);
            continue;
        }
        auto& queue = m_queues[use.resource];
        Advance(queue, NowPs());
        queue.inflow += share;
    }
}

/** Counts what was sent until now. */
void
FlowNetwork::Advance(Flow& flow, std::int64_t nowPs)
{
    flow.sent += flow.sendRate * static_cast<double>(nowPs - flow.sincePs);
    flow.sincePs = nowPs;
}

/** More, or less, waits now than did. */
void
FlowNetwork::Advance(Queue& queue, std::int64_t nowPs)
{
    const auto ps = static_cast<double>(nowPs - queue.sincePs);
    queue.sincePs = nowPs;
    constexpr double least = 0.5; // ps; times are rounded to such
    const auto waitPs = queue.waitPs + (queue.inflow - 1) * ps;
    queue.waitPs = waitPs < least ? 0 : waitPs;
    queue.mostWaitPs = std::max(queue.mostWaitPs, queue.waitPs);
}

double
FlowNetwork::WaitPs(std::uint32_t link, std::int64_t nowPs)
{
    Advance(m_queues[link], nowPs);
    return m_queues[link].waitPs;
}

/** When its next part is sent, or its window. */
void
FlowNetwork::FindNext(FlowId number)
{
    auto& flow = m_flows[number];
    if (flow.sendRate > 0)
    {
        const auto end = std::min(flow.parts[flow.sentParts].end, flow.windowEnd);
        const auto inPs = std::ceil(std::max(0.0, end - flow.sent) / flow.sendRate);
        flow.nextPs = NowPs() + static_cast<std::int64_t>(inPs);
        Happen(flow.nextPs, What::FLOW, number);
    }
}

void
FlowNetwork::Count(std::uint32_t link, std::uint64_t frames, const ByteCounts& bytes)
{
    const auto& on = m_links[link];
    const auto mostPs = m_queues[link].mostWaitPs;
    on.port->CountCarried(
        frames, bytes, mostPs > 0 ? static_cast<std::uint64_t>(mostPs / on.PsPerByte()) : 0);
}

/** Has it leave a queue to which it comes now behind all that came before. @return whether that is not at once */
bool
FlowNetwork::Wait(std::uint32_t number, const Passing& what)
{
    auto& queue = m_queues[number];
    const auto nowPs = NowPs();
    Advance(queue, nowPs);
    queue.leavesPs =
        std::max(queue.leavesPs, nowPs + static_cast<std::int64_t>(std::ceil(queue.waitPs)));
    if (queue.leavesPs == nowPs && queue.passing.empty())
    {
        return false;
    }
    queue.passing.push_back(what);
    Happen(queue.leavesPs, What::LEAVE, number);
    return true;
}

void
FlowNetwork::OnTime()
{
    const auto nowPs = NowPs();
    m_isOnTime = true;
    while (!m_events.empty() && m_events.top().timePs <= nowPs)
    {
        const auto event = m_events.top();
        m_events.pop();
        OnEvent(event);
        if (m_events.empty() || m_events.top().timePs > nowPs)
        {
            EmitAll();
        }
    }
    m_isOnTime = false;
    if (!m_events.empty())
    {
        m_timer.WakeBy(m_events.top().timePs);
    }
}

void
FlowNetwork::OnEvent(const Event& event)
{
    switch (event.what)
    {
    case What::FLOW:
        if (m_flows[event.of].sendRate > 0 && m_flows[event.of].nextPs == event.timePs)
        {
            TakeStock(event.of);
        }
        break;
    case What::WINDOW:
        Advance(m_flows[event.of], NowPs());
        StartSending(event.of);
        if (TakeAcked(m_flows[event.of]))
        {
            ChangeSoon();
        }
        else
        {
            GoOn(m_flows[event.of]);
        }
        break;
    case What::LEAVE:
        Leave(event.of);
        break;
    case What::EMPTY:
        if (m_queues[event.of].changes == event.changes)
        {
            m_emitting.push_back(event.of);
        }
        break;
    }
}

/** The first of what passes a queue leaves it. */
void
FlowNetwork::Leave(std::uint32_t number)
{
    const auto [member, isEnd, rate, inflow] = m_queues[number].passing.front();
    m_queues[number].passing.pop_front();
    if (!isEnd)
    {
        SetHead(number, member, rate, inflow);
        return;
    }
    EmitAll(); // what came before it
    EndPart({member.flow, member.place + 1});
}

/** Tells of parts that are sent by now; what that calls may begin flows, which moves them, or append to this one. */
void
FlowNetwork::TakeStock(FlowId number)
{
    Advance(m_flows[number], NowPs());
    std::size_t ended = 0;
    for (auto* flow = &m_flows[number]; flow->sentParts < flow->parts.size() &&
                                        flow->parts[flow->sentParts].end - flow->sent <= DUST;
         flow = &m_flows[number])
    {
        ++ended;
        const auto part = flow->parts[flow->sentParts++].is;
        part->Sent();
    }
    auto& flow = m_flows[number];
    if (flow.sentParts == flow.parts.size())
    {
        flow.isSending = false;
        flow.unacked = {};
        flow.unanswered = 0;
        StopSending(number);
    }
    else if (flow.windowEnd - flow.sent <= DUST)
    {
        LookAtWindow(number);
    }
    FindNext(number);
    EmitAll(); // what came before those ends
    for (; ended > 0; --ended)
    {
        EndPart({number, 0});
    }
}

/** What it may send is sent. Of a window that went at once the first acknowledgement may still be on its way. */
void
FlowNetwork::LookAtWindow(FlowId number)
{
    auto& flow = m_flows[number];
    if (!flow.unacked.empty())
    {
        if (!TakeAcked(flow))
        {
            StopSending(number);
            Happen(flow.unacked.front().untilPs, What::WINDOW, number);
        }
        return;
    }
    if (flow.windows < 1 || flow.ackedPs <= NowPs())
    {
        GoOn(flow);
        return;
    }
    StopSending(number);
    flow.windows = LEAST_WINDOWS;
    Happen(flow.ackedPs, What::WINDOW, number);
}

/** Of a window that parts before it have begun, a flow may send what is acknowledged by now. @return whether that is any */
bool
FlowNetwork::TakeAcked(Flow& flow)
{
    double units = 0;
    while (!flow.unacked.empty() && flow.unacked.front().untilPs <= NowPs())
    {
        units += flow.unacked.front().units;
        flow.unacked.pop_front();
    }
    if (units > 0)
    {
        flow.windowEnd += units;
        Await(flow, units, NowPs() + std::llround(flow.load->roundTripPs + WaitsPs(flow)));
    }
    return units > 0;
}

/**
 * Its host may send a window at once, or more where that takes it longer than a round trip. Where anything waits,
 * acknowledgements come as that leaves: a window goes in each round trip, with all that waits on its ways. Else only whole
 * acknowledgements let it go on.
 */
void
FlowNetwork::GoOn(Flow& flow)
{
    const auto waitPs = WaitsPs(flow);
    const auto most = flow.load->window / (flow.load->roundTripPs + waitPs);
    const auto rate = m_rates.RateOf(flow.sending);
    const bool isSlower = waitPs > 0 && (rate == 0 || most < rate * (1 + ROUNDING));
    constexpr double mostWindows = 16;
    m_rates.SetMost(flow.sending, waitPs > 0 ? most : flow.load->most);
    const auto windows = isSlower ? LEAST_WINDOWS : std::min(mostWindows, 2 * flow.windows);
    BeginWindows(flow, windows, waitPs > 0 ? flow.load->window : flow.load->PerTrip(), waitPs);
}

/** What waits on a flow's way and on that of its acknowledgements. */
double
FlowNetwork::WaitsPs(const Flow& flow)
{
    const auto nowPs = NowPs();
    double waitPs = 0;
    for (const auto* uses : {&flow.load->queues, &flow.load->acks})
    {
        for (const auto& use : *uses)
        {
            waitPs += WaitPs(use.resource, nowPs);
        }
    }
    return waitPs;
}

/** Has its host send so many windows of a flow, of @p units each, on whose ways @p waitPs waits. */
void
FlowNetwork::BeginWindows(Flow& flow, double windows, double units, double waitPs)
{
    flow.windows = windows;
    flow.windowEnd = flow.sent + windows * units;
    flow.ackedPs = NowPs() + std::llround(flow.load->roundTripPs + waitPs);
    ChangeSoon();
}

/** The end of a flow's first part that has not been carried is in one of its queues, and passes on. */
void
FlowNetwork::EndPart(Member member)
{
    auto& flow = m_flows[member.flow];
    for (; member.place + 1 < flow.load->queues.size(); ++member.place)
    {
        if (Wait(flow.load->queues[member.place].resource, {member, true}))
        {
            return;
        }
    }
    const auto waitPs = WaitPs(flow.load->queues.back().resource, NowPs());
    const auto part = std::move(flow.parts.front().is);
    flow.parts.pop_front();
    --flow.sentParts;
    if (flow.parts.empty())
    {
        m_unused.push_back(member.flow);
    }
    part->Carried(waitPs);
}

/** A flow comes to one of its queues at another rate. */
void
FlowNetwork::SetRate(Member member, double rate)
{
    auto& flow = m_flows[member.flow];
    const auto& use = flow.load->queues[member.place];
    auto& queue = m_queues[use.resource];
    const auto nowPs = NowPs();
    Advance(queue, nowPs);
    const auto change = rate - std::exchange(flow.passages[member.place].rate, rate);
    queue.inflow = std::max(0.0, queue.inflow + use.psPerUnit * change);
    ++queue.changes;
    if (member.place + 1 == flow.load->queues.size())
    {
        return; // what leaves it goes on to no other
    }
    if (!Wait(use.resource, {member, false, rate, queue.inflow}))
    {
        SetHead(use.resource, member, rate, queue.inflow);
        return;
    }
    if (queue.inflow < 1 - ROUNDING)
    {
        const auto emptyPs =
            static_cast<std::int64_t>(std::ceil(queue.waitPs / (1 - queue.inflow)));
        Happen(nowPs + emptyPs, What::EMPTY, use.resource, queue.changes);
    }
}

/** What leaves a queue from now on is what came when a flow's rate changed. */
void
FlowNetwork::SetHead(std::uint32_t number, Member member, double rate, double inflow)
{
    auto& queue = m_queues[number];
    const auto before = std::exchange(m_flows[member.flow].passages[member.place].headRate, rate);
    if (before == 0 && rate > 0)
    {
        queue.leaving.push_back(member);
    }
    else if (before > 0 && rate == 0)
    {
        auto& leaving = queue.leaving;
        const auto isIt = [member](const Member& one) { return one.flow == member.flow; };
        *std::find_if(leaving.begin(), leaving.end(), isIt) = leaving.back();
        leaving.pop_back();
    }
    queue.headInflow = inflow;
    queue.changed.push_back(member);
    m_emitting.push_back(number);
}

void
FlowNetwork::EmitAll()
{
    while (!m_emitting.empty())
    {
        const auto number = m_emitting.back();
        m_emitting.pop_back();
        Emit(number);
    }
}

/**
 * Tells the queues behind it at which rates flows leave: all its time is theirs while anything waits, else they leave
 * as they come.
 */
void
FlowNetwork::Emit(std::uint32_t number)
{
    auto& queue = m_queues[number];
    Advance(queue, NowPs());
    const bool isBusy = queue.waitPs > 0 || queue.inflow > 1 + ROUNDING;
    const auto speed = isBusy && queue.headInflow > 0 ? 1 / queue.headInflow : 1;
    const bool isOther = !AreEqual(speed, std::exchange(queue.speed, speed));
    auto changed = std::exchange(queue.changed, {});
    if (isOther)
    {
        changed.insert(changed.end(), queue.leaving.begin(), queue.leaving.end());
    }
    for (const auto& member : changed)
    {
        auto& flow = m_flows[member.flow];
        const auto rate = flow.passages[member.place].headRate * speed;
        const auto before = flow.passages[member.place + 1].rate;
        if (std::abs(rate - before) > SMALL_CHANGE * rate || (rate == 0 && before > 0))
        {
            SetRate({member.flow, member.place + 1}, rate);
        }
    }
}

} // namespace inca
