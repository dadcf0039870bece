/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_WHOLE_FILE_H
#define INCA_BASE_WHOLE_FILE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/**
 * A file that has its name only once it is whole: it grows beside it without a name, which Finish gives
 * it. Without Finish nothing is left, whatever ends the program, and what had the name before stays.
 * Where the file system knows no files without a name, it has a drawn one, "x.part-" and 16 digits, that
 * only a program that is killed leaves behind.
 */
class WholeFile
{
  public:
    /** @throws InputError if @p path is no place for a file, or a device, a pipe or a folder */
    explicit WholeFile(std::string path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    /** Appends. @throws RunError if the disk does not take it; Interrupted @{ */
    void Write(std::string_view text);
    void Write(const void* data, std::size_t bytes);
    /** @} */

    /**
     * Makes an empty file @p bytes long, on a disk that has the room, and maps it.
     * @return its bytes, to be written before Finish; null if @p bytes is 0
     * @throws RunError if the disk does not take it; Interrupted
     */
    void* Map(std::size_t bytes);

    /** Brings everything to the disk. @throws RunError if that fails; Interrupted */
    void Flush();

    /** The same, and gives the file its name. */
    void Finish();

    /** Gives the file its name, after Flush; once begun, signals do not keep from it. */
    void TakeName();

  private:
    void Open();
    bool LinkTo(const std::string& name) const; ///< gives a name that is free to what has none
    bool TakesName();

    std::string m_path;
    std::string m_partPath; ///< empty: has no name
    int m_file{-1};
    void* m_mapped{nullptr};
    std::size_t m_mappedBytes{0};
};

/** A file and what it shall hold. */
struct FileText
{
    std::string path;
    std::string text;
};

/**
 * Writes all files whole, or leaves what was there: they take their names when the last of them is on
 * the disk.
 * @throws as WholeFile does
 */
void WriteWholeFiles(const std::vector<FileText>& files);

/** The same for one file. */
void WriteWholeFile(const std::string& path, const std::string& text);

} // namespace inca

#endif // INCA_BASE_WHOLE_FILE_H
