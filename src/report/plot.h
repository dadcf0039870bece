/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_H
#define INCA_REPORT_PLOT_H

#include "inca/report/csv-table.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What stands at an axis, and what its column's figures are multiplied by to be in that unit. */
struct AxisUnit
{
    std::string title; ///< "iteration time (ms)"
    std::string unit;  ///< "ms"; empty: counts something
    double factor{1};
};

/** What a column holds, without its unit: "iteration time", "gain over ring" where one system's gains are 1. */
std::string ColumnWords(const CsvTable& table, std::size_t column);

/**
 * The unit in which the largest of @p values has one to three digits before the point.
 * @param words of the title; empty: those of the column's name
 */
AxisUnit UnitFor(const std::string& column,
                 const std::vector<double>& values,
                 std::string words = "");

/** A figure or name of a column where none stands beside it: "10 Gbit/s", "4 workers", "ring". */
std::string ValueName(const std::string& column, const std::string& text);

/** Where an axis begins and ends. */
struct AxisScale
{
    bool isLog{false};
    double least{0};
    double most{1};
    std::vector<double> ticks; ///< empty: gnuplot chooses them

    /** @return what is that share of the axis' length from its beginning on */
    double At(double share) const;

    /** @return the share of the length at which @p value stands */
    double ShareOf(double value) const;
};

/**
 * The scale of values: logarithmic where they span a decade; from zero where they come near it.
 * @param values at least one
 * @param ofBars their lengths say how much: the scale is from zero, and logarithmic only over two decades
 */
AxisScale ValueScale(const std::vector<double>& values, bool ofBars = false);

/**
 * The scale of what is varied: ticks where it was simulated, if there is room for them.
 * @param length of the axis, against that in a picture of one column
 */
AxisScale PlaceScale(const std::vector<double>& places, double length = 1);

/** How values are drawn. */
enum class PlotKind
{
    LINE,   ///< over numbers
    BAR,    ///< side by side, over names or numbers
    STACK,  ///< the parts of the time, one on the other
    HEAT,   ///< two keys, values as colours
    CURVE,  ///< over numbers, dense, with a band from the least to the most of all seeds
    PARETO, ///< marks over two results of which less is better, with a line through those that none beats in both
};

/** Whether the axis below has numbers. */
inline bool
GoesOverNumbers(PlotKind kind)
{
    return kind == PlotKind::LINE || kind == PlotKind::CURVE || kind == PlotKind::PARETO;
}

/** Every kind's name: "line". */
std::vector<std::string> PlotKindNames();
std::string PlotKindName(PlotKind kind);

/** @throws InputError that names --kind and the nearest */
PlotKind PlotKindOf(const std::string& name);

/** What the user asks for; what is empty is chosen. */
struct PlotRequest
{
    std::string x;
    std::string y;
    std::string series;           ///< "label", or several: "label,cluster.workers"
    std::string panels;           ///< what has a panel for each of its values; empty: one alone
    std::optional<PlotKind> kind; ///< of the picture
};

/** What a result row's columns are called in scenarios. */
struct PlotNames
{
    std::vector<std::string>
        settings; ///< columns of settings, "label" first, then those that decide others
    std::map<std::string, std::string> ofKeys{}; ///< column of a key: "cluster.bandwidth"
};

/** One place of a series: the runs of one point with all its seeds. */
struct PlotPoint
{
    std::optional<double> mean; ///< of the runs; empty: none has the value
    double from{0};             ///< of 95 % of confidence, of a stack's part, or of a curve's band
    double to{0};
};

/** Points that share a colour. */
struct PlotSeries
{
    std::string name;                        ///< empty: the only one
    std::string text;                        ///< of its first column
    std::map<std::size_t, PlotPoint> points; ///< by PlotData::IndexOf

    std::optional<double> MeanAt(std::size_t index) const
    {
        const auto found = points.find(index);
        return found == points.end() ? std::nullopt : found->second.mean;
    }
};

/** What is drawn: series of points at places, in the units of the columns. The series of a stack are its parts. */
struct PlotData
{
    PlotKind kind{PlotKind::LINE};
    std::string xColumn; ///< empty: places are names of nothing in particular
    bool xIsNumber{false};
    std::vector<std::string> xs;            ///< numbers in their order, names as they come
    std::vector<std::string> seriesColumns; ///< in which series differ
    bool seriesAreNumbers{false};           ///< of the only such column
    std::string column;                     ///< of the values
    std::string words{};                    ///< what it holds (ColumnWords)
    std::vector<PlotSeries> series;
    std::vector<std::string> panels{""};          ///< their names, one at least
    std::map<std::string, std::size_t> notDone{}; ///< rows without a result: "refused", "failed"

    /** @return the number of a point of @p panel at @p place, an index of xs */
    std::size_t IndexOf(std::size_t panel, std::size_t place) const
    {
        return panel * xs.size() + place;
    }
};

/** @return the index of what the user calls @p name. @throws InputError naming @p option and the nearest */
std::size_t ColumnOf(const CsvTable& table,
                     const PlotNames& names,
                     const std::string& name,
                     const std::string& option);

/**
 * Settings in which rows differ, without those that others decide: where workers and bandwidth move
 * together, only workers. A setting that does not apply to a row says nothing there.
 * @param first columns that come before the others, whatever they hold
 */
std::vector<std::size_t> VariedColumns(const CsvTable& table,
                                       const PlotNames& names,
                                       const std::vector<std::size_t>& first = {});

/**
 * Takes all that varies: over the numbers of which there are most, else over the first names; all else
 * sets series apart. Values are those of iteration_time_s.
 * @throws InputError for an unknown column, naming the nearest; for what cannot be drawn like that; if two rows that
 *         are no runs of different seeds are at the same place, or there are no values, or too many series
 */
PlotData CollectPlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request);

/** How a picture looks, and what is marked in it. */
struct PlotLook
{
    std::string form{"svg"}; ///< or "png", "pdf"
    bool isPageWide{false};  ///< 7 inches, both columns of a paper; else 3.3, one
    std::string title{};     ///< above all; empty: none
    std::vector<std::string>
        crossovers{}; ///< each "A,B", of lines: between which points they cross
    std::vector<double>
        targets{}; ///< of curves: values that series come to, each with a dot where it does
};

/** A script of gnuplot's and the data that it draws; neither names any other file. */
struct PlotFiles
{
    std::string script;                 ///< plot.gp: reads plot.dat, writes the picture
    std::string data;                   ///< plot.dat: blocks of numbers, two empty lines between
    std::string picture;                ///< "plot.svg"
    std::vector<std::string> crossings; ///< a sentence for each that is marked
    std::vector<std::string> notes;     ///< what may be done better
};

/** What gnuplot draws of @p data. @throws InputError if a crossover cannot be marked */
PlotFiles ScriptOf(const PlotData& data, const PlotLook& look);

/**
 * Runs gnuplot in a folder of its own, which is gone afterwards.
 * @return the picture's bytes
 * @throws RunError if gnuplot is not there, saying how to install it, or draws no whole picture; Interrupted
 */
std::string DrawWithGnuplot(const PlotFiles& files);

} // namespace inca

#endif // INCA_REPORT_PLOT_H
