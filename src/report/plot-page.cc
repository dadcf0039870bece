/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-page.h"

#include "base/printable.h"
#include "report/plot-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace inca
{

namespace
{

constexpr double g_width = 3.3;                // inches, a column of a paper
constexpr double g_height = 2.2;               // inches, with an axis' title and one line of ticks
constexpr double g_line = 0.14;                // inches, of text in 8 points
constexpr double g_points = 8;                 // of all text
constexpr double g_svgDots = 96;               // per inch
constexpr double g_pngDots = 300;              // per inch
constexpr double g_perInch = 72;               // points
constexpr std::size_t g_lineCharacters = 48;   // of usual text in 8 points
constexpr std::size_t g_samplesCharacters = 7; // what a legend's sample and its margin take

const std::string&
FormName(PictureForm form)
{
    static const std::array<std::string, 3> names{"svg", "png", "pdf"};
    return names.at(static_cast<std::size_t>(form));
}

} // namespace

std::string
SeriesColour(std::size_t series)
{
    static const std::array<std::string, 8> colours{
        "#0072B2", "#E69F00", "#595959", "#56B4E9", "#D55E00", "#CC79A7", "#009E73", "#999999"};
    return colours.at(series % colours.size());
}

std::string
SeriesColour(std::size_t series, std::size_t shade)
{
    constexpr double left = 0.4; // of a colour, in the next shade of it
    constexpr double white = 255;
    const auto share = std::pow(left, static_cast<double>(shade));
    const auto colour = SeriesColour(series);
    std::string lighter = "#";
    for (std::size_t i = 1; i < colour.size(); i += 2)
    {
        const auto part = static_cast<double>(std::stoul(colour.substr(i, 2), nullptr, 16));
        lighter += fmt::format("{:02X}", std::lround(white + share * (part - white)));
    }
    return lighter;
}

std::string
IntervalStyle(const std::string& colour)
{
    // gnuplot's own error bars leave a hole around their middle, in which the mark would be
    return "using 1:3:(0):($4-$3) with vectors heads size graph 0.01,90 fixed linewidth 1 "
           "linecolor rgb '" +
           colour + "'";
}

void
PlotPage::Set(const std::string& line)
{
    m_settings += "set " + line + "\n";
}

void
PlotPage::Unset(const std::string& line)
{
    m_settings += "unset " + line + "\n";
}

void
PlotPage::SetTitle(const std::string& axis, const std::string& title)
{
    Set(axis + "label " + Quoted(Shortened(title, MOST_NAME)));
}

void
PlotPage::SetScale(const std::string& axis, const AxisScale& scale)
{
    if (scale.isLog)
    {
        Set("logscale " + axis);
    }
    Set(fmt::format("{}range [{}:{}]", axis, Figure(scale.least), Figure(scale.most)));
    std::string ticks;
    for (const auto tick : scale.ticks)
    {
        ticks += (ticks.empty() ? "" : ", ") + QuotedTick(ShortFigure(tick)) + " " + Figure(tick);
    }
    if (!ticks.empty())
    {
        Set(axis + "tics (" + ticks + ")");
    }
}

void
PlotPage::SetNames(const std::string& axis,
                   const std::vector<double>& at,
                   std::vector<std::string> names)
{
    std::size_t longest = 0;
    std::string ticks;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        names[i] = Shortened(names[i], MOST_NAME / 2 + 4);
        longest = std::max(longest, LengthOf(names[i]));
        ticks += (i > 0 ? ", " : "") + QuotedTick(names[i]) + " " + Figure(at[i]);
    }
    const bool stands = axis == "x" && names.size() * (longest + 1) > g_lineCharacters - 2;
    if (stands)
    {
        constexpr double linesPerCharacter = 0.44;
        m_nameLines = linesPerCharacter * static_cast<double>(longest);
    }
    Set(fmt::format("{}tics {}({})", axis, stands ? "rotate by 90 right " : "", ticks));
}

std::size_t
PlotPage::AddBlock(const std::string& name, const std::vector<std::vector<double>>& rows)
{
    m_data += (m_blocks > 0 ? "\n\n# " : "# ") + Printable(name) + "\n";
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            m_data += (i > 0 ? " " : "") + (std::isnan(row[i]) ? "NaN" : Figure(row[i]));
        }
        m_data += "\n";
    }
    return m_blocks++;
}

void
PlotPage::Draw(std::size_t block, const std::string& how, const std::string& title)
{
    m_drawn.push_back(
        fmt::format("'plot.dat' index {} {} {}",
                    block,
                    how,
                    title.empty() ? "notitle" : "title " + Quoted(Shortened(title, MOST_NAME))));
    if (!title.empty())
    {
        m_titles.push_back(title);
    }
}

void
PlotPage::AddToLegend(const std::string& how, const std::string& title)
{
    m_drawn.push_back("keyentry " + how + " title " + Quoted(Shortened(title, MOST_NAME)));
    m_titles.push_back(title);
}

void
PlotPage::Note(const std::string& note)
{
    m_notes.push_back(note);
}

PlotFiles
PlotPage::Files(PictureForm form) const
{
    const auto picture = "plot." + FormName(form);
    auto script = "# Written by inca plot: gnuplot plot.gp draws " + picture + " of plot.dat.\n" +
                  Terminal(form) + "set output '" + picture + "'\n" +
                  "set encoding utf8\n"
                  "set border 3 linewidth 0.7\n"
                  "set tics nomirror out scale 0.6\n" +
                  Legend() + m_settings + "plot ";
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        script += (i > 0 ? ", \\\n     " : "") + m_drawn[i];
    }
    return {script + "\n", m_data, picture, m_notes};
}

std::string
PlotPage::Terminal(PictureForm form) const
{
    const auto columns = std::max<std::size_t>(1, LegendColumns());
    const auto legendRows = (m_titles.size() + columns - 1) / columns;
    const auto height = g_height + g_line * (static_cast<double>(legendRows) + m_nameLines);
    switch (form)
    {
    case PictureForm::SVG:
        return fmt::format("set terminal svg size {:.0f},{:.0f} fixed font 'sans-serif,{:.3g}' "
                           "linewidth 1.2 noenhanced background 'white'\n",
                           g_width * g_svgDots,
                           height * g_svgDots,
                           g_points * g_svgDots / g_perInch);
    case PictureForm::PNG:
        return fmt::format(
            "set terminal pngcairo size {:.0f},{:.0f} font 'Sans,{:.3g}' "
            "fontscale {:.4g} linewidth 3.5 pointscale 3.5 noenhanced background 'white'\n",
            g_width * g_pngDots,
            height * g_pngDots,
            g_points,
            g_pngDots / g_svgDots);
    default:
        return fmt::format("set terminal pdfcairo size {:.3g}in,{:.3g}in font 'Sans,{:.3g}' "
                           "fontscale 0.75 "
                           "linewidth 1.2 pointscale 0.8 noenhanced background 'white'\n",
                           g_width,
                           height,
                           g_points);
    }
}

std::size_t
PlotPage::LegendColumns() const
{
    std::size_t longest = 0;
    for (const auto& title : m_titles)
    {
        longest = std::max(longest, std::min(LengthOf(title), MOST_NAME));
    }
    return std::clamp<std::size_t>(g_lineCharacters / (longest + g_samplesCharacters),
                                   1,
                                   std::max<std::size_t>(1, m_titles.size()));
}

std::string
PlotPage::Legend() const
{
    if (m_titles.empty())
    {
        return "unset key\n";
    }
    return fmt::format("set key tmargin center horizontal Left reverse samplen 2 maxcols {}\n",
                       LegendColumns());
}

} // namespace inca
