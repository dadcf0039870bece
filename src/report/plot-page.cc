/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-page.h"

#include "base/printable.h"
#include "report/csv-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

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

/** How a column's name ends, and what that means. */
struct ColumnUnit
{
    std::string_view ending;
    std::string_view unit;
    double factor;             ///< of the column's figures, to be in that unit
    std::string_view prefixes; ///< for powers of 1000; empty: takes none
};

constexpr std::string_view g_large = " kMGT";
constexpr std::string_view g_small = "pnum ";

constexpr ColumnUnit g_units[] = {
    {"_mvalues_per_s", "values/s", 1e6, g_large},
    {"_values_per_s", "values/s", 1, g_large},
    {"_bytes_per_s", "B/s", 1, g_large},
    {"_per_s", "1/s", 1, ""},
    {"_gbps", "bit/s", 1e9, g_large},
    {"_bytes", "B", 1, g_large},
    {"_bits", "bits", 1, ""},
    {"_frames", "frames", 1, ""},
    {"_percent", "%", 1, ""},
    {"_times", "times", 1, ""},
    {"_us", "s", 1e-6, g_small},
    {"_ns", "s", 1e-9, g_small},
    {"_ps", "s", 1e-12, g_small},
    {"_ms", "s", 1e-3, g_small},
    {"_s", "s", 1, g_small},
};

const ColumnUnit*
Find(std::string_view column)
{
    const auto* const found =
        std::find_if(std::begin(g_units), std::end(g_units), [column](const ColumnUnit& unit) {
            const auto length = unit.ending.size();
            return column.size() > length && column.substr(column.size() - length) == unit.ending;
        });
    return found == std::end(g_units) ? nullptr : found;
}

std::string
WordsOf(std::string_view column)
{
    std::string words(column);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string
TitleOf(std::string_view name, const std::string& unit)
{
    return WordsOf(name) + (unit.empty() ? "" : " (" + unit + ")");
}

/** @return 1, 2, 5, 10, ... from at most @p least to at least @p most */
std::vector<double>
RoundNumbers(double least, double most)
{
    constexpr double nearly = 1 + 1e-9;
    std::vector<double> numbers;
    for (auto decade = std::floor(std::log10(least));
         numbers.empty() || numbers.back() * nearly < most;
         ++decade)
    {
        for (const double step : {1, 2, 5})
        {
            const auto number = step * std::pow(10, decade);
            if (!numbers.empty() && number <= least * nearly)
            {
                numbers.clear();
            }
            if (numbers.empty() || numbers.back() * nearly < most)
            {
                numbers.push_back(number);
            }
        }
    }
    return numbers;
}

/** Over more than three decades gnuplot's own ticks are better than those. */
std::vector<double>
LogTicks(const std::vector<double>& numbers)
{
    constexpr std::size_t most = 10;
    return numbers.size() > most ? std::vector<double>() : numbers;
}

/** @param places in their order @return whether ticks at all of them can be read */
bool
HaveRoom(const AxisScale& scale, const std::vector<double>& places)
{
    constexpr double smallest = 0.075; // of the axis' length: four digits
    for (std::size_t i = 1; i < places.size(); ++i)
    {
        if (scale.ShareOf(places[i]) - scale.ShareOf(places[i - 1]) < smallest)
        {
            return false;
        }
    }
    return true;
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

AxisUnit
UnitFor(const std::string& column, const std::vector<double>& values)
{
    const auto* const unit = Find(column);
    if (unit == nullptr)
    {
        return {WordsOf(column), "", 1};
    }
    const auto name = std::string_view(column).substr(0, column.size() - unit->ending.size());
    if (unit->prefixes.empty())
    {
        return {TitleOf(name, std::string(unit->unit)), std::string(unit->unit), unit->factor};
    }
    double largest = 0;
    for (const auto value : values)
    {
        largest = std::max(largest, std::abs(value) * unit->factor);
    }
    const bool isBinary =
        unit->unit == "B" && std::all_of(values.begin(), values.end(), [](double value) {
            return std::fmod(value, 1024) == 0;
        });
    const auto base = isBinary ? 1024.0 : 1000.0;
    const int first = unit->prefixes == g_small ? -4 : 0; // the power of the first prefix
    const int last = first + static_cast<int>(unit->prefixes.size()) - 1;
    int power = largest > 0 ? first : 0;
    while (power < last && largest >= std::pow(base, power + 1))
    {
        ++power;
    }
    const auto prefix = unit->prefixes[static_cast<std::size_t>(power - first)];
    const auto text = prefix == ' ' ? std::string(unit->unit)
                      : isBinary    ? fmt::format("{}i{}", prefix == 'k' ? 'K' : prefix, unit->unit)
                                    : fmt::format("{}{}", prefix, unit->unit);
    return {TitleOf(name, text), text, unit->factor / std::pow(base, power)};
}

std::string
ValueName(const std::string& column, const std::string& text)
{
    const auto number = NumberOf(text);
    if (column == "label")
    {
        return text;
    }
    if (!number)
    {
        return text == "true" || text == "false" ? WordsOf(column) + ": " + text : text;
    }
    const auto unit = UnitFor(column, {*number});
    return unit.unit.empty() ? text + " " + unit.title
                             : fmt::format("{:.6g} {}", *number * unit.factor, unit.unit);
}

double
AxisScale::At(double share) const
{
    return isLog ? least * std::pow(most / least, share) : least + share * (most - least);
}

double
AxisScale::ShareOf(double value) const
{
    return isLog ? std::log(value / least) / std::log(most / least)
                 : (value - least) / (most - least);
}

AxisScale
ValueScale(const std::vector<double>& values, bool ofBars)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least > 0 && *most >= (ofBars ? 100 : 10) * *least)
    {
        const auto numbers = RoundNumbers(*least, *most);
        return {true, numbers.front(), numbers.back(), LogTicks(numbers)};
    }
    constexpr double far = 0.6;
    constexpr double beyond = 0.08;
    const bool fromZero = ofBars || *least <= far * *most || *least == *most;
    const auto from = fromZero ? std::min(*least, 0.0) : *least;
    const auto to = fromZero ? std::max(*most, 0.0) : *most;
    const auto margin = from == to ? 1 : beyond * (to - from);
    return {false,
            from < 0 || !fromZero ? from - margin : from,
            to > 0 || from == to ? to + margin : to,
            {}};
}

AxisScale
PlaceScale(const std::vector<double>& places)
{
    constexpr double decade = 10;
    constexpr double margin = 0.04;
    const auto [least, most] = std::minmax_element(places.begin(), places.end());
    AxisScale scale{*least > 0 && *most >= decade * *least, *least, *most, {}};
    if (*least == *most)
    {
        return {false, *least - 1, *most + 1, {*least}};
    }
    const auto from = scale.At(-margin);
    const auto to = scale.At(1 + margin);
    scale.least = from;
    scale.most = to;
    scale.ticks = HaveRoom(scale, places) ? places
                  : scale.isLog           ? LogTicks(RoundNumbers(from, to))
                                          : std::vector<double>();
    return scale;
}

} // namespace inca
