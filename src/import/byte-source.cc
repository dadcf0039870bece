/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/byte-source.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "base/units.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <zlib.h>

namespace inca
{

namespace
{

constexpr unsigned BUFFER_BYTES{1U << 16U};

/** Editors of other systems begin a text in UTF-8 with a mark, which no format here has. */
void
SkipByteOrderMark(std::string& text)
{
    constexpr std::string_view MARK{"\xef\xbb\xbf"};
    if (text.compare(0, MARK.size(), MARK) == 0)
    {
        text.erase(0, MARK.size());
    }
}

} // namespace

void
ByteSource::Closer::operator()(gzFile_s* file) const
{
    gzclose(file);
}

ByteSource::ByteSource(const std::string& path)
    : m_name(path),
      m_file(gzopen(PathOf(path), "rbe"))
{
    if (!m_file)
    {
        throw InputError(m_name + ": cannot be read: " + ErrorReason(errno));
    }
    gzbuffer(m_file.get(), BUFFER_BYTES);
    std::error_code error;
    const auto fileSize =
        std::filesystem::file_size(path, error); // of what is no regular file, an error
    if (!error && fileSize > MOST_BYTES)
    {
        RefuseSize();
    }
    m_prefix.resize(MOST_PREFIX);
    m_prefix.resize(Take(m_prefix.data(), m_prefix.size()));
    m_isPacked = gzdirect(m_file.get()) == 0;
    SkipByteOrderMark(m_prefix);
    if (m_prefix.empty())
    {
        throw InputError(m_name + ": is empty");
    }
}

ByteSource::ByteSource(std::string name, std::string text)
    : m_name(std::move(name)),
      m_prefix(std::move(text)),
      m_bytes(m_prefix.size())
{
    SkipByteOrderMark(m_prefix);
}

void
ByteSource::RefuseSize() const
{
    throw InputError(m_name + ": more than " + g_byteCount.Format(MOST_BYTES) +
                     (m_isPacked ? " unpacked" : "") + "; record fewer steps");
}

std::size_t
ByteSource::Take(char* out, std::size_t most)
{
    ThrowIfInterrupted();
    const auto count = gzread(m_file.get(), out, static_cast<unsigned>(most));
    int error = Z_OK;
    gzerror(m_file.get(), &error);
    if (error == Z_ERRNO)
    {
        const int reason = errno;
        ThrowIfInterrupted();
        throw InputError(m_name + ": cannot be read: " + ErrorReason(reason));
    }
    if (error != Z_OK || count < 0)
    {
        throw InputError(m_name + ": is no whole gzip file: damaged or cut off after " +
                         std::to_string(m_bytes) + " unpacked bytes");
    }
    m_bytes += static_cast<std::size_t>(count);
    if (m_bytes > MOST_BYTES)
    {
        RefuseSize();
    }
    return static_cast<std::size_t>(count);
}

std::size_t
ByteSource::Read(char* out, std::size_t most)
{
    if (m_prefixRead < m_prefix.size())
    {
        const auto count = m_prefix.copy(out, most, m_prefixRead);
        m_prefixRead += count;
        return count;
    }
    return m_file ? Take(out, most) : 0;
}

std::string
ByteSource::ReadAll(std::size_t most)
{
    std::string text;
    std::string block(BUFFER_BYTES, '\0');
    while (const auto count = Read(block.data(), block.size()))
    {
        if (text.size() + count > most)
        {
            throw InputError(m_name + ": more than " + g_byteCount.Format(most));
        }
        text.append(block, 0, count);
    }
    return text;
}

std::string
Excerpt(std::string_view text)
{
    constexpr std::size_t mostBytes = 40;
    return Printable(text.substr(0, mostBytes));
}

} // namespace inca
