/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_UNITS_H
#define INCA_BASE_UNITS_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace inca
{

/** A quantity that cannot be read; what() says what was found and what would be right. */
class UnitError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/** What may stand before a unit, and how many base units one of the two together is. */
struct UnitPrefix
{
    const char* name;
    std::uint64_t size;
};

/** A kind of quantity: its units, and how its values are read and written. */
struct Quantity
{
    const UnitPrefix* prefixes; ///< largest first; the last one's size is 1
    const char* unit;           ///< "bps"
    const char* example;
    unsigned columnPower; ///< a result row's unit is 10 to this of the base unit

    /**
     * Reads a decimal number, optionally a blank, and a unit, exactly. Rates may also be spelled "Gbit/s", "Gb/s"
     * and "GB/s".
     * @return a number of base units, at most 2^63 - 1
     * @throws UnitError if @p text is none, or no whole number of base units
     */
    std::uint64_t Parse(std::string_view text) const;

    /** @return the shortest exact text with the largest fitting unit: 10000000000 is "10Gbps" */
    std::string Format(std::uint64_t value) const;
};

extern const Quantity g_bitRate;   ///< "10Gbps"; column in Gbit/s
extern const Quantity g_byteRate;  ///< "8.4GBps"; column in bytes/s
extern const Quantity g_valueRate; ///< "2.5Gvalues/s"; column in values/s
extern const Quantity g_byteCount; ///< "16MiB", "100MB" or "1500B"; column in bytes
extern const Quantity g_frequency; ///< "100MHz"; column in MHz
extern const Quantity g_nanoTime;  ///< "100ns", in ps; column in ns
extern const Quantity g_microTime; ///< "1us", in ps; column in us
extern const Quantity g_wholeTime; ///< "10s", in ps; column in s

/** @return @p ps as a time is written, with a sign if it is negative: "-1us" */
std::string FormatPicoseconds(std::int64_t ps);

/**
 * A plain decimal number times a power of ten, exactly: ("1.25", 3) is 1250.
 * @param text digits with at most one point; no sign, no exponent
 * @param powerOfTen 0..15
 * @throws UnitError if it is no number, or no whole number after scaling, or exceeds 2^63 - 1
 */
std::int64_t ParseScaled(std::string_view text, unsigned powerOfTen);

/** For people, rounded to four significant digits: "233.1 MiB", "1.963 s". @{ */
std::string HumanBytes(std::uint64_t bytes);
std::string HumanBitRate(std::uint64_t bitsPerSecond);
std::string HumanPicoseconds(std::int64_t ps);
std::string HumanSeconds(double seconds); ///< likewise, from 0 on; at most 104 days
/** @} */

/** The longest run, 53 days: of the 2^63 ps that can be counted, half is left to what it plans ahead. */
constexpr std::int64_t MOST_SIMULATED_PS{1LL << 62U};

/** @p numerator * @p factor / @p denominator, exact in between, rounded up; saturates at 2^63 - 1. */
std::int64_t MulDivCeil(std::uint64_t numerator, std::uint64_t factor, std::uint64_t denominator);

/** @p a + @p b of two numbers from 0 on; saturates at 2^63 - 1. */
std::int64_t AddSaturated(std::int64_t a, std::int64_t b);

/** Time to serialise @p bytes at @p bitsPerSecond > 0, rounded up. (ps) */
std::int64_t SerialisationPs(std::uint64_t bytes, std::uint64_t bitsPerSecond);

/** Time to move @p bytes at @p bytesPerSecond, rounded up; 0 bytes per second means: costs nothing. (ps) */
std::int64_t WorkPs(std::uint64_t bytes, std::uint64_t bytesPerSecond);

} // namespace inca

#endif // INCA_BASE_UNITS_H
