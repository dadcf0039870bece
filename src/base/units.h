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

/**
 * The text forms of quantities, read exactly: a decimal number, optionally a blank, a unit. The
 * result must be a whole number of the base unit that fits; anything else is a UnitError.
 * Powers of 1000 (k, M, G, T) and, for bytes, of 1024 (Ki, Mi, Gi, Ti). None of them may be negative.
 * @{
 */
std::uint64_t ParseBitsPerSecond(std::string_view text);   ///< "10Gbps"
std::uint64_t ParseBytesPerSecond(std::string_view text);  ///< "8.4GBps"
std::uint64_t ParseBytes(std::string_view text);           ///< "16MiB", "100MB", "1500" or "1500B"
std::int64_t ParsePicoseconds(std::string_view text);      ///< "1us"; s, ms, us, ns, ps
std::uint64_t ParseHertz(std::string_view text);           ///< "100MHz"
std::uint64_t ParseValuesPerSecond(std::string_view text); ///< "2.5Gvalues/s"
/** @} */

/**
 * A plain decimal number times a power of ten, exactly: ("1.25", 3) is 1250.
 * @param text digits with at most one point; no sign, no exponent
 * @param powerOfTen 0..15
 * @throws UnitError if it is no number, or no whole number after scaling, or exceeds 2^63 - 1
 */
std::int64_t ParseScaled(std::string_view text, unsigned powerOfTen);

/** The shortest exact text with the largest fitting unit: 10000000000 -> "10Gbps". @{ */
std::string FormatBitsPerSecond(std::uint64_t bitsPerSecond);
std::string FormatBytesPerSecond(std::uint64_t bytesPerSecond);
std::string FormatBytes(std::uint64_t bytes); ///< binary units where exact, else decimal
std::string FormatPicoseconds(std::int64_t ps);
std::string FormatHertz(std::uint64_t hertz);
std::string FormatValuesPerSecond(std::uint64_t valuesPerSecond);
/** @} */

/** For people, rounded to four significant digits: "233.1 MiB", "1.963 s". @{ */
std::string HumanBytes(std::uint64_t bytes);
std::string HumanPicoseconds(std::int64_t ps);
std::string HumanCount(std::uint64_t count); ///< "61.10 M"
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
