/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_PAYLOAD_CODING_H
#define INCA_DEVICE_PAYLOAD_CODING_H

#include "codec/codec.h"

#include <cstdint>
#include <vector>

namespace inca
{

using Bytes = std::vector<std::uint8_t>;

/** The stream of a payload of @p plainBytes, whole little-endian fp32 values. */
Bytes EncodePayload(const Codec& codec, const std::uint8_t* plain, std::uint64_t plainBytes);

/**
 * The payload of @p plainBytes, whole values, that a stream stands for.
 * @throws InputError as Codec::Decode
 */
Bytes DecodePayload(const Codec& codec,
                    const std::uint8_t* stream,
                    std::uint64_t streamBytes,
                    std::uint64_t plainBytes);

/**
 * The stream's size by statistics: after a message's first m values it has
 * floor(m * meanBits / 8 + 1/128) bytes, and a payload gets the difference between its ends. Exact and the same on any machine.
 * @param begin where the payload begins in its message, on a value (plain bytes)
 */
std::uint64_t ExpectedStreamBytes(double meanBits, std::uint64_t begin, std::uint64_t plainBytes);

} // namespace inca

#endif // INCA_DEVICE_PAYLOAD_CODING_H
