/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-page.h"

#include "base/printable.h"

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
constexpr std::size_t g_lineCharacters = 48;   // of usual text in 8 points
constexpr std::size_t g_samplesCharacters = 7; // what a legend's sample and its margin take

/** The most characters of a series' or a tick's name that are shown whole. */
constexpr std::size_t g_mostName = 40;

/** @return whether a byte begins a character of UTF-8 */
bool
Begins(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

/** @return how many characters (not bytes) a text has */
std::size_t
LengthOf(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), Begins));
}

/** "'ring' 2", where a '%' would stand for a number's place. */
std::string
Tick(const std::string& text, double at)
{
    std::string doubled;
    for (const char c : text)
    {
        doubled.append(c == '%' ? 2 : 1, c);
    }
    return Quoted(doubled) + " " + Figure(at);
}

std::string
Title(const std::string& title)
{
    return title.empty() ? "notitle" : "title " + Quoted(Shortened(title, g_mostName));
}

} // namespace

std::string
Quoted(std::string_view text)
{
    const auto shown = Printable(text);
    // two single quotes for one are not understood everywhere: not at the beginning, not two of them
    if (shown.find('\'') == std::string::npos)
    {
        return "'" + shown + "'";
    }
    constexpr std::string_view means = "\"\\`$@'";
    std::string quoted = "\"";
    for (const char c : shown)
    {
        quoted += means.find(c) == std::string_view::npos ? std::string(1, c)
                                                          : fmt::format("\\{:03o}", c);
    }
    return quoted + "\"";
}

std::string
Shortened(std::string_view text, std::size_t most)
{
    if (LengthOf(text) <= most)
    {
        return std::string(text);
    }
    std::size_t end = 0;
    for (std::size_t left = most; left > 0; ++end)
    {
        left -= Begins(text[end]) ? 1 : 0;
    }
    return std::string(text.substr(0, end - 1)) + "…";
}

std::string
Figure(double number)
{
    return std::isnan(number) ? "NaN" : fmt::format("{:.9g}", number);
}

std::string
ShortFigure(double number)
{
    return fmt::format("{:.4g}", number);
}

void
PlotPage::Set(const std::string& line)
{
    m_settings += "set " + line + "\n";
}

void
PlotPage::SetTitle(const std::string& axis, const std::string& title)
{
    Set(axis + "label " + Quoted(Shortened(title, g_mostName)));
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
        ticks += (ticks.empty() ? "" : ", ") + Tick(ShortFigure(tick), tick);
    }
    if (!ticks.empty())
    {
        Set(axis + "tics (" + ticks + ")");
    }
}

void
PlotPage::SetNames(const std::string& axis, std::vector<std::string> names)
{
    std::size_t longest = 0;
    std::string ticks;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        names[i] = Shortened(names[i], g_mostName / 2 + 4);
        longest = std::max(longest, LengthOf(names[i]));
        ticks += (i > 0 ? ", " : "") + Tick(names[i], static_cast<double>(i));
    }
    const bool stands = axis == "x" && names.size() * (longest + 1) > g_lineCharacters - 2;
    if (stands)
    {
        constexpr double linesPerCharacter = 0.44;
        m_nameLines = linesPerCharacter * static_cast<double>(longest);
    }
    Set(fmt::format("{}tics {}({})", axis, stands ? "rotate by 90 right " : "", ticks));
    Set(fmt::format("{}range [-0.6:{}]", axis, Figure(static_cast<double>(names.size()) - 0.4)));
}

void
PlotPage::Draw(const std::string& name,
               const PlotRows& rows,
               const std::string& columns,
               const std::string& style,
               const std::string& title)
{
    if (!title.empty())
    {
        m_titles.push_back(title);
    }
    if (rows.empty())
    {
        m_drawn.push_back("keyentry " + style + " " + Title(title));
        return;
    }
    m_data += (m_blocks > 0 ? "\n\n# " : "# ") + Printable(name) + "\n";
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            m_data += (i > 0 ? " " : "") + Figure(row[i]);
        }
        m_data += "\n";
    }
    m_drawn.push_back(fmt::format(
        "'plot.dat' index {} using {} {} {}", m_blocks++, columns, style, Title(title)));
}

void
PlotPage::DrawAgain(const std::string& columns, const std::string& style)
{
    m_drawn.push_back(
        fmt::format("'plot.dat' index {} using {} {} notitle", m_blocks - 1, columns, style));
}

PlotFiles
PlotPage::Files(PictureForm form) const
{
    static const std::array<std::string, 3> names{"svg", "png", "pdf"};
    const auto picture = "plot." + names.at(static_cast<std::size_t>(form));
    auto script = fmt::format("# Written by inca plot: gnuplot plot.gp draws {0} of plot.dat.\n"
                              "{1}"
                              "set output '{0}'\n"
                              "set encoding utf8\n"
                              "set border 3 linewidth 0.7\n"
                              "set tics nomirror out scale 0.6\n",
                              picture,
                              Terminal(form));
    script +=
        m_titles.empty()
            ? "unset key\n"
            : fmt::format("set key tmargin center horizontal Left reverse samplen 2 maxcols {}\n",
                          LegendColumns());
    script += fmt::format("{}plot {}\n", m_settings, fmt::join(m_drawn, ", \\\n     "));
    return {script, m_data, picture, {}};
}

std::string
PlotPage::Terminal(PictureForm form) const
{
    const auto columns = LegendColumns();
    const auto legendRows = (m_titles.size() + columns - 1) / columns;
    const auto height = g_height + g_line * (static_cast<double>(legendRows) + m_nameLines);
    constexpr double dotsPerInch = 96;
    constexpr double fine = 300 / dotsPerInch; // the dots of a PNG against those of an SVG
    const auto terminal =
        form == PictureForm::SVG
            ? fmt::format("svg size {:.0f},{:.0f} fixed font 'sans-serif,{:.3g}' linewidth 1.2",
                          g_width * dotsPerInch,
                          height * dotsPerInch,
                          g_points * dotsPerInch / 72)
        : form == PictureForm::PNG
            ? fmt::format("pngcairo size {:.0f},{:.0f} font 'Sans,{}' fontscale {} linewidth 3.5 "
                          "pointscale 3.5",
                          g_width * dotsPerInch * fine,
                          height * dotsPerInch * fine,
                          g_points,
                          fine)
            : fmt::format("pdfcairo size {:.3g}in,{:.3g}in font 'Sans,{}' fontscale 0.75 linewidth "
                          "1.2 pointscale 0.8",
                          g_width,
                          height,
                          g_points);
    return "set terminal " + terminal + " noenhanced background 'white'\n";
}

std::size_t
PlotPage::LegendColumns() const
{
    std::size_t longest = 0;
    for (const auto& title : m_titles)
    {
        longest = std::max(longest, std::min(LengthOf(title), g_mostName));
    }
    return std::clamp<std::size_t>(g_lineCharacters / (longest + g_samplesCharacters),
                                   1,
                                   std::max<std::size_t>(1, m_titles.size()));
}

} // namespace inca
