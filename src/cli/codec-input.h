/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_INPUT_H
#define INCA_CLI_CODEC_INPUT_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A file's bytes, mapped and not read, so that files may be larger than memory. */
class MappedFile
{
  public:
    /** @throws InputError if @p path cannot be read or is no regular file */
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::uint8_t* Data() const
    {
        return m_data;
    }

    std::size_t Bytes() const
    {
        return m_bytes;
    }

  private:
    const std::uint8_t* m_data{nullptr}; ///< null for an empty file
    std::size_t m_bytes{0};
};

/** Takes one part of a file's values; their number is a multiple of 8, but for the last part. */
using PartUser = std::function<void(const float* values, std::size_t count)>;

/**
 * Hands over all fp32 values of a file, in order and in parts. The values of a .safetensors file
 * are its tensors in file order, joined; another file is raw little-endian fp32.
 * @throws InputError if the file cannot be read, or has anything but fp32 values
 */
void ForEachPart(const std::string& path, const PartUser& use);

/** The same values all at once: those of a raw file mapped, those of a .safetensors file in memory. */
class FileValues
{
  public:
    /** @throws InputError as ForEachPart does */
    explicit FileValues(const std::string& path);

    const float* Data() const;
    std::size_t Count() const;

  private:
    std::optional<MappedFile> m_mapped;
    std::vector<float> m_read; ///< if not mapped
};

} // namespace inca

#endif // INCA_CLI_CODEC_INPUT_H
