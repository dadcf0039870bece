/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_SAFETENSORS_HEADER_H
#define INCA_TRACE_SAFETENSORS_HEADER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** One tensor of a safetensors file, as its header describes it. */
struct TensorInfo
{
    std::string name;
    std::string dtype; ///< "F32", "BF16", ...
    std::vector<std::uint64_t> shape;
    std::uint64_t elements{0};   ///< product of the shape; 1 for a scalar
    std::uint64_t fileOffset{0}; ///< of its first byte, from the file's begin
    std::uint64_t bytes{0};
};

/** What a safetensors file says of its bytes. */
struct SafetensorsHeader
{
    std::vector<TensorInfo> tensors;             ///< in the order of their bytes
    std::map<std::string, std::string> metadata; ///< texts of whoever wrote it ("__metadata__")
};

/** One fp32 tensor to be written. */
struct FloatTensor
{
    std::string name;
    std::vector<std::uint64_t> shape; ///< its product is the number of values
    std::vector<float> values;
};

/**
 * Reads and checks the JSON header of a safetensors file.
 * @param json the header's text
 * @param dataOffset where the tensors' bytes begin in the file
 * @param dataBytes how many bytes follow there
 * @param path stands in complaints
 * @throws InputError if the header is malformed or its tensors do not fill those bytes exactly
 */
SafetensorsHeader ParseSafetensorsHeader(const std::string& json,
                                         std::uint64_t dataOffset,
                                         std::uint64_t dataBytes,
                                         const std::string& path);

/** @return the JSON header for fp32 tensors that lie end to end, padded with blanks to 8 bytes */
std::string FormatSafetensorsHeader(const std::vector<FloatTensor>& tensors);

} // namespace inca

#endif // INCA_TRACE_SAFETENSORS_HEADER_H
