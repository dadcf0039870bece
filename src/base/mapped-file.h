/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_MAPPED_FILE_H
#define INCA_BASE_MAPPED_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace inca
{

/**
 * The bytes of a regular file, mapped and not read, so that it may be larger than memory. May be
 * shared between threads.
 */
class MappedFile
{
  public:
    /** @throws InputError if @p path cannot be read or is no regular file */
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /** All bytes; null for an empty file. Reading one that the file has lost ends the program. */
    const std::uint8_t* Data() const
    {
        return m_data;
    }

    /** Its size when it was opened. */
    std::size_t Bytes() const
    {
        return m_bytes;
    }

    /**
     * Copies the @p bytes from @p offset on, all of which Bytes counts, without the mapping: safe
     * whatever becomes of the file meanwhile.
     * @throws InputError if the file has become shorter since
     */
    void Read(std::uint64_t offset, std::uint64_t bytes, void* out) const;

  private:
    std::string m_path;
    int m_descriptor;
    const std::uint8_t* m_data{nullptr};
    std::size_t m_bytes{0};
};

} // namespace inca

#endif // INCA_BASE_MAPPED_FILE_H
