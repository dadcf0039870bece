/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_FLOAT_FILE_H
#define INCA_TRACE_FLOAT_FILE_H

#include "base/mapped-file.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace inca
{

/**
 * All fp32 values of a file, in order, mapped where they lie at a float's address. The values of a
 * .safetensors file are its tensors in file order, joined; another file is raw little-endian fp32.
 */
class FloatFile
{
  public:
    /** @throws InputError if the file cannot be read, or has anything but fp32 values */
    explicit FloatFile(const std::string& path);

    const float* Data() const
    {
        return m_values;
    }

    std::size_t Count() const
    {
        return m_count;
    }

  private:
    MappedFile m_file;
    std::vector<float> m_copied; ///< if they lie at other addresses
    const float* m_values{nullptr};
    std::size_t m_count{0};
};

/** Takes one part of a file's values; their number is a multiple of 8, but for the last part. */
using FloatPartUser = std::function<void(const float* values, std::size_t count)>;

/**
 * Hands over the values of a file in parts.
 * @throws InputError as FloatFile does; Interrupted
 */
void ForEachFloatPart(const std::string& path, const FloatPartUser& use);

} // namespace inca

#endif // INCA_TRACE_FLOAT_FILE_H
