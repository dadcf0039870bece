/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_ACCURACY_CURVE_H
#define INCA_ACCURACY_CURVE_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** One test of a model that is being trained, and what its exchanges were like since the test before. */
struct CurveRow
{
    std::uint64_t step{0}; ///< iterations so far
    double epoch{0};
    double accuracy{0};                 ///< 0..1
    std::optional<double> loss;         ///< of the test
    std::optional<double> bitsPerValue; ///< of a gradient's value on the wire (bits)
    std::optional<double> zeroShare;    ///< of the sums, 0..1
};

/** A training with one seed, as tools/torch/inca_accuracy.py writes it (docs/formats.md, "Accuracy curve"). */
struct Curve
{
    std::string path;
    std::map<std::string, std::string>
        notes; ///< "# key: value"; those that are named below are there
    std::uint32_t workers{0};
    std::uint64_t seed{0};
    std::string valuePath; ///< 16 hexadecimal digits
    std::string exchange;  ///< names for people, as that of the codec
    std::string codec;
    bool isLossless{false};
    bool averagesBefore{false}; ///< gradients are divided by the workers before they are sent
    bool hasErrorFeedback{false};
    std::vector<std::uint64_t> tensors; ///< elements of each; empty: those of the scenario's trace
    std::vector<CurveRow> rows;         ///< two at least, by ascending steps
};

/** @throws InputError naming file and line if it is no curve, or larger than 64 MiB */
Curve ReadCurve(const std::string& path);

/** The same of what a file holds. @param path for complaints */
Curve ParseCurve(const std::string& path, const std::string& text);

/** Trainings that differ in their seeds only. */
struct CurveGroup
{
    std::vector<Curve> seeds;            ///< ascending, with as many steps each
    std::vector<std::string> unfinished; ///< paths of curves that have fewer, and are left out

    const Curve& First() const
    {
        return seeds.front();
    }

    /** What sets it apart from a plain training: "averaged before, error feedback"; empty: nothing. */
    std::string Options() const;
};

/**
 * The curves in a folder: its CSV files that begin as one.
 * @throws InputError if there is none, one is wrong, two are the same, or they are of different models, data, workers,
 *         batches or optimizers
 */
std::vector<CurveGroup> ReadCurves(const std::string& folder);

} // namespace inca

#endif // INCA_ACCURACY_CURVE_H
