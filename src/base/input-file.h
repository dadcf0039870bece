/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_INPUT_FILE_H
#define INCA_BASE_INPUT_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inca
{

/** A file that is read once, from its beginning to its end: a regular file, a pipe, a terminal. A signal ends waiting. */
class InputFile
{
  public:
    /** @throws InputError that names the file and why it cannot be read; Interrupted */
    explicit InputFile(std::string path);

    /** What is open already, such as stdin; it stays open. @param name what complaints call it */
    InputFile(std::string name, int descriptor);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /**
     * @param most of bytes, at least 1
     * @return how many came; 0 only at the end
     * @throws InputError; Interrupted
     */
    std::size_t Read(char* out, std::size_t most);

  private:
    std::string m_path;
    int m_descriptor;
};

/**
 * @return all bytes of the file
 * @param most bytes; a file with more is refused
 * @param why said of such a file: "is no scenario: more than 1 MiB"
 * @throws InputError; Interrupted
 */
std::string ReadInputFile(const std::string& path, std::size_t most, std::string_view why);

/** What complaints call stdin. */
constexpr const char* STDIN_NAME = "<stdin>";

/** All bytes of stdin, as of a file. */
std::string ReadStandardInput(std::size_t most, std::string_view why);

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

    /** All bytes; null for an empty file. No other program may shorten the file meanwhile. */
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

#endif // INCA_BASE_INPUT_FILE_H
