/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_ATOMIC_FILE_H
#define INCA_BASE_ATOMIC_FILE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/**
 * A file that gets its name only when it is complete. While it is written it has no name, so a program that is killed
 * leaves nothing behind; from Close to Publish, and where the file system has no files without names, it is called
 * "x.part-" and 16 random digits. Without Publish it is removed, and what had the name before stays.
 */
class AtomicFile
{
  public:
    /** @throws InputError if @p path is no place for a file, or a device, a pipe or a folder */
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /** Appends. @throws RunError if the disk does not take it; Interrupted @{ */
    void Write(std::string_view text);
    void Write(const void* data, std::size_t bytes);
    /** @} */

    /**
     * Makes an empty file @p bytes long, on a disk that has the room, and maps it.
     * @return its bytes, to be written before Close; null if @p bytes is 0
     * @throws RunError if the disk does not take it; Interrupted
     */
    void* Map(std::size_t bytes);

    /** Brings everything to the disk; nothing is written afterwards. @throws RunError if that fails; Interrupted */
    void Close();

    /** Gives the file its name, after Close; once begun, signals do not keep from it. */
    void Publish();

    /** Close, then Publish. */
    void Finish();

  private:
    [[noreturn]] void Fail(int error) const;

    std::string m_path;
    std::string m_partPath; ///< empty: it has no name yet, or its own
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
 * Writes all files, or leaves what was there: they are published when the last of them is on the disk.
 * @throws as AtomicFile does
 */
void WriteAtomically(const std::vector<FileText>& files);

} // namespace inca

#endif // INCA_BASE_ATOMIC_FILE_H
