/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_MEASUREMENT_LOG_H
#define INCA_CALIBRATION_MEASUREMENT_LOG_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** One row of a table: what one all-reduce took. */
struct Measurement
{
    std::uint64_t bytes{0}; ///< of the tensor on one rank, above 0
    double seconds{0};      ///< above 0
    std::uint64_t line{0};  ///< of the file, from 1; JSON: of the result, from 1
};

/** One table of all-reduces of one file, in the file's order; repetitions of a size are rows of their own. */
struct MeasurementTable
{
    /** "nccl-tests", "rccl-tests", "OSU", "IMB", "gloo", "all_reduce_bench", "PARAM", "NCCL Inspector" or "CSV". */
    std::string tool;
    std::uint32_t ranks{0};        ///< 0: the file does not say
    std::vector<Measurement> rows; ///< one at least
    std::vector<std::string>
        notes; ///< sentences for the user: what was left out and why, what to doubt
};

/**
 * Reads all tables of all-reduces of a log, which is recognised by what is in it, whatever its name; what stands before, between and
 * after them is passed over. NCCL Inspector writes a file per process: joined, they say how long a collective took.
 * @throws InputError that names file and line if it has no table that can be read, or one is broken; if it is larger
 *         than 64 MiB; Interrupted
 */
std::vector<MeasurementTable> ReadMeasurements(const std::string& path);

/** The same of a text in memory. @param name for complaints */
std::vector<MeasurementTable> ReadMeasurements(const std::string& name, std::string_view text);

} // namespace inca

#endif // INCA_CALIBRATION_MEASUREMENT_LOG_H
