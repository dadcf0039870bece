/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-labels.h"

#include "report/plot-axis.h"
#include "report/plot-text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inca
{

namespace
{

// Shares of the axes' lengths, of which a picture of 3.3 inches has about 2.6 and 1.6; text in 8 points.
constexpr double g_character = 0.026;
constexpr double g_height = 0.09;
constexpr double g_besideMark = 0.035;
constexpr double g_aboveMark = 0.09; // the middle of the text

/** What a text covers, in shares of the axes. */
struct Box
{
    double left;
    double right;
    double below;
    double above;

    bool Holds(double x, double y) const
    {
        return left <= x && x <= right && below <= y && y <= above;
    }

    bool Meets(const Box& other) const
    {
        return left < other.right && other.left < right && below < other.above &&
               other.below < above;
    }

    bool IsInside() const
    {
        return left >= 0 && right <= 1 && below >= 0 && above <= 1;
    }
};

/** Where a text may begin, or end, from its mark on. */
struct Offset
{
    double x;
    double y;
    bool endsThere;
};

constexpr Offset g_offsets[] = {
    {0.01, g_aboveMark, false},
    {-0.01, g_aboveMark, true},
    {-0.01, -g_aboveMark, true},
    {0.01, -g_aboveMark, false},
    {g_besideMark, 0, false},
    {-g_besideMark, 0, true},
    {0.01, 2 * g_aboveMark, false},
    {-0.01, 2 * g_aboveMark, true},
    {-0.01, -2 * g_aboveMark, true},
    {0.01, -2 * g_aboveMark, false},
};

/** Points of all lines, close to each other, in shares of the axes. */
std::vector<PlotPoint>
Trace(const std::vector<std::vector<PlotPoint>>& lines, const PlotScales& scales)
{
    constexpr int steps = 50;
    std::vector<PlotPoint> points;
    for (const auto& line : lines)
    {
        for (std::size_t i = 1; i < line.size(); ++i)
        {
            const PlotPoint from{scales.x.ShareOf(line[i - 1].x), scales.y.ShareOf(line[i - 1].y)};
            const PlotPoint to{scales.x.ShareOf(line[i].x), scales.y.ShareOf(line[i].y)};
            for (int step = 0; step <= steps; ++step)
            {
                const double share = static_cast<double>(step) / steps;
                points.push_back(
                    {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
            }
        }
    }
    return points;
}

/** Finds a place for one label after the other. */
class Placer
{
  public:
    Placer(const std::vector<std::vector<PlotPoint>>& lines, const PlotScales& scales)
        : m_scales(scales),
          m_lines(Trace(lines, scales))
    {
    }

    /** No text covers another's mark. */
    void Keep(const PlotLabel& label)
    {
        constexpr double radius = 0.03;
        const auto x = m_scales.x.ShareOf(label.at.x);
        const auto y = m_scales.y.ShareOf(label.at.y);
        m_taken.push_back({x - radius, x + radius, y - radius, y + radius});
    }

    PlotLabel Place(const PlotLabel& label)
    {
        const auto* best = &g_offsets[0];
        for (const auto& offset : g_offsets)
        {
            best = Cost(BoxOf(label, offset)) < Cost(BoxOf(label, *best)) ? &offset : best;
        }
        m_taken.push_back(BoxOf(label, *best));
        return {label.text,
                {m_scales.x.At(m_scales.x.ShareOf(label.at.x) + best->x),
                 m_scales.y.At(m_scales.y.ShareOf(label.at.y) + best->y)},
                best->endsThere};
    }

  private:
    Box BoxOf(const PlotLabel& label, const Offset& offset) const
    {
        const auto width = g_character * static_cast<double>(LengthOf(label.text));
        const auto x = m_scales.x.ShareOf(label.at.x) + offset.x;
        const auto y = m_scales.y.ShareOf(label.at.y) + offset.y;
        const auto left = offset.endsThere ? x - width : x;
        return {left, left + width, y - g_height / 2, y + g_height / 2};
    }

    /** Points that are covered; more than of all lines where it must not be at all. */
    std::size_t Cost(const Box& box) const
    {
        const auto covered = std::count_if(
            m_lines.begin(), m_lines.end(), [&box](const auto& p) { return box.Holds(p.x, p.y); });
        const auto met = std::count_if(
            m_taken.begin(), m_taken.end(), [&box](const Box& other) { return box.Meets(other); });
        const auto wrong = static_cast<std::size_t>(met) + (box.IsInside() ? 0 : 1);
        return static_cast<std::size_t>(covered) + wrong * (m_lines.size() + 1);
    }

    PlotScales m_scales;
    std::vector<PlotPoint> m_lines;
    std::vector<Box> m_taken;
};

} // namespace

std::vector<PlotLabel>
PlaceLabels(const std::vector<PlotLabel>& labels,
            const std::vector<std::vector<PlotPoint>>& lines,
            const PlotScales& scales)
{
    Placer placer(lines, scales);
    for (const auto& label : labels)
    {
        placer.Keep(label);
    }
    std::vector<PlotLabel> placed;
    for (const auto& label : labels)
    {
        placed.push_back(placer.Place(label));
    }
    return placed;
}

} // namespace inca
