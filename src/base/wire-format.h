/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_WIRE_FORMAT_H
#define INCA_BASE_WIRE_FORMAT_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace inca
{

/** The sizes of everything around a payload; the only place where they stand. (bytes) @{ */
constexpr std::uint64_t PREAMBLE_BYTES{8};         ///< preamble and start of frame
constexpr std::uint64_t ETHERNET_HEADER_BYTES{14}; ///< addresses and EtherType
constexpr std::uint64_t FRAME_CHECK_BYTES{4};      ///< frame check sequence
constexpr std::uint64_t MIN_FRAME_BYTES{64}; ///< header to check sequence; shorter ones are padded
constexpr std::uint64_t GAP_BYTES{12};       ///< silence after a frame
constexpr std::uint64_t IPV4_HEADER_BYTES{20};      ///< without options
constexpr std::uint64_t TRANSPORT_HEADER_BYTES{20}; ///< of INCA's transport
constexpr std::uint64_t UDP_HEADER_BYTES{8};
constexpr std::uint64_t AGGREGATION_PROGRAM_BYTES{16}; ///< of an aggregation program, behind UDP
constexpr std::uint64_t VALUE_BYTES{4};                ///< an fp32 value
/** @} */

/** What stands before the payload in an IP packet of INCA's transport. (bytes) */
constexpr std::uint64_t INCA_HEADER_BYTES{IPV4_HEADER_BYTES + TRANSPORT_HEADER_BYTES};

/** What stands before the payload in a segment of TCP with timestamps. (bytes) */
constexpr std::uint64_t TCP_HEADER_BYTES{IPV4_HEADER_BYTES + 20 + 12};

/** What stands before the values in an IP packet of an aggregation program. (bytes) */
constexpr std::uint64_t AGGREGATION_HEADER_BYTES{IPV4_HEADER_BYTES + UDP_HEADER_BYTES +
                                                 AGGREGATION_PROGRAM_BYTES};

constexpr std::uint8_t COMPRESSIBLE_TOS{0x28}; ///< of what engines take (INCEPTIONN, section VI)
constexpr std::uint8_t TRANSPORT_IP_PROTOCOL{253};   ///< "for experimentation" (RFC 3692)
constexpr std::uint16_t AGGREGATION_UDP_PORT{61898}; ///< of the dynamic ones, both ways
constexpr std::uint16_t ETHERTYPE_IPV4{0x0800};

/** The time on the wire that an IP packet takes, in bytes: preamble to gap. */
constexpr std::uint64_t
FrameWireBytes(std::uint64_t ipPacketBytes)
{
    const auto frame = ETHERNET_HEADER_BYTES + ipPacketBytes + FRAME_CHECK_BYTES;
    return PREAMBLE_BYTES + std::max(MIN_FRAME_BYTES, frame) + GAP_BYTES;
}

/**
 * The most payload of INCA's transport in one frame: whole groups of values.
 * @param mtu at least 44
 * @param group values that a codec decodes together; 0 bytes if they do not fit
 */
constexpr std::uint64_t
MaxPayloadBytes(std::uint64_t mtu, std::uint64_t group = 1)
{
    const auto groupBytes = group * VALUE_BYTES;
    return (mtu - INCA_HEADER_BYTES) / groupBytes * groupBytes;
}

/** The smallest MTU in which INCA's transport can carry a value; IPv4 itself asks for 68. */
constexpr std::uint16_t MIN_MTU_BYTES{68};

/** Full frames of a message whose coded payloads, by statistics, take a whole number of bytes. */
constexpr std::uint64_t PATTERN_FRAMES{64};

/**
 * The mean size of a value that is reckoned with where only sizes travel: @p meanBits, rounded up such
 * that the sizes of a message's coded frames repeat every PATTERN_FRAMES. (bits)
 * @param payloadBytes of a full frame, plain
 */
inline double
PatternBits(double meanBits, std::uint64_t payloadBytes)
{
    const auto bitsPerPatternByte =
        8.0 / static_cast<double>(PATTERN_FRAMES * (payloadBytes / VALUE_BYTES));
    constexpr double slack = 1e-6; // what is whole but for its rounding stays as it is
    return std::ceil(meanBits / bitsPerPatternByte - slack) * bitsPerPatternByte;
}

} // namespace inca

#endif // INCA_BASE_WIRE_FORMAT_H
