/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_BYTE_SOURCE_H
#define INCA_IMPORT_BYTE_SOURCE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct gzFile_s; // of zlib

namespace inca
{

/**
 * The bytes of one file of others, from its beginning to its end, unpacked where it is gzip. It may be a
 * pipe. Files are not trusted: unpacked, they have at most MOST_BYTES.
 */
class ByteSource
{
  public:
    static constexpr std::uint64_t MOST_BYTES{3ULL << 30U};
    static constexpr std::size_t MOST_PREFIX{1U << 20U};

    /** @throws InputError that names the file and why it cannot be read */
    explicit ByteSource(const std::string& path);

    /** A text in memory, that complaints call @p name. */
    ByteSource(std::string name, std::string text);

    const std::string& Name() const
    {
        return m_name;
    }

    /** The first bytes, up to MOST_PREFIX, which Read returns all the same. */
    std::string_view Prefix() const
    {
        return std::string_view(m_prefix).substr(0, MOST_PREFIX);
    }

    /**
     * @param most of bytes, at least 1
     * @return how many came; 0 only at the end
     * @throws InputError; Interrupted
     */
    std::size_t Read(char* out, std::size_t most);

    /** All that is left. @throws InputError if it is more than @p most */
    std::string ReadAll(std::size_t most);

    bool IsPacked() const
    {
        return m_isPacked;
    }

    /** @return how many bytes were read so far */
    std::uint64_t UnpackedBytes() const
    {
        return m_bytes;
    }

  private:
    struct Closer
    {
        void operator()(gzFile_s* file) const;
    };

    std::size_t Take(char* out, std::size_t most);
    [[noreturn]] void RefuseSize() const;

    std::string m_name;
    std::unique_ptr<gzFile_s, Closer> m_file; ///< null: a text in memory
    bool m_isPacked{false};
    std::string m_prefix;
    std::size_t m_prefixRead{0};
    std::uint64_t m_bytes{0};
};

/** The beginning of @p text, which is a file's, as messages show it: printable. */
std::string Excerpt(std::string_view text);

} // namespace inca

#endif // INCA_IMPORT_BYTE_SOURCE_H
