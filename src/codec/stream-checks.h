/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_STREAM_CHECKS_H
#define INCA_CODEC_STREAM_CHECKS_H

#include <cstddef>
#include <cstdint>

namespace inca
{

/**
 * Refuses a stream whose size does not follow from its number of values.
 * @throws InputError that names @p codec, what is there and what would be right
 */
void CheckStreamBytes(const char* codec,
                      std::size_t count,
                      std::uint64_t bytes,
                      std::uint64_t right);

} // namespace inca

#endif // INCA_CODEC_STREAM_CHECKS_H
