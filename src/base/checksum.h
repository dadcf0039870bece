/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_CHECKSUM_H
#define INCA_BASE_CHECKSUM_H

#include <cstddef>
#include <cstdint>

namespace inca
{

/**
 * CRC-32 as in IEEE 802.3, zip and PNG (reflected, polynomial 0x04C11DB7).
 * @param seed the checksum of the bytes before these, so that a file can be read in pieces
 */
std::uint32_t Crc32(const void* bytes, std::size_t count, std::uint32_t seed = 0);

} // namespace inca

#endif // INCA_BASE_CHECKSUM_H
