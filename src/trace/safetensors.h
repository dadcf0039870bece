/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_SAFETENSORS_H
#define INCA_TRACE_SAFETENSORS_H

#include "inca/base/input-file.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** One tensor of a safetensors file, as its header describes it. */
struct TensorInfo
{
    std::string name;
    std::string dtype;           ///< "F32", "BF16", ...
    std::uint64_t elements{0};   ///< product of the shape; 1 for a scalar
    std::uint64_t fileOffset{0}; ///< of its first byte, from the file's begin
    std::uint64_t bytes{0};
};

/**
 * Reads and checks the JSON header of a safetensors file.
 * @param json the header's text
 * @param dataOffset where the tensors' bytes begin in the file
 * @param dataBytes how many bytes follow there
 * @param path stands in complaints
 * @return the tensors in the order of their bytes
 * @throws InputError if the header is malformed or its tensors do not fill those bytes exactly
 */
std::vector<TensorInfo> ParseSafetensorsHeader(const std::string& json,
                                               std::uint64_t dataOffset,
                                               std::uint64_t dataBytes,
                                               const std::string& path);

/**
 * A safetensors file: 8 bytes with the length of a JSON header, the header, the tensors' bytes end
 * to end, everything little-endian. The file is not trusted: what the constructor accepts lies
 * within the file, without gaps or overlaps, and has the sizes that shapes and types say. It is
 * mapped: values come from the disk when asked for. May be shared between threads.
 */
class SafetensorsFile
{
  public:
    /** @throws InputError if the file cannot be read or is malformed (headers are at most 16 MiB) */
    explicit SafetensorsFile(const std::string& path);

    /** All tensors, in the order of their bytes in the file. */
    const std::vector<TensorInfo>& Tensors() const
    {
        return m_tensors;
    }

    /** @return the tensor of that name, or null */
    const TensorInfo* Find(const std::string& name) const;

    /**
     * Copies @p count values of an F32 tensor from value @p begin on, or those of a BF16 or F16 one,
     * widened; all must exist.
     * @throws InputError if the tensor has another type or the file has become shorter
     */
    void ReadFloats(const TensorInfo& tensor,
                    std::uint64_t begin,
                    std::uint64_t count,
                    float* out) const;

  private:
    std::string m_path;
    MappedFile m_file;
    std::vector<TensorInfo> m_tensors;
    std::map<std::string, const TensorInfo*> m_byName;
};

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

#endif // INCA_TRACE_SAFETENSORS_H
