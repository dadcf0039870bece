/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/byte-source.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/interrupt.h"
#include "base/units.h"

#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace inca
{

namespace
{

constexpr std::string_view GZIP_MAGIC{"\x1f\x8b"};
constexpr std::streamsize BUFFER_BYTES{1 << 16};

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

/** A file as Boost.Iostreams reads it, whose first bytes can be looked at before. Copies share the file. */
class FileSource : public boost::iostreams::source
{
  public:
    explicit FileSource(const std::string& path)
        : m_file(std::make_shared<InputFile>(path)),
          m_begin(GZIP_MAGIC.size(), '\0')
    {
        std::size_t size = 0;
        for (std::size_t came = 1; came != 0 && size < m_begin.size(); size += came)
        {
            came = m_file->Read(m_begin.data() + size, m_begin.size() - size);
        }
        m_begin.resize(size);
    }

    bool IsPacked() const
    {
        return m_begin == GZIP_MAGIC;
    }

    std::streamsize read(char* out, std::streamsize most)
    {
        auto count = m_begin.copy(out, static_cast<std::size_t>(most));
        m_begin.erase(0, count);
        count = count > 0 ? count : m_file->Read(out, static_cast<std::size_t>(most));
        return count == 0 ? -1 : static_cast<std::streamsize>(count);
    }

  private:
    std::shared_ptr<InputFile> m_file;
    std::string m_begin; ///< that was read, and is to be read again
};

} // namespace

ByteSource::ByteSource(const std::string& path)
    : m_name(path)
{
    const FileSource file(path);
    m_isPacked = file.IsPacked();
    auto stream = std::make_unique<boost::iostreams::filtering_istreambuf>();
    if (m_isPacked)
    {
        stream->push(boost::iostreams::gzip_decompressor());
    }
    stream->push(file, BUFFER_BYTES);
    m_stream = std::move(stream);
    std::error_code error;
    const auto fileSize =
        std::filesystem::file_size(path, error); // of what is no regular file, an error
    if (!error && fileSize > MOST_BYTES)
    {
        RefuseSize();
    }
    m_prefix.resize(MOST_PREFIX);
    m_prefix.resize(Take(m_prefix.data(), m_prefix.size()));
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
    try
    {
        const auto count =
            static_cast<std::size_t>(m_stream->sgetn(out, static_cast<std::streamsize>(most)));
        m_bytes += count;
        if (m_bytes > MOST_BYTES)
        {
            RefuseSize();
        }
        return count;
    }
    catch (const boost::iostreams::gzip_error&)
    {
        throw InputError(m_name + ": is no whole gzip file: damaged or cut off after " +
                         std::to_string(m_bytes) + " unpacked bytes");
    }
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
    return m_stream ? Take(out, most) : 0;
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

} // namespace inca
