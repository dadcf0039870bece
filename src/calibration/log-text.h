/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_LOG_TEXT_H
#define INCA_CALIBRATION_LOG_TEXT_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

using LineUser = std::function<void(std::uint64_t number, std::string_view line)>;

/**
 * Hands over each line, numbered from 1, up to its 64th KiB, without its end and without what a launcher
 * puts before it: "[1,0]<stdout>:" (mpirun --tag-output) and "0: " (srun --label).
 */
void ForEachLine(std::string_view text, const LineUser& use);

/** The first 64 words of a line, which blanks divide, and one of @p dividers and quotes if there are some. */
std::vector<std::string_view> Words(std::string_view line, std::string_view dividers = "");

/** What @p divider divides, one at least, without blanks and quotes around it. */
std::vector<std::string_view> Cells(std::string_view line, char divider);

std::string LowerCase(std::string_view text);

/** Of a line's words, the longest run of finite numbers, wherever it stands; the first of what IsLikeRow. */
std::vector<std::string_view> Numbers(std::string_view line);

/** @return the finite number that all of @p word is */
std::optional<double> NumberIn(std::string_view word);

/** @return whether a line may be meant as a row: two numbers, or but one, however broken, behind labels */
bool IsLikeRow(std::string_view line);

/** What a table's numbers count. */
struct LogUnit
{
    double seconds{1e-6};
    double bytesPerSecond{0}; ///< above 0: the numbers are rates

    /** @return how long @p bytes take; 0 of a rate of 0 */
    double Seconds(double bytes, double number) const;
};

/**
 * @return what "us", "msec", "MB/s" or "Gbits/sec" stands for; nothing: it is no unit
 * @param isBinary MB are 2^20 bytes; Mb are 10^6 bits always
 */
std::optional<LogUnit> UnitIn(std::string_view name, bool isBinary = false);

/** @return the whole number that @p text begins with; 0 if it begins with none, or with one beyond 2^64 - 1 */
std::uint64_t CountIn(std::string_view text);

/** @return @p ranks, or 0, which is unknown, if they are more than a million */
std::uint32_t CheckedRanks(std::uint64_t ranks);

/** @return whether @p part stands in @p text */
bool Has(std::string_view text, std::string_view part);

/** @return what follows @p part in @p text; empty if it does not stand there */
std::string_view After(std::string_view text, std::string_view part);

/** @return what follows @p open up to a bracket's end: "us" of "Avg Latency(us)" behind "(" */
std::string_view Within(std::string_view text, std::string_view open);

/**
 * @param busbw which a tool computed as factor * (n - 1) / n of @p algbw, of n ranks; both as written
 * @param factor 2 of an all-reduce, 1 of other collectives
 * @return the only n that rounding leaves open; 0 if there are several, or none
 */
std::uint32_t RanksOfRatio(std::string_view algbw, std::string_view busbw, double factor = 2);

} // namespace inca

#endif // INCA_CALIBRATION_LOG_TEXT_H
