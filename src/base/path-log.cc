/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/path-log.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace inca
{

void
PathLog::Turn(bool on)
{
    s_now.m_step = 0;
    s_now.m_latencyPs = 0;
    s_isOn = on;
    s_steps.assign(1, Step{}); // the begin, which is like nothing
    s_steps.shrink_to_fit();
    s_free = 0;
    s_size = 0;
    s_repetitions.clear();
    s_skippedPs = 0;
    s_era = 0;
}

std::uint32_t
PathLog::NewStep()
{
    ++s_size;
    if (s_free == 0)
    {
        s_steps.emplace_back();
        return static_cast<std::uint32_t>(s_steps.size() - 1);
    }
    return std::exchange(s_free, s_steps[s_free].before);
}

/** The present path goes on with it. */
void
PathLog::Append(PathKind kind, std::uint32_t place, std::int64_t endPs, std::uint32_t detail)
{
    const auto number = NewStep();
    const auto before = std::exchange(s_now.m_step, number); // which it uses from now on
    auto& step = s_steps[number];
    step = Step{};
    step.endPs = endPs;
    step.before = before;
    step.latencyPs = std::exchange(s_now.m_latencyPs, 0);
    step.users = 1;
    step.place = place;
    step.detail = detail & 0xFFFFFFU;
    step.kind = static_cast<std::uint32_t>(kind) & 0xFFU;
    step.era = s_era;
    const auto& last = s_steps[before];
    if (before > 0 && step.latencyPs == 0 && last.IsLike(kind, place, step.detail))
    {
        step.before = last.before;
        step.latencyPs = last.latencyPs;
        step.count = last.count + 1;
        Use(step.before);
        Leave(before);
    }
}

void
PathLog::AddLatency(std::int64_t endPs)
{
    const auto& last = s_steps[s_now.m_step];
    const auto latencyPs = endPs - last.endPs;
    if (latencyPs <= std::numeric_limits<std::uint32_t>::max())
    {
        s_now.m_latencyPs = static_cast<std::uint32_t>(latencyPs);
        return;
    }
    Append(PathKind::LATENCY, last.place, endPs, last.detail);
}

/** And all before it that nobody else needs. */
void
PathLog::Forget(std::uint32_t step)
{
    std::vector<std::uint32_t> others; // of repetitions
    while (true)
    {
        auto& gone = s_steps[step];
        const auto before = gone.before;
        const auto kind = gone.kind;
        gone.before = std::exchange(s_free, step);
        --s_size;
        if (kind == static_cast<std::uint32_t>(PathKind::REPEATED))
        {
            ForgetRepetition(gone.detail, others);
        }
        if (before > 0 && --s_steps[before].users == 0)
        {
            step = before;
        }
        else if (!others.empty())
        {
            step = others.back();
            others.pop_back();
        }
        else
        {
            return;
        }
    }
}

/** If no step names it any more. @param unused gets the steps that it was the last to use */
void
PathLog::ForgetRepetition(std::uint32_t number, std::vector<std::uint32_t>& unused)
{
    if (--s_repetitions[number].users > 0)
    {
        return;
    }
    const auto gone = std::exchange(s_repetitions[number], {});
    for (const auto* steps : {&gone.before, &gone.now})
    {
        std::copy_if(steps->begin(),
                     steps->end(),
                     std::back_inserter(unused),
                     [](std::uint32_t step) { return step > 0 && --s_steps[step].users == 0; });
    }
}

std::vector<PathEnd>
PathLog::Repeat(const std::vector<PathEnd>& before,
                const std::vector<PathEnd>& now,
                std::int64_t beganPs,
                std::int64_t periodPs,
                std::uint64_t times)
{
    const Scope scope;
    const auto skippedPs = static_cast<std::int64_t>(times) * periodPs;
    const auto number = static_cast<std::uint32_t>(s_repetitions.size());
    s_repetitions.emplace_back();
    auto& repetition = s_repetitions.back();
    repetition.times = times;
    repetition.beganPs = beganPs;
    s_skippedPs += skippedPs;
    std::vector<PathEnd> moved;
    for (std::uint32_t place = 0; place < now.size(); ++place)
    {
        const auto first = before[place].m_step;
        const auto last = now[place].m_step;
        const auto latencyPs = now[place].m_latencyPs; // the same in both
        Use(first);
        Use(last);
        repetition.before.push_back(first);
        repetition.now.push_back(last);
        s_now = now[place];
        if (first != last) // else nothing has happened to it
        {
            repetition.places.emplace(first, place);
            s_now.m_latencyPs = 0;
            Append(PathKind::REPEATED, place, s_steps[last].endPs + skippedPs, number);
            s_now.m_latencyPs = latencyPs;
            ++repetition.users;
        }
        moved.push_back(s_now);
    }
    return moved;
}

PathPiece
PathLog::PieceOf(std::uint32_t step)
{
    const auto& of = s_steps[step];
    return {static_cast<PathKind>(of.kind),
            of.place,
            of.detail,
            s_steps[of.before].endPs + of.latencyPs,
            of.endPs,
            of.count};
}

PathPiece
PathLog::LatencyBehind(std::uint32_t step, std::uint32_t latencyPs)
{
    auto link = step; // that was behind it before it was repeated
    while (s_steps[link].kind == static_cast<std::uint32_t>(PathKind::REPEATED))
    {
        link = s_repetitions[s_steps[link].detail].now[s_steps[link].place];
    }
    const auto endPs = s_steps[step].endPs;
    return {PathKind::LATENCY, s_steps[link].place, s_steps[link].detail, endPs, endPs + latencyPs};
}

/** And the latency before it, or all that it repeats. @return the step before that */
std::uint32_t
PathLog::ShowStep(std::uint32_t step, const Show& show)
{
    const auto& of = s_steps[step];
    if (of.kind == static_cast<std::uint32_t>(PathKind::REPEATED))
    {
        return WalkRepetition(of, show);
    }
    show(PieceOf(step));
    if (of.latencyPs > 0)
    {
        show(LatencyBehind(of.before, of.latencyPs));
    }
    return of.before;
}

void
PathLog::Walk(const PathEnd& path, const Show& show)
{
    if (path.m_latencyPs > 0)
    {
        show(LatencyBehind(path.m_step, path.m_latencyPs));
    }
    for (auto step = path.m_step; step > 0;)
    {
        step = ShowStep(step, show);
    }
}

/** The steps from a path of the second state back to one of the first, the last one first. */
PathLog::Way
PathLog::WayOf(const Repetition& repetition, std::uint32_t place)
{
    Way way;
    for (auto step = repetition.now[place];; step = ShowStep(step, [](const PathPiece&) {}))
    {
        const auto found = repetition.places.find(step);
        if (found != repetition.places.end())
        {
            way.from = found->second;
            return way;
        }
        if (step == 0 || s_steps[step].endPs < repetition.beganPs)
        {
            way.last = step;
            return way;
        }
        way.steps.push_back(step);
    }
}

/**
 * The path of the first state from which the way comes is that of the second one in the period before.
 * @return the step with which the path goes on before all of them
 */
std::uint32_t
PathLog::WalkRepetition(const Step& repeated, const Show& show)
{
    const auto& repetition = s_repetitions[repeated.detail];
    std::vector<std::pair<Way, std::uint64_t>> ways;            // and how often each is gone
    std::unordered_map<std::uint32_t, std::size_t> waysOfPlace; // indices
    std::optional<std::uint32_t> place{repeated.place};
    std::uint32_t before = 0;
    for (std::uint64_t i = 0; place && i < repetition.times; ++i)
    {
        const auto [found, isNew] = waysOfPlace.try_emplace(*place, ways.size());
        if (isNew)
        {
            ways.emplace_back(WayOf(repetition, *place), 0);
        }
        auto& [way, times] = ways[found->second];
        ++times;
        before = way.last;
        place = way.from;
    }
    before = place ? repetition.now[*place] : before;
    auto restPs = repeated.endPs - s_steps[before].endPs;
    for (const bool isFirst :
         {true, false}) // who looks at them in order sees all but the first alike
    {
        for (const auto& [way, all] : ways)
        {
            const auto times = isFirst ? 1 : all - 1;
            for (std::size_t i = 0; times > 0 && i < way.steps.size(); ++i)
            {
                ShowStep(way.steps[i], [&](PathPiece piece) {
                    piece.times *= times;
                    piece.isRepeated = true;
                    restPs -=
                        (piece.endPs - piece.beginPs) * static_cast<std::int64_t>(piece.times);
                    show(piece);
                });
            }
        }
    }
    if (restPs != 0) // it does not come from the period before
    {
        show({PathKind::REPEATED, 0, 0, repeated.endPs - restPs, repeated.endPs});
    }
    return before;
}

} // namespace inca
