/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_IMPORT_FORMATS_H
#define INCA_IMPORT_IMPORT_FORMATS_H

#include "inca/import/byte-source.h"
#include "inca/import/recorded-training.h"
#include "inca/trace/gradient-trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** One row per format of others. */
struct ImportFormat
{
    std::string name;
    /** @return whether a file is of that format, by its first bytes */
    std::function<bool(std::string_view)> isThis;
    /** Null for PyTorch's two, which are read together. */
    std::function<RecordedTraining(ByteSource&, const ImportOptions&, ImportReport&)> read;
    // what its files have, and options that have a use
    bool hasGroups{false};  ///< --group
    bool hasOwnUnit{false}; ///< --time-unit is of no use
};

/** In the order in which a file is tried. */
const std::vector<ImportFormat>& ImportFormats();

std::vector<std::string> ImportFormatNames();

/** @throws InputError if the file looks like none */
const ImportFormat& RecogniseFormat(const ByteSource& source);

struct ImportedTrace
{
    GradientTrace trace;
    ImportReport report;
    RecordedSums sums;
    std::optional<std::uint64_t> workers; ///< data-parallel
};

/**
 * Makes a trace of the record of one worker: one file, or a PyTorch execution trace and a profile of the
 * same training.
 * @throws InputError naming file and place; Interrupted
 */
ImportedTrace ImportTrace(const std::vector<std::unique_ptr<ByteSource>>& sources,
                          const ImportOptions& options);

/** @return whether it is what PyTorch's DDP logs of itself, whatever stands around it */
bool IsDdpLog(std::string_view text);

/**
 * What PyTorch's DDP logs of itself: sizes of buckets, and mean times. Each bucket is a layer. All-reduces begin when
 * the first bucket is ready: when backward has gone on for its time less that in which it overlaps with them.
 * @throws InputError naming file and key
 */
RecordedTraining ReadDdpLog(ByteSource& source, const ImportOptions& options, ImportReport& report);

/** @return whether @p text begins as a workload of ASTRA-sim 1 does, of which SimAI's are a dialect */
bool IsWorkloadText(std::string_view text);

/** @return whether its first line has keys that only SimAI's and AICB's have */
bool IsSimAiText(std::string_view text);

/**
 * A workload as ASTRA-sim 1 and SimAI read it: a policy, a number of lines, and a line per layer.
 *
 *     name -1  forward NONE 0  input_gradient NONE 0  weight_gradient ALLREDUCE 37632  update
 *
 * Times are nanoseconds (ASTRA-sim's cycles at its 1 GHz), sizes bytes. What a weight gradient's
 * ALLREDUCE or REDUCESCATTER moves is the layer's gradient; a line without joins the one before it
 * (else the one after it), whose gradient is ready no earlier. Other collectives are left out. As
 * ASTRA-sim's data-parallel policies do, the first layer's input gradient is left out.
 * @throws InputError naming file and line
 */
RecordedTraining ReadWorkloadText(ByteSource& source,
                                  const ImportOptions& options,
                                  ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_IMPORT_FORMATS_H
