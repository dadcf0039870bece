/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_BUILD_CHECKSUM_H
#define INCA_SWEEP_BUILD_CHECKSUM_H

#include <string>

namespace inca
{

/**
 * Tells one build of INCA from another of the same version: the CRC-32 of the file that this function was
 * loaded from, program or library; eight hexadecimal digits.
 */
const std::string& BuildChecksum();

} // namespace inca

#endif // INCA_SWEEP_BUILD_CHECKSUM_H
