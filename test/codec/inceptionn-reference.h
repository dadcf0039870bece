/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CODEC_INCEPTIONN_REFERENCE_H
#define INCA_TEST_CODEC_INCEPTIONN_REFERENCE_H

#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * INCEPTIONN's Algorithms 2 and 3 written down literally, a bit at a time and with no code of INCA:
 * what the fast codec is compared with. The last bit of a byte weighs 2^-lastBit: 2^-7 as printed.
 */
namespace inca::reference
{

/** Of a byte as printed. */
constexpr unsigned PRINTED_BIT = 7;

/** What Algorithm 2 gives for one value. */
struct Output
{
    unsigned tag;
    unsigned bits; ///< 0, 8, 16 or 32 bits of data
    std::uint32_t data;
};

/** Algorithm 2: f = (s, e, m), for a bound of 2^-B. */
inline Output
Compress(std::uint32_t f, unsigned bound, unsigned lastBit)
{
    const std::uint32_t s = f >> 31U;
    const std::uint32_t e = (f >> 23U) & 0xFFU;
    const std::uint32_t m = f & 0x7FFFFFU;
    const std::uint32_t errorExponent = 127 - bound;
    if (e >= 127)
    {
        return {0b11, 32, f};
    }
    if (e < errorExponent)
    {
        return {0b00, 0, 0};
    }
    const std::uint32_t n = 127 - e;
    const std::uint32_t shifted = ((1U << 23U) | m) >> n; // concat(1, m) >> n
    const std::uint32_t difference = 127 - errorExponent;
    const std::uint32_t halfUp = difference / 2 + difference % 2; // ceil(difference / 2)
    if (e >= errorExponent + halfUp)
    {
        return {0b10, 16, (s << 15U) | ((shifted >> 8U) & 0x7FFFU)}; // {s, shifted[22:8]}
    }
    return {0b01,
            8,
            (s << 7U) | ((shifted >> (23 - lastBit)) & 0x7FU)}; // as printed {s, shifted[22:16]}
}

/** Algorithm 3; all-zero data, which it leaves open, is a zero with the given sign. */
inline std::uint32_t
Decompress(const Output& output, unsigned lastBit)
{
    if (output.tag == 0b00)
    {
        return 0;
    }
    if (output.tag == 0b11)
    {
        return output.data;
    }
    const unsigned dataBits = output.bits - 1;
    const unsigned last = output.tag == 0b10 ? 15 : lastBit;
    const std::uint32_t s = output.data >> dataBits;
    for (unsigned n = 1; n <= dataBits; ++n)
    {
        if (((output.data >> (dataBits - n)) & 1U) != 0)
        {
            // m = data << n within the data bits, then padded on the right to 23 bits
            const std::uint32_t m = (output.data << n) & ((1U << dataBits) - 1);
            return (s << 31U) | ((127 - n + dataBits - last) << 23U) | (m << (23 - dataBits));
        }
    }
    return s << 31U;
}

/** The stream of many values: a 16-bit tag word before each group of eight, all little-endian. */
inline std::vector<std::uint8_t>
Stream(const std::vector<std::uint32_t>& values, unsigned bound, unsigned lastBit = PRINTED_BIT)
{
    std::vector<std::uint8_t> stream;
    for (std::size_t begin = 0; begin < values.size(); begin += 8)
    {
        unsigned tagWord = 0;
        std::vector<std::uint8_t> data;
        for (std::size_t i = 0; i < 8 && begin + i < values.size(); ++i)
        {
            const auto output = Compress(values[begin + i], bound, lastBit);
            tagWord |= output.tag << (2 * i);
            for (unsigned bit = 0; bit < output.bits; bit += 8)
            {
                data.push_back(static_cast<std::uint8_t>((output.data >> bit) & 0xFFU));
            }
        }
        stream.push_back(static_cast<std::uint8_t>(tagWord & 0xFFU));
        stream.push_back(static_cast<std::uint8_t>(tagWord >> 8U));
        stream.insert(stream.end(), data.begin(), data.end());
    }
    return stream;
}

inline std::vector<std::uint32_t>
ThereAndBack(const std::vector<std::uint32_t>& values,
             unsigned bound,
             unsigned lastBit = PRINTED_BIT)
{
    std::vector<std::uint32_t> decoded;
    for (const auto value : values)
    {
        decoded.push_back(Decompress(Compress(value, bound, lastBit), lastBit));
    }
    return decoded;
}

} // namespace inca::reference

#endif // INCA_TEST_CODEC_INCEPTIONN_REFERENCE_H
