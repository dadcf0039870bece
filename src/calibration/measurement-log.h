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

/** What a row of a log has measured. */
enum class MeasuredKind
{
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    BROADCAST,
    MESSAGE, ///< one message from one host to another: half a round trip
    STREAM   ///< many messages of this size under way: the seconds of one of them
};

/** Its name in a CSV: "all_reduce". */
const char* NameOf(MeasuredKind kind);

/** One row of a table: what one operation took. */
struct Measurement
{
    /**
     * Above 0, and one meaning for all tools, whatever they print: of the tensor on one rank (all-reduce,
     * broadcast); of the whole that each rank has at the end (all-gather), begins with (reduce-scatter), or
     * gives to all, itself included (all-to-all); of a message. iperf's stream: all that was sent.
     */
    std::uint64_t bytes{0};
    double seconds{0};     ///< above 0
    std::uint64_t line{0}; ///< of the file, from 1; JSON: on which its object begins
};

/** One table of one file, in the file's order; repetitions of a size are rows of their own. */
struct MeasurementTable
{
    /**
     * "nccl-tests", "rccl-tests", "OSU", "IMB", "perftest", "iperf", "iperf3", "gloo", "all_reduce_bench",
     * "PARAM", "NCCL Inspector" or "CSV".
     */
    std::string tool;
    MeasuredKind kind{MeasuredKind::ALL_REDUCE};
    std::uint32_t ranks{0};        ///< 0: neither file nor user says; messages and streams: 2
    bool saysRanks{false};         ///< the file does, or it has messages or streams
    std::uint32_t hosts{0};        ///< 0: the file does not say
    std::string device;            ///< the first rank's GPU; empty: the file does not say
    std::uint64_t line{0};         ///< of its heading
    std::vector<Measurement> rows; ///< one at least
    std::vector<std::string>
        notes; ///< sentences for the user: what was left out and why, what to doubt
};

/**
 * Reads all tables of a log, which is recognised by what is in it, whatever its name; what stands before, between and
 * after them is passed over, and a row that cannot be read is noted. NCCL Inspector writes a file per process: joined,
 * they say how long a collective took.
 * @param path of the file, or "-": stdin
 * @param ranks of collectives of which the file does not say it, as the user does; 0: he does not
 * @throws InputError that names file and line if it has no table that can be read, or one is broken, or of another cluster than one before it; if it is larger than 64 MiB; Interrupted
 */
std::vector<MeasurementTable> ReadMeasurements(const std::string& path, std::uint32_t ranks = 0);

/** The same of a text in memory. @param name for complaints */
std::vector<MeasurementTable> ReadMeasurements(const std::string& name,
                                               std::string_view text,
                                               std::uint32_t ranks = 0);

} // namespace inca

#endif // INCA_CALIBRATION_MEASUREMENT_LOG_H
