/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/steady-state.h"

#include "device/simulated-time.h"
#include "helper/event-heap.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace inca
{

namespace
{

// of visits, each about a hundredth of an event's time
constexpr std::uint64_t STEPS_PER_EVENT{2};
constexpr std::uint64_t STEPS_PER_SKIPPED_FRAME{16};
constexpr std::uint64_t FIRST_STEPS{4'000'000}; ///< without any skip: some hundredths of a second

/** Whether what a rank awaits is no part of a period. */
bool
IsOutside(PeriodKind kind, const JobClock::Pending& awaited)
{
    return kind == PeriodKind::FRAMES || awaited.ofStep == 0;
}

/** 1, 2, 3, 4, 6, 8, 12, 16, ...: periods of few turns are common, and have many multiples among these. */
bool
IsCommonMultiple(std::uint64_t turns)
{
    const auto isPowerOf2 = [](std::uint64_t number) { return (number & (number - 1)) == 0; };
    return isPowerOf2(turns) || (turns % 3 == 0 && isPowerOf2(turns / 3));
}

} // namespace

SteadyState::SteadyState(Cluster& cluster,
                         std::vector<ns3::Ptr<RankApplication>> ranks,
                         std::function<std::uint64_t()> messages)
    : m_cluster(cluster),
      m_ranks(std::move(ranks)),
      m_messages(std::move(messages))
{
    for (std::uint32_t host = 0; host < cluster.transports.size(); ++host)
    {
        cluster.transports[host]->TraceConnectWithoutContext(
            "GoesOn", ns3::MakeCallback(&SteadyState::OnProgress, this, host));
    }
    for (const auto& rank : m_ranks)
    {
        rank->SetStepSink([this](const StepBegin& step) { OnStep(step); });
    }
    for (const auto& [job, aggregation] : cluster.aggregations)
    {
        for (std::uint32_t i = 0; i < aggregation.clients.size(); ++i)
        {
            aggregation.clients[i]->TraceConnectWithoutContext(
                "GoesOn", ns3::MakeCallback(&SteadyState::OnSwitchSum, this, aggregation.hosts[i]));
        }
    }
}

/** A message that has come ends what could repeat itself in it. */
void
SteadyState::OnProgress(std::uint32_t host, ns3::Mac48Address to)
{
    const auto messages = m_messages();
    if (std::exchange(m_lastMessages, messages) != messages || !m_watched)
    {
        m_watched.emplace(host, to);
        m_ofFrames.Restart();
    }
    if (m_watched == std::pair(host, to))
    {
        OnTurn(m_ofFrames);
    }
}

/** The first channel that has steps enough that are alike is watched, until it has no more. */
void
SteadyState::OnStep(const StepBegin& step)
{
    const auto isWatched = [&] {
        return m_watchedStep && m_watchedStep->rank == step.rank &&
               m_watchedStep->round == step.round && m_watchedStep->channel == step.channel;
    };
    if (isWatched() && step.alike < FEWEST_ALIKE_STEPS)
    {
        m_watchedStep.reset();
    }
    if (!m_watchedStep && step.alike >= FEWEST_ALIKE_STEPS)
    {
        m_watchedStep = step;
        m_ofSteps.Restart();
    }
    if (isWatched())
    {
        OnTurn(m_ofSteps);
    }
}

/** The host is still at work on it, so the comparison is scheduled behind it. */
void
SteadyState::OnTurn(Watch& watch)
{
    const auto nowPs = Clock().NowPs();
    const auto gapPs = nowPs - std::exchange(watch.lastPs, nowPs);
    if (IsTimeToCompare(watch, gapPs))
    {
        ns3::Simulator::ScheduleNow(&SteadyState::CompareStates, this, &watch, gapPs);
    }
}

bool
SteadyState::IsTimeToCompare(Watch& watch, std::int64_t gapPs)
{
    if (watch.idleUntilPs > 0 && Clock().NowPs() > watch.idleUntilPs)
    {
        watch.Restart();
    }
    ++watch.turns;
    const bool hasEqualGap =
        watch.before && watch.before->gapPs == gapPs && IsCommonMultiple(watch.turns);
    const bool mayRepeat = watch.before ? hasEqualGap || watch.turns >= watch.brentPower
                                        : watch.turns > watch.uncompared;
    return watch.idleUntilPs == 0 && mayRepeat && MayCompare();
}

/** Comparing may cost a share of what was simulated and skipped. */
bool
SteadyState::MayCompare() const
{
    return m_steps + m_now.state.steps <= FIRST_STEPS +
                                              STEPS_PER_EVENT * ns3::Simulator::GetEventCount() +
                                              STEPS_PER_SKIPPED_FRAME * m_skippedFrames;
}

/** Is called when a client of a switch that adds goes on; its sums come from no sender. */
void
SteadyState::OnSwitchSum(std::uint32_t host)
{
    OnProgress(host, {});
}

void
SteadyState::CompareStates(Watch* watch, std::int64_t gapPs)
{
    TakeFingerprint(watch->kind, gapPs);
    watch->uncompared = watch->before ? 0 : watch->uncompared + 1;
    if (watch->before && SkipRepetitions(*watch))
    {
        m_ofFrames.Restart();
        if (watch == &m_ofSteps)
        {
            m_watchedStep.reset(); // it may be the last one
        }
        return;
    }
    if (!watch->before || watch->turns >= watch->brentPower)
    {
        watch->before = m_now;
        watch->turns = 0;
        watch->brentPower = std::min(2 * watch->brentPower, watch->mostTurns);
    }
}

void
SteadyState::Watch::Restart()
{
    before.reset();
    idleUntilPs = 0;
    turns = 0;
    brentPower = 1;
}

void
SteadyState::TakeFingerprint(PeriodKind kind, std::int64_t gapPs)
{
    m_now.gapPs = gapPs;
    StateVisitor visitor(m_now.state, NowPs(), kind);
    m_now.state.timePs = Clock().NowPs();
    VisitState(visitor);
    VisitEvents(visitor, m_now.state);
    visitor.End();
    m_steps += m_now.state.steps;
}

void
SteadyState::VisitState(StateVisitor& visitor)
{
    const auto visitAll = [&visitor](const auto& objects) {
        for (const auto& object : objects)
        {
            if (object) // some switches have no program
            {
                object->VisitState(visitor);
            }
        }
    };
    if (visitor.HasSteps())
    {
        visitAll(m_ranks);
    }
    for (const auto& [job, aggregation] : m_cluster.aggregations)
    {
        visitAll(aggregation.clients);
        visitAll(aggregation.programs);
    }
    visitAll(m_cluster.transports);
    visitAll(m_cluster.paths);
    visitAll(m_cluster.nics);
    visitAll(m_cluster.links);
    visitAll(m_cluster.switches);
    for (const auto& trunk : m_cluster.trunks)
    {
        trunk.link->VisitState(visitor);
    }
}

/**
 * Pending events, in their order, which decides what comes first of two at one time. Left out are those that ranks wait for,
 * but for those of steps in a period of such, timeouts, and events of no node.
 */
void
SteadyState::VisitEvents(StateVisitor& visitor, const NetworkState& state)
{
    for (std::size_t i = 0; !visitor.HasSteps() && i < m_ranks.size(); ++i)
    {
        visitor.State(m_ranks[i]->GetClock().Done());
    }
    const auto ofRanks = EventsOfRanks(state.kind);
    m_latestPs = NowPs();
    for (const auto& event : EventHeap::Current()->Pending())
    {
        const auto uid = event.key.m_uid;
        if (event.key.m_context == ns3::Simulator::NO_CONTEXT || event.impl->IsCancelled() ||
            ofRanks.count(uid) > 0 || state.foreignEvents.count(uid) > 0)
        {
            continue;
        }
        m_latestPs = static_cast<std::int64_t>(event.key.m_ts);
        visitor.At(m_latestPs);
        const auto ofStep = state.stepEvents.find(uid);
        if (visitor.HasSteps() && ofStep != state.stepEvents.end())
        {
            const auto& [kind, what] = ofStep->second;
            visitor.State(std::uint64_t{event.key.m_context} << 1U | (kind == StepEventKind::ACT));
            visitor.State(what);
            continue;
        }
        if (event.impl->GetReferenceCount() == 1)
        {
            visitor.Aperiodic(); // nobody keeps it for another time
        }
        visitor.State(reinterpret_cast<std::uintptr_t>(event.impl));
    }
}

std::unordered_set<std::uint64_t>
SteadyState::EventsOfRanks(PeriodKind kind) const
{
    std::unordered_set<std::uint64_t> uids;
    for (const auto& rank : m_ranks)
    {
        for (const auto& awaited : rank->GetClock().Awaited())
        {
            if (IsOutside(kind, awaited))
            {
                uids.insert(awaited.eventUid);
            }
        }
    }
    return uids;
}

/** @return whether any was skipped */
bool
SteadyState::SkipRepetitions(Watch& watch)
{
    const auto& before = watch.before->state;
    const auto periodPs = m_now.state.timePs - before.timePs;
    const auto mostTimes = periodPs > 0 ? TimesToRepeat(before, m_now.state) : 0;
    if (mostTimes == 0)
    {
        return false;
    }
    const auto rankPs = NextOfRanksPs(watch.kind);
    const auto times = std::min(mostTimes, TimesBefore(Clock().NetworkPs(rankPs), periodPs));
    if (times == 0)
    {
        watch.idleUntilPs = rankPs;
        return false;
    }
    const auto framesBefore = CarriedFrames();
    StateVisitor visitor(before, m_now.state, times);
    VisitState(visitor);
    m_skippedFrames += CarriedFrames() - framesBefore;

    const auto skippedPs = static_cast<std::int64_t>(times) * periodPs;
    const auto fromPs = Clock().NowPs();
    EventHeap::Current()->BringForward(EventsOfRanks(watch.kind),
                                       static_cast<std::uint64_t>(skippedPs));
    for (const auto& rank : m_ranks)
    {
        rank->GetClock().Skip(skippedPs);
    }
    if (onSkip)
    {
        onSkip(fromPs, fromPs + skippedPs, times);
    }
    return true;
}

/**
 * How many periods end before a rank does something: so long before that all events that are pending then would have been
 * scheduled after the rank's.
 */
std::uint64_t
SteadyState::TimesBefore(std::int64_t rankPs, std::int64_t periodPs) const
{
    return rankPs <= m_latestPs ? 0
                                : static_cast<std::uint64_t>((rankPs - m_latestPs - 1) / periodPs);
}

/** When a rank does something, on its clock. */
std::int64_t
SteadyState::NextOfRanksPs(PeriodKind kind) const
{
    auto firstPs = std::numeric_limits<std::int64_t>::max();
    for (const auto& rank : m_ranks)
    {
        for (const auto& awaited : rank->GetClock().Awaited())
        {
            firstPs = IsOutside(kind, awaited) ? std::min(firstPs, awaited.timePs) : firstPs;
        }
    }
    return firstPs;
}

std::uint64_t
SteadyState::CarriedFrames() const
{
    std::uint64_t frames = 0;
    const auto add = [&frames](const ns3::Ptr<Link>& link) {
        frames += link->Counters(0).carriedFrames + link->Counters(1).carriedFrames;
    };
    std::for_each(m_cluster.links.begin(), m_cluster.links.end(), add);
    for (const auto& trunk : m_cluster.trunks)
    {
        add(trunk.link);
    }
    return frames;
}

} // namespace inca
