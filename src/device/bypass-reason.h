/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_BYPASS_REASON_H
#define INCA_DEVICE_BYPASS_REASON_H

#include <cstddef>

namespace inca
{

/** Why a frame passed an engine as it was. */
enum class BypassReason : std::size_t
{
    NOT_MARKED,       ///< neither ToS 0x28 nor the transport's mark
    NO_PAYLOAD,       ///< nothing to work on
    NOT_COMPRESSED,   ///< marked, but its sender's engine had left it alone
    NOT_UDP_OR_TCP,   ///< another protocol over IPv4
    FRAGMENT,         ///< a fragment of an IPv4 packet
    NOT_WHOLE_VALUES, ///< the payload is no multiple of 4 bytes
    NOT_ON_A_VALUE,   ///< its tag says that the payload begins within a value
};

constexpr std::size_t BYPASS_REASONS{7};

/** @return "not-marked" and the like */
const char* BypassReasonName(BypassReason reason);

} // namespace inca

#endif // INCA_DEVICE_BYPASS_REASON_H
