/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_FLOAT_FILE_H
#define INCA_TRACE_FLOAT_FILE_H

#include "base/mapped-file.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Takes one part of a file's values; their number is a multiple of 8, but for the last part. */
using FloatPartUser = std::function<void(const float* values, std::size_t count)>;

/**
 * Hands over all fp32 values of a file, in order and in parts. The values of a .safetensors file
 * are its tensors in file order, joined; another file is raw little-endian fp32.
 * @throws InputError if the file cannot be read, or has anything but fp32 values
 */
void ForEachFloatPart(const std::string& path, const FloatPartUser& use);

/** The same values all at once: those of a raw file mapped, those of a .safetensors file in memory. */
class FloatFile
{
  public:
    /** @throws InputError as ForEachFloatPart does */
    explicit FloatFile(const std::string& path);

    const float* Data() const;
    std::size_t Count() const;

  private:
    std::optional<MappedFile> m_mapped;
    std::vector<float> m_read; ///< if not mapped
};

} // namespace inca

#endif // INCA_TRACE_FLOAT_FILE_H
