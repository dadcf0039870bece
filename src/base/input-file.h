/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_INPUT_FILE_H
#define INCA_BASE_INPUT_FILE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace inca
{

/**
 * A file that is read once, from its beginning to its end: a regular file, a pipe, a terminal. Where
 * nothing is there yet to be read, it is waited for, until a signal ends that.
 */
class InputFile
{
  public:
    /** @throws InputError that names the file and why it cannot be read */
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

} // namespace inca

#endif // INCA_BASE_INPUT_FILE_H
