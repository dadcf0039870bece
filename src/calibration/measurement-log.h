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

/** What was measured. */
enum class MeasuredKind
{
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    BROADCAST,
    REDUCE,
    ALL_TO_ALL,
    MESSAGE, ///< one message, one way
    STREAM,  ///< a rate: many messages, or a TCP stream
};

/** One row of a table: what one operation took, or how fast a stream was. */
struct Measurement
{
    MeasuredKind kind{MeasuredKind::ALL_REDUCE};
    /** Of the whole tensor on one rank (all-gather: of the gathered whole); MESSAGE: of the message; STREAM: of each
     *  message, 0 = unknown. */
    std::uint64_t bytes{0};
    double seconds{0};        ///< of one operation, above 0; STREAM: 0
    double bytesPerSecond{0}; ///< of payload, above 0; STREAM only
    std::uint64_t line{0};    ///< of the file, from 1; JSON: of the result, from 1
};

/** One table of one file, in the file's order; repetitions of a size are rows of their own. */
struct MeasurementTable
{
    std::string file;
    /** "nccl-tests", "rccl-tests", "OSU", "IMB", "iperf3", "iperf", "gloo", "all_reduce_bench", "PARAM" or "NCCL Inspector". */
    std::string tool;
    std::string library;           ///< "nccl 2.30.7"; empty: the file does not say
    std::uint32_t ranks{0};        ///< 0: the file does not say
    std::uint32_t nodes{0};        ///< distinct names of hosts; 0: the file does not say
    std::vector<Measurement> rows; ///< one at least
    std::vector<std::string>
        notes; ///< sentences for the user: what was left out and why, what to doubt
};

/**
 * Reads all tables of a log, which is recognised by what is in it, whatever its name; what stands before, between and
 * after them is passed over. NCCL Inspector writes a file per process: joined, they say how long a collective took.
 * @throws InputError that names file and line if it has no table that can be read, or one is broken; if it is larger
 *         than 64 MiB; Interrupted
 */
std::vector<MeasurementTable> ReadMeasurements(const std::string& path);

/** The same of a text in memory. @param name for complaints */
std::vector<MeasurementTable> ReadMeasurements(const std::string& name, std::string_view text);

} // namespace inca

#endif // INCA_CALIBRATION_MEASUREMENT_LOG_H
