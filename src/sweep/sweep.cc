/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "plan/plan-maker.h"
#include "record/csv-text.h"
#include "record/result-row.h"
#include "record/sample.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_summarized[] = {"iteration_time_s",
                                        "communication_s",
                                        "exchange_time_s",
                                        "aggregation_throughput_gbps",
                                        GAIN_COLUMN};

/** Of all rows that have one. */
std::vector<double>
ValuesOf(const std::vector<Row>& rows, const std::string& column)
{
    std::vector<double> values;
    for (const auto& row : rows)
    {
        const auto text = CellText(row, column);
        if (!text.empty())
        {
            values.push_back(std::strtod(text.c_str(), nullptr));
        }
    }
    return values;
}

void
AddFigures(const std::vector<Row>& rows, const std::string& column, Row& summary)
{
    const auto values = ValuesOf(rows, column);
    const auto sample = values.empty() ? Sample{} : SampleOf(values);
    const auto add = [&](const char* figure, double value, std::size_t atLeast) {
        summary.push_back(
            {FigureColumn(column, figure), sample.count < atLeast ? "" : NineDigits(value), false});
    };
    add("mean", sample.mean, 1);
    add("sd", sample.deviation, 2);
    add("low95", sample.mean - sample.margin, 2);
    add("high95", sample.mean + sample.margin, 2);
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
      m_onProgress(std::move(onProgress)),
      m_states(m_points.size(), State::MISSING)
{
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        m_first.push_back(places.emplace(m_points[i].key, i).first->second);
    }
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        ThrowIfInterrupted();
        const auto other = places.find(m_points[i].against);
        m_against.push_back(other == places.end() ? m_first[i] // it is in another shard
                                                  : other->second);
        if (m_first[i] != i)
        {
            continue;
        }
        if (const auto result = m_store.Find(m_points[i].key))
        {
            Take(i, *result);
        }
        else
        {
            AddTask(i);
        }
    }
    m_waiting.sort([](const Task& a, const Task& b) { return a.cpuSeconds > b.cpuSeconds; });
    Count();
    m_before = m_progress.done;
}

/** What cannot be estimated is refused by its run, which says why. */
void
Sweep::AddTask(std::size_t point)
{
    constexpr double startSeconds = 0.001; // of what is not simulated
    Cost cost;
    try
    {
        cost = CostOf(m_points[point].scenario);
    }
    catch (const InputError&)
    {
        cost = {};
    }
    m_waiting.push_back({point, startSeconds + cost.cpuSeconds, cost.memoryBytes});
}

void
Sweep::Run(RunSlots& slots)
{
    m_begin = Clock::now();
    HandOver();
    try
    {
        while (!m_waiting.empty() || !slots.IsIdle())
        {
            StartWhatFits(slots);
            for (auto& ended : slots.Wait())
            {
                m_ended.push_back(std::move(ended));
            }
            // Each commit waits for the disk, so that what ends within a moment is put together.
            constexpr auto moment = std::chrono::milliseconds(200);
            const bool isLast = m_waiting.empty() && slots.IsIdle();
            if (!m_ended.empty() && (isLast || Clock::now() - m_committed >= moment))
            {
                Commit();
                HandOver();
            }
            m_onProgress(m_progress);
        }
    }
    catch (const Interrupted&)
    {
        Commit(); // what has ended is done
        throw;
    }
}

void
Sweep::Commit()
{
    m_store.Together([&] {
        for (const auto& [point, result] : m_ended)
        {
            m_store.Put(m_points[point].key, result);
        }
    });
    for (const auto& [point, result] : m_ended)
    {
        Take(point, result);
    }
    m_ended.clear();
    m_committed = Clock::now();
    Count();
}

void
Sweep::StartWhatFits(RunSlots& slots)
{
    for (auto task = m_waiting.begin(); task != m_waiting.end() && !slots.IsFull();)
    {
        const bool fits = slots.HasRoomFor(task->memoryBytes);
        if (fits)
        {
            slots.Start(task->point, task->memoryBytes);
        }
        task = fits ? m_waiting.erase(task) : std::next(task);
    }
}

void
Sweep::Take(std::size_t point, const PointResult& result)
{
    m_states[point] = HasFailed(result) ? State::FAILED : State::THERE;
}

/** @return whether all is there that its row needs */
bool
Sweep::IsWhole(std::size_t point) const
{
    return m_states[m_first[point]] != State::MISSING &&
           m_states[m_against[point]] != State::MISSING;
}

/** Says how far it is. Points take about as long as those that are done. */
void
Sweep::Count()
{
    m_progress = {0, 0, m_points.size(), {}};
    for (std::size_t i = 0; i < m_points.size(); ++i)
    {
        const auto state = m_states[m_first[i]];
        m_progress.done += state != State::MISSING ? 1 : 0;
        m_progress.failed += state == State::FAILED ? 1 : 0;
    }
    if (m_begin && m_progress.done > m_before)
    {
        const std::chrono::duration<double> took = Clock::now() - *m_begin;
        m_progress.secondsLeft = took.count() *
                                 static_cast<double>(m_progress.points - m_progress.done) /
                                 static_cast<double>(m_progress.done - m_before);
    }
}

/** The results whose turn it is. */
void
Sweep::HandOver()
{
    for (; m_handedOver < m_points.size() && IsWhole(m_handedOver); ++m_handedOver)
    {
        const auto& point = m_points[m_handedOver];
        auto result = m_store.Find(point.key).value();
        if (m_compares)
        {
            result = WithGain(std::move(result), m_store.Find(point.against));
        }
        m_onResult(point, result);
    }
}

void
Summaries::Add(const std::string& label,
               std::vector<std::string> varied,
               const Row& settings,
               const Row& row)
{
    varied.pop_back(); // the seed
    if (m_groups.empty() || m_groups.back().label != label || m_groups.back().varied != varied)
    {
        m_groups.push_back({label, std::move(varied), settings, {}});
    }
    m_groups.back().rows.push_back(row);
}

std::vector<Summary>
Summaries::All() const
{
    std::vector<Summary> all;
    std::transform(m_groups.begin(), m_groups.end(), std::back_inserter(all), Of);
    return all;
}

Summary
Summaries::Of(const Group& group)
{
    Row row{{"label", group.label, true}};
    row.insert(row.end(), group.settings.begin(), group.settings.end());
    const auto runs = ValuesOf(group.rows, g_summarized[0]).size();
    row.push_back({"runs", std::to_string(runs), false});
    for (const auto* column : g_summarized)
    {
        const auto& first = group.rows.front(); // only a sweep that compares has gains
        if (std::any_of(first.begin(), first.end(), [column](const RowCell& cell) {
                return cell.column == column;
            }))
        {
            AddFigures(group.rows, column, row);
        }
    }
    return {group.varied, std::move(row)};
}

} // namespace inca
