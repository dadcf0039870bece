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
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace inca
{

namespace
{

constexpr std::string_view GZIP_MAGIC{"\x1f\x8b"};

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

/** A file whose first bytes were looked at already. */
struct PeekedFile
{
    explicit PeekedFile(const std::string& path)
        : file(path)
    {
        begin.resize(GZIP_MAGIC.size());
        std::size_t size = 0;
        while (size < begin.size())
        {
            const auto came = file.Read(begin.data() + size, begin.size() - size);
            if (came == 0)
            {
                break;
            }
            size += came;
        }
        begin.resize(size);
    }

    std::size_t Read(char* out, std::size_t most)
    {
        if (taken < begin.size())
        {
            const auto count = std::min(most, begin.size() - taken);
            std::memcpy(out, begin.data() + taken, count);
            taken += count;
            return count;
        }
        return file.Read(out, most);
    }

    InputFile file;
    std::string begin;
    std::size_t taken{0};
};

/** The same as Boost.Iostreams wants it. */
class PeekedFileSource : public boost::iostreams::source
{
  public:
    explicit PeekedFileSource(PeekedFile& file)
        : m_file(&file)
    {
    }

    std::streamsize read(char* out, std::streamsize most)
    {
        const auto count = m_file->Read(out, static_cast<std::size_t>(most));
        return count == 0 ? -1 : static_cast<std::streamsize>(count);
    }

  private:
    PeekedFile* m_file;
};

} // namespace

class ByteSource::Stream
{
  public:
    explicit Stream(const std::string& path)
        : m_file(path),
          m_packed(m_file.begin == GZIP_MAGIC)
    {
        if (m_packed)
        {
            m_unpacked.push(boost::iostreams::gzip_decompressor());
            m_unpacked.push(PeekedFileSource(m_file), BUFFER_BYTES);
        }
    }

    std::size_t Read(char* out, std::size_t most)
    {
        if (!m_packed)
        {
            return m_file.Read(out, most);
        }
        return static_cast<std::size_t>(m_unpacked.sgetn(out, static_cast<std::streamsize>(most)));
    }

    bool IsPacked() const
    {
        return m_packed;
    }

  private:
    static constexpr std::streamsize BUFFER_BYTES{1 << 16};

    PeekedFile m_file;
    bool m_packed;
    boost::iostreams::filtering_istreambuf m_unpacked;
};

ByteSource::ByteSource(const std::string& path)
    : m_name(path),
      m_stream(std::make_unique<Stream>(path))
{
    std::error_code error;
    const auto fileSize =
        std::filesystem::file_size(path, error); // of what is no regular file, an error
    if (!error && fileSize > MOST_BYTES)
    {
        RefuseSize();
    }
    m_prefix.resize(MOST_PREFIX);
    std::size_t size = 0;
    for (std::size_t came = 1; came != 0 && size < m_prefix.size(); size += came)
    {
        came = Take(m_prefix.data() + size, m_prefix.size() - size);
    }
    m_prefix.resize(size);
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

ByteSource::~ByteSource() = default;

const std::string&
ByteSource::Name() const
{
    return m_name;
}

std::string_view
ByteSource::Prefix() const
{
    return std::string_view(m_prefix).substr(0, MOST_PREFIX);
}

void
ByteSource::RefuseSize() const
{
    throw InputError(m_name + ": more than " + FormatBytes(MOST_BYTES) +
                     (IsPacked() ? " unpacked" : "") + "; record fewer steps");
}

std::size_t
ByteSource::Take(char* out, std::size_t most)
{
    ThrowIfInterrupted();
    try
    {
        const auto count = m_stream->Read(out, most);
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
        const auto count = std::min(most, m_prefix.size() - m_prefixRead);
        std::memcpy(out, m_prefix.data() + m_prefixRead, count);
        m_prefixRead += count;
        return count;
    }
    return m_stream ? Take(out, most) : 0;
}

std::string
ByteSource::ReadAll(std::size_t most)
{
    std::string text;
    std::string block(1U << 16U, '\0');
    for (auto count = Read(block.data(), block.size()); count != 0;
         count = Read(block.data(), block.size()))
    {
        if (text.size() + count > most)
        {
            throw InputError(m_name + ": more than " + FormatBytes(most));
        }
        text.append(block, 0, count);
    }
    return text;
}

bool
ByteSource::IsPacked() const
{
    return m_stream && m_stream->IsPacked();
}

std::uint64_t
ByteSource::UnpackedBytes() const
{
    return m_bytes;
}

} // namespace inca
