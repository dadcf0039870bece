/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_TRACE_SAFETENSORS_WRITER_H
#define INCA_TEST_TRACE_SAFETENSORS_WRITER_H

#include "base/atomic-file.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** One fp32 tensor to be written. */
struct FloatTensor
{
    std::string name;
    std::vector<std::uint64_t> shape; ///< its product is the number of values
    std::vector<float> values;
};

/** @return the JSON header for fp32 tensors that lie end to end, padded with blanks to 8 bytes */
inline std::string
FormatSafetensorsHeader(const std::vector<FloatTensor>& tensors)
{
    constexpr std::size_t alignment = 8;
    auto header = nlohmann::json::object();
    std::uint64_t end = 0;
    for (const auto& tensor : tensors)
    {
        const auto begin = end;
        end += tensor.values.size() * sizeof(float);
        header[tensor.name] = {
            {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    }
    auto text = header.dump();
    text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
    return text;
}

/** Writes fp32 tensors in the order given. */
inline void
WriteSafetensors(const std::string& path, const std::vector<FloatTensor>& tensors)
{
    const auto header = FormatSafetensorsHeader(tensors);
    const std::uint64_t headerBytes = header.size();
    AtomicFile file(path);
    file.Write(&headerBytes, sizeof headerBytes);
    file.Write(header);
    for (const auto& tensor : tensors)
    {
        file.Write(tensor.values.data(), tensor.values.size() * sizeof(float));
    }
    file.Finish();
}

} // namespace inca

#endif // INCA_TEST_TRACE_SAFETENSORS_WRITER_H
