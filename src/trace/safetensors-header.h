/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_SAFETENSORS_HEADER_H
#define INCA_TRACE_SAFETENSORS_HEADER_H

#include "trace/safetensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/**
 * Reads and checks the JSON header of a safetensors file.
 * @param json the header's text
 * @param dataOffset where the tensors' bytes begin in the file
 * @param dataBytes how many bytes follow there
 * @param path stands in complaints
 * @return all tensors, in the order of their bytes
 * @throws InputError if the header is malformed or its tensors do not fill those bytes exactly
 */
std::vector<TensorInfo> ParseSafetensorsHeader(const std::string& json,
                                               std::uint64_t dataOffset,
                                               std::uint64_t dataBytes,
                                               const std::string& path);

/** @return the JSON header for fp32 tensors that lie end to end, padded with blanks to 8 bytes */
std::string FormatSafetensorsHeader(const std::vector<FloatTensor>& tensors);

} // namespace inca

#endif // INCA_TRACE_SAFETENSORS_HEADER_H
