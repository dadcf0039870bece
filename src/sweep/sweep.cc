/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "plan/plan-maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

/** @return what its run takes; nothing if that cannot be estimated, which its run says then */
Cost
CostOfRun(const Scenario& scenario)
{
    try
    {
        return CostOf(scenario);
    }
    catch (const InputError&)
    {
        return {};
    }
}

bool
HasFailed(const PointResult& result)
{
    return result.status == PointStatus::FAILED || result.status == PointStatus::TIMEOUT;
}

/** Until others, who are at what is left, may have come further. */
void
WaitForOthers()
{
    constexpr auto lookAgain = std::chrono::milliseconds(200);
    std::this_thread::sleep_for(lookAgain);
    ThrowIfInterrupted();
}

} // namespace

Sweep::Sweep(const SweepPlan& plan,
             ResultStore& store,
             ResultUser onResult,
             ProgressUser onProgress)
    : m_points(plan.points),
      m_compares(!plan.against.empty()),
      m_store(store),
      m_onResult(std::move(onResult)),
      m_onProgress(std::move(onProgress))
{
    m_progress.points = m_points.size();
    m_failed.resize(m_points.size());
    m_missing.resize(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        m_users[m_points[i].key].push_back(i);
        ++m_missing[i];
    }
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        const auto& [key, against] = std::tie(m_points[i].key, m_points[i].against);
        if (const auto other = m_users.find(against); other != m_users.end() && against != key)
        {
            other->second.push_back(i); // in another shard nobody waits for it
            ++m_missing[i];
        }
    }
    Sort();
}

void
Sweep::AddTask(const std::string& key, std::size_t point)
{
    constexpr double startSeconds = 0.001; // of what is not simulated
    const auto cost = CostOfRun(m_points[point].scenario);
    m_waiting.push_back(
        {key, m_keys.size(), point, startSeconds + cost.cpuSeconds, cost.memoryBytes});
    m_keys.push_back(key);
}

/** Tells what is there from what is to be done. */
void
Sweep::Sort()
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        const auto& key = m_points[i].key;
        if (!seen.insert(key).second)
        {
            continue;
        }
        if (const auto result = m_store.Find(key))
        {
            Take(key, *result);
        }
        else
        {
            AddTask(key, i);
        }
    }
    m_waiting.sort([](const Task& a, const Task& b) { return a.cpuSeconds > b.cpuSeconds; });
}

SweepProgress
Sweep::Progress() const
{
    return m_progress;
}

void
Sweep::Run(RunSlots& slots)
{
    m_begin = Clock::now();
    m_before = m_progress.done;
    HandOver();
    try
    {
        while (!IsOver(slots))
        {
            Step(slots);
        }
    }
    catch (const Interrupted&)
    {
        Commit(0); // what has ended is done
        throw;
    }
}

bool
Sweep::IsOver(const RunSlots& slots) const
{
    return m_waiting.empty() && m_claimed.empty() && m_ended.empty() && slots.IsIdle();
}

void
Sweep::Step(RunSlots& slots)
{
    const bool needsMore = m_claimed.empty() && !m_waiting.empty() && !slots.IsFull();
    if (needsMore || IsDue(slots))
    {
        Commit(m_claimed.empty() ? slots.Jobs() : 0);
        HandOver();
        TellProgress();
    }
    StartWhatFits(slots);
    if (slots.IsIdle())
    {
        if (m_claimed.empty() && m_ended.empty() && !m_waiting.empty())
        {
            WaitForOthers();
        }
        return;
    }
    for (auto& ended : slots.Wait())
    {
        m_ended.push_back(std::move(ended));
    }
    TellProgress();
}

/** Points take about as long as those that are done. */
void
Sweep::TellProgress()
{
    const std::chrono::duration<double> took = Clock::now() - m_begin;
    const auto done = static_cast<double>(m_progress.done - m_before);
    const auto left = static_cast<double>(m_progress.points - m_progress.done);
    m_progress.secondsLeft =
        done > 0 ? std::optional<double>(took.count() * left / done) : std::nullopt;
    m_onProgress(Progress());
}

/** Each commit waits for the disk, so that what ends within a moment is put together. */
bool
Sweep::IsDue(const RunSlots& slots) const
{
    constexpr auto moment = std::chrono::milliseconds(200);
    const bool isLast = m_waiting.empty() && m_claimed.empty() && slots.IsIdle();
    return !m_ended.empty() && (isLast || Clock::now() - m_committed >= moment);
}

/** Puts what has ended, and claims what @p jobs processes do in a moment, at least one for each. */
void
Sweep::Commit(std::uint32_t jobs)
{
    std::vector<Task> done;
    m_store.Together([&] {
        for (const auto& [index, result] : m_ended)
        {
            m_store.Put(m_keys[index], result);
        }
        ClaimFor(jobs, done);
    });
    for (const auto& [index, result] : m_ended)
    {
        Take(m_keys[index], result);
    }
    m_ended.clear();
    for (const auto& task : done)
    {
        Take(task.key, m_store.Find(task.key).value());
    }
    m_committed = Clock::now();
}

/** @param done what others have done meanwhile */
void
Sweep::ClaimFor(std::uint32_t jobs, std::vector<Task>& done)
{
    constexpr double momentSeconds = 0.2;
    double claimedWork = 0;
    for (auto task = m_waiting.begin(); task != m_waiting.end();)
    {
        const bool enough = m_claimed.size() >= jobs && claimedWork >= momentSeconds * jobs;
        if (enough)
        {
            break;
        }
        const auto claim = m_store.TryClaim(task->key);
        if (claim == Claim::MINE)
        {
            claimedWork += task->cpuSeconds;
            m_claimed.push_back(*task);
        }
        else if (claim == Claim::DONE)
        {
            done.push_back(*task);
        }
        task = claim == Claim::OTHERS ? std::next(task) : m_waiting.erase(task);
    }
}

void
Sweep::StartWhatFits(RunSlots& slots)
{
    for (auto task = m_claimed.begin(); task != m_claimed.end() && !slots.IsFull();)
    {
        const bool fits = slots.HasRoomFor(task->memoryBytes);
        if (fits)
        {
            slots.Start(task->index, m_points[task->point].scenario, task->memoryBytes);
        }
        task = fits ? m_claimed.erase(task) : std::next(task);
    }
}

void
Sweep::Take(const std::string& key, const PointResult& result)
{
    for (const auto i : m_users.at(key))
    {
        m_failed[i] = m_failed[i] || (key == m_points[i].key && HasFailed(result));
        --m_missing[i];
        m_progress.done += m_missing[i] == 0 ? 1 : 0;
        m_progress.failed += m_missing[i] == 0 && m_failed[i] ? 1 : 0;
    }
}

/** @return whether all is there that it needs */
bool
Sweep::Tell(std::size_t point, const ResultUser& user)
{
    if (m_missing[point] > 0)
    {
        return false;
    }
    const auto& told = m_points[point];
    auto result = m_store.Find(told.key).value();
    if (m_compares)
    {
        const auto against = m_store.Find(told.against);
        result = WithGain(std::move(result), against ? &*against : nullptr);
    }
    user(told, result);
    return true;
}

/** The results whose turn it is. */
void
Sweep::HandOver()
{
    while (m_handedOver < m_points.size() && Tell(m_handedOver, m_onResult))
    {
        ++m_handedOver;
    }
}

void
Sweep::Rest(const ResultUser& user)
{
    for (std::size_t i = m_handedOver; i < m_points.size(); ++i)
    {
        Tell(i, user);
    }
}

} // namespace inca
