/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_OPERATION_SEQUENCE_H
#define INCA_IMPORT_OPERATION_SEQUENCE_H

#include "import/recorded-training.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** The part of an iteration that an operation belongs to. */
enum class RecordedPhase : std::uint8_t
{
    UNKNOWN,
    FORWARD,
    BACKWARD,
    UPDATE,
};

/** By the names that PyTorch gives to ranges and operators; UNKNOWN for others. */
RecordedPhase PhaseOfName(const std::string& name);

/** One thing that a worker did, in the order in which it did them. */
struct RecordedOperation
{
    RecordedPhase phase{RecordedPhase::UNKNOWN};
    std::string collective;  ///< as collectives are normalised: "allreduce"; empty: it computes
    std::string group;       ///< of the collective
    std::uint64_t bytes{0};  ///< the same
    std::string elementType; ///< fp32, ...; empty: unknown
    std::int64_t ps{0};      ///< that it computes, or that the collective goes on
};

/**
 * What workers of INCA can do with a record that is but a sequence: all-reduces (and reduce-scatters)
 * outside forward are gradients, in the order in which backward makes them, each of one layer; computing
 * between two of them is the backward pass of the later one's. Where nothing says what is forward, it is
 * a third of what is computed up to the last of them, as far as that comes before the first. What
 * is computed after the last is the update. A forward pass after a gradient begins an iteration, or, where
 * none is marked, options say how many there are; of several that are alike, medians are taken.
 * @throws InputError if several groups have gradients and options say not which
 */
RecordedTraining TrainingOfSequence(const std::vector<RecordedOperation>& operations,
                                    const ImportOptions& options,
                                    ImportReport& report);

/**
 * The group whose sums are gradients: the one that has any, or that options name.
 * @param groups that have sums of gradients, with their number and bytes
 * @return empty if there is none @throws InputError if there are several, and options say not which
 */
std::string DataParallelGroup(const std::map<std::string, CountedBytes>& groups,
                              const ImportOptions& options,
                              ImportReport& report);

/** @return the middle one, of an even number the lower of the two; of none 0 */
std::int64_t MedianOf(std::vector<std::int64_t> values);

/** @return the median of what @p get takes from each of @p steps, at least one */
template <typename Step, typename Get>
std::int64_t
MedianOver(const std::vector<Step>& steps, Get get)
{
    std::vector<std::int64_t> values;
    for (const auto& step : steps)
    {
        values.push_back(get(step));
    }
    return MedianOf(std::move(values));
}

/** Shares @p total out by @p weights (evenly if all are 0), so that the parts add up to it. */
std::vector<std::int64_t> SharedOut(std::int64_t total, const std::vector<std::uint64_t>& weights);

} // namespace inca

#endif // INCA_IMPORT_OPERATION_SEQUENCE_H
