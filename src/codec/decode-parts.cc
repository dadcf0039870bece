/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/decode-parts.h"

#include "base/errors.h"

#include <string>

namespace inca
{

void
CheckStreamBytes(const char* codec, std::size_t count, std::uint64_t bytes, std::uint64_t right)
{
    if (bytes != right)
    {
        throw InputError(std::string(codec) + " stream: " + std::to_string(bytes) +
                         (bytes < right ? " bytes are too few for " : " bytes are too many for ") +
                         std::to_string(count) + " values, which take " + std::to_string(right));
    }
}

} // namespace inca
