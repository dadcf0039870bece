/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_RECORDED_TRAINING_H
#define INCA_IMPORT_RECORDED_TRAINING_H

#include "import/import-report.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What a user says of the files, and what they do not. */
struct ImportOptions
{
    std::string format;       ///< a name of ImportFormats(); empty: as the file looks
    bool lenient{false};      ///< what is unknown is told of, not refused
    std::string timeUnit;     ///< ns, us, ms or s; empty: the format's own
    std::string gradientType; ///< fp32, fp16 or bf16; empty: the file's own
    std::string group;        ///< of the data-parallel workers, as the file names it; empty: found
    bool kernelTimes{false};  ///< of a profile, the kernels' own times and not the passed ones
    std::string model;
    std::optional<std::uint64_t> batch;
    std::optional<std::uint64_t> iterations; ///< in a record that does not mark them
};

/** A layer as one iteration was recorded. */
struct RecordedLayer
{
    std::string name;
    std::vector<std::uint64_t> tensors; ///< elements of each gradient, in model order
    std::int64_t forwardPs{0};
    std::int64_t backwardPs{0};
    std::int64_t updatePs{0};

    std::uint64_t Elements() const;
};

/** A sum of gradients as it was recorded. */
struct RecordedSum
{
    std::uint64_t bytes{0};
    std::optional<std::int64_t> ps; ///< that it went on, the median over iterations
};

/** Those of one iteration, in order. */
struct RecordedSums
{
    std::vector<RecordedSum> each; ///< {}: the format has none
    std::size_t iterations{1};     ///< that the times are medians of
    bool scattered{false};         ///< they are reduce-scatters
};

/** What all formats are turned into: one iteration of one worker. */
struct RecordedTraining
{
    std::string model;
    std::string device;
    std::optional<std::uint64_t> workers; ///< data-parallel
    std::string gradientType;             ///< fp32, fp16 or bf16; empty: the file does not say
    std::string valueClass{"derived"};    ///< measured if times were; without any, they are assumed
    std::vector<RecordedLayer> layers;    ///< in model order (input side first)
    std::vector<std::uint64_t> buckets;   ///< elements of each all-reduce, in order; {}: unknown
    RecordedSums sums;
};

/** Picoseconds of one ns, us, ms or s. @throws InputError if @p unit is another */
std::int64_t PsOfUnit(const std::string& unit);

/**
 * Layers that have no gradient of their own join the one before them (else the first that has), whose
 * gradient is ready no earlier than theirs would be; what is joined is said.
 */
std::vector<RecordedLayer> WithGradients(const std::vector<RecordedLayer>& layers,
                                         ImportReport& report);

/** @return the gradients of layers that are exchanged one by one, last layer first (elements) */
std::vector<std::uint64_t> ExchangesOf(const std::vector<RecordedLayer>& layers);

/**
 * The trace of a training.
 * @param report bytes that went into it, and what was assumed of the type, are written there
 * @throws InputError if there is nothing to exchange, or more than a trace may hold
 */
GradientTrace TraceOf(const RecordedTraining& training,
                      const ImportOptions& options,
                      ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_RECORDED_TRAINING_H
