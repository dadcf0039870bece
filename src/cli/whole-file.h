/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_WHOLE_FILE_H
#define INCA_CLI_WHOLE_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace inca
{

/**
 * A file that has its name only once it is whole: it grows beside it under another name, which
 * Finish changes. Without Finish nothing is left, and what had the name before stays.
 */
class WholeFile
{
  public:
    /** @throws InputError if @p path is no place for a file */
    explicit WholeFile(std::string path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    /** Appends. @throws RunError if the disk does not take it */
    void Write(const std::uint8_t* data, std::size_t bytes);

    /**
     * Makes an empty file @p bytes long, on a disk that has the room, and maps it.
     * @return its bytes, to be written before Finish; null if @p bytes is 0
     * @throws RunError if the disk does not take it
     */
    void* Map(std::size_t bytes);

    /** Brings everything to the disk and gives the file its name. @throws RunError if that fails */
    void Finish();

  private:
    [[noreturn]] void Fail(int error) const;

    std::string m_path;
    std::string m_partPath;
    int m_file{-1};
    void* m_mapped{nullptr};
    std::size_t m_mappedBytes{0};
};

} // namespace inca

#endif // INCA_CLI_WHOLE_FILE_H
