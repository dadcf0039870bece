/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_OPERATION_SEQUENCE_H
#define INCA_IMPORT_OPERATION_SEQUENCE_H

#include "import/recorded-training.h"

#include <cstdint>
#include <string>
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
    std::string collective; ///< as collectives are normalised: "allreduce"; empty: it computes
    std::string group;      ///< of the collective
    std::uint64_t bytes{0}; ///< the same
    std::int64_t ps{0};     ///< that it computes, or that the collective goes on
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

} // namespace inca

#endif // INCA_IMPORT_OPERATION_SEQUENCE_H
