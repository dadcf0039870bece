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

    /**
     * All bytes; null for an empty file. Reading one that the file has lost ends the program
     * (EndOnLostBytes).
     */
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

    /** @return "x: has become shorter while it was read", for whom reads @p address; null: not here */
    const char* LossAt(const void* address) const;

  private:
    std::string m_path;
    std::string m_loss;
    int m_descriptor;
    const std::uint8_t* m_data{nullptr};
    std::size_t m_bytes{0};
};

/**
 * From here on the program ends with INPUT_REFUSED, and names the file, when it reads a byte of a
 * MappedFile that another program has cut off, instead of dying of SIGBUS.
 */
void EndOnLostBytes();

} // namespace inca

#endif // INCA_BASE_MAPPED_FILE_H
