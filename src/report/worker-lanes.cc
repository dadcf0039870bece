/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/worker-lanes.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace inca
{

namespace
{

/** Workers of one lane, as they come. */
struct LaneInMaking
{
    std::vector<std::uint32_t> workers;
    std::vector<LayerRow> layers;
};

bool
AreAlike(const LayerRow& a, const LayerRow& b)
{
    return a.layer == b.layer && a.readyPs == b.readyPs && a.startPs == b.startPs &&
           a.endPs == b.endPs && a.exposedCommunicationPs == b.exposedCommunicationPs &&
           a.wireBytes == b.wireBytes;
}

/** "0, 2 to 7" */
std::string
RangesOf(const std::vector<std::uint32_t>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();)
    {
        auto last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
        {
            ++last;
        }
        text += text.empty() ? "" : ", ";
        text += last == i ? fmt::format("{}", numbers[i])
                          : fmt::format("{} to {}", numbers[i], numbers[last]);
        i = last + 1;
    }
    return text;
}

void
AddWorker(std::vector<LaneInMaking>& lanes, std::vector<LayerRow> layers)
{
    const auto worker = layers.front().worker;
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&layers](const auto& lane) {
        return std::equal(
            lane.layers.begin(), lane.layers.end(), layers.begin(), layers.end(), AreAlike);
    });
    if (found == lanes.end())
    {
        lanes.push_back({{worker}, std::move(layers)});
    }
    else
    {
        found->workers.push_back(worker);
    }
}

std::int64_t
EndOf(const WorkerLane& lane)
{
    std::int64_t end = 0;
    for (const auto& layer : lane.layers)
    {
        end = std::max(end, layer.endPs);
    }
    return end;
}

std::size_t
CountLayers(const WorkerLanes& lanes)
{
    std::size_t count = 0;
    for (const auto& lane : lanes)
    {
        count += lane.layers.size();
    }
    return count;
}

void
KeepLastToEnd(WorkerLanes& lanes)
{
    if (lanes.size() > 1)
    {
        const auto last =
            std::max_element(lanes.begin(), lanes.end(), [](const auto& a, const auto& b) {
                return EndOf(a) < EndOf(b);
            });
        lanes = {std::move(*last)};
    }
}

/** A number of a row of layers.csv; @p scale to what it is counted in. */
std::int64_t
WholeAt(const CsvTable& table, const CsvTableRow& row, const char* column, double scale)
{
    const auto at = table.Find(column);
    const auto number = at ? NumberOf(row.fields[*at]) : std::nullopt;
    constexpr double tooMuch = 9e18;
    if (!number || std::abs(*number * scale) > tooMuch)
    {
        throw InputError(InputPlace{table.path, row.line, 0, ""},
                         fmt::format("is no row of a layers.csv: needs a number as {}", column));
    }
    return std::llround(*number * scale);
}

} // namespace

WorkerLanes
LanesOf(const std::vector<LayerRow>& layers)
{
    std::vector<LaneInMaking> lanes;
    for (auto begin = layers.begin(); begin != layers.end();)
    {
        const auto end = std::find_if(begin, layers.end(), [begin](const LayerRow& row) {
            return row.worker != begin->worker;
        });
        AddWorker(lanes, {begin, end});
        begin = end;
    }
    WorkerLanes named;
    for (auto& lane : lanes)
    {
        named.push_back({RangesOf(lane.workers), std::move(lane.layers)});
    }
    return named;
}

std::vector<LayerRow>
LayersOf(const CsvTable& table)
{
    constexpr double psPerSecond = 1e12;
    const auto name = table.Find("layer");
    std::vector<LayerRow> layers;
    for (const auto& row : table.rows)
    {
        const auto whole = [&](const char* column, double scale = 1) {
            return WholeAt(table, row, column, scale);
        };
        LayerRow layer;
        layer.worker = static_cast<std::uint32_t>(whole("worker"));
        layer.layer = name ? row.fields[*name] : "";
        layer.elements = static_cast<std::uint64_t>(whole("elements"));
        layer.firstBucket = static_cast<std::uint32_t>(whole("first_bucket"));
        layer.lastBucket = static_cast<std::uint32_t>(whole("last_bucket"));
        layer.readyPs = whole("ready_s", psPerSecond);
        layer.startPs = whole("start_s", psPerSecond);
        layer.endPs = whole("end_s", psPerSecond);
        layer.exposedCommunicationPs = whole("exposed_communication_s", psPerSecond);
        layer.plainBytes = static_cast<std::uint64_t>(whole("plain_bytes"));
        layer.wireBytes = static_cast<std::uint64_t>(whole("wire_bytes"));
        layers.push_back(std::move(layer));
    }
    return layers;
}

LaneCollection::LaneCollection(std::size_t most)
    : m_most(most)
{
}

void
LaneCollection::Add(WorkerLanes lanes)
{
    if (!m_isReduced && m_count + CountLayers(lanes) > m_most)
    {
        Reduce();
    }
    if (m_isReduced)
    {
        KeepLastToEnd(lanes);
    }
    if (m_count + CountLayers(lanes) > m_most)
    {
        lanes.clear();
        ++m_without;
    }
    m_count += CountLayers(lanes);
    m_runs.push_back(std::move(lanes));
}

const std::vector<WorkerLanes>&
LaneCollection::Runs() const
{
    return m_runs;
}

std::string
LaneCollection::LeftOut() const
{
    if (!m_isReduced)
    {
        return "";
    }
    const std::string lanes = "timelines show the workers that end last alone";
    return m_without == 0 ? lanes : fmt::format("{}; {} points have none", lanes, m_without);
}

void
LaneCollection::Reduce()
{
    m_isReduced = true;
    m_count = 0;
    for (auto& run : m_runs)
    {
        KeepLastToEnd(run);
        m_count += CountLayers(run);
    }
}

} // namespace inca
