/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-input.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "trace/safetensors.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace inca
{

namespace
{

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw fp32 files are mapped as they are");

/** 4 MiB of values, a multiple of 8. */
constexpr std::size_t g_partValues = 1U << 20U;

std::string
Reason(int error)
{
    return std::generic_category().message(error);
}

/** Closes a file at the end of its scope. */
class OpenFile
{
  public:
    explicit OpenFile(const std::string& path)
        : m_file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
        if (m_file < 0)
        {
            throw InputError(path + ": cannot be read: " + Reason(errno));
        }
    }

    ~OpenFile()
    {
        close(m_file);
    }

    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int Number() const
    {
        return m_file;
    }

  private:
    int m_file;
};

bool
IsSafetensors(const std::string& path)
{
    const std::string suffix = ".safetensors";
    return path.size() >= suffix.size() &&
           path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

void
CheckRaw(const MappedFile& file, const std::string& path)
{
    if (file.Bytes() % sizeof(float) != 0)
    {
        throw InputError(path + ": raw fp32 has 4 bytes per value, but this file's " +
                         std::to_string(file.Bytes()) + " bytes are no multiple of 4");
    }
}

void
ForEachRawPart(const std::string& path, const PartUser& use)
{
    const MappedFile file(path);
    CheckRaw(file, path);
    const auto* values = reinterpret_cast<const float*>(file.Data());
    auto left = file.Bytes() / sizeof(float);
    while (left > 0)
    {
        ThrowIfInterrupted();
        const auto count = std::min(left, g_partValues);
        use(values, count);
        values += count;
        left -= count;
    }
}

/** Collects values until a part is full. */
class PartBuffer
{
  public:
    explicit PartBuffer(const PartUser& use)
        : m_use(use),
          m_values(g_partValues)
    {
    }

    void AddTensor(const SafetensorsFile& file, const TensorInfo& tensor)
    {
        for (std::uint64_t done = 0; done < tensor.elements;)
        {
            const auto room = m_values.size() - m_filled;
            const auto count = std::min<std::uint64_t>(tensor.elements - done, room);
            file.ReadFloats(tensor, done, count, m_values.data() + m_filled);
            m_filled += static_cast<std::size_t>(count);
            done += count;
            UseIf(m_filled == m_values.size());
        }
    }

    void UseRest()
    {
        UseIf(m_filled > 0);
    }

  private:
    void UseIf(bool isDue)
    {
        if (isDue)
        {
            ThrowIfInterrupted();
            m_use(m_values.data(), m_filled);
            m_filled = 0;
        }
    }

    const PartUser& m_use;
    std::vector<float> m_values;
    std::size_t m_filled{0};
};

void
CheckTensors(const SafetensorsFile& file, const std::string& path)
{
    for (const auto& tensor : file.Tensors())
    {
        if (tensor.dtype != "F32")
        {
            throw InputError(path + ": tensor '" + tensor.name + "' is " + tensor.dtype +
                             "; codecs take F32 only");
        }
    }
}

void
ForEachTensorPart(const std::string& path, const PartUser& use)
{
    const SafetensorsFile file(path);
    CheckTensors(file, path);
    PartBuffer buffer(use);
    for (const auto& tensor : file.Tensors())
    {
        buffer.AddTensor(file, tensor);
    }
    buffer.UseRest();
}

std::vector<float>
ReadTensors(const std::string& path)
{
    const SafetensorsFile file(path);
    CheckTensors(file, path);
    std::uint64_t count = 0;
    for (const auto& tensor : file.Tensors())
    {
        count += tensor.elements;
    }
    std::vector<float> values(static_cast<std::size_t>(count));
    auto* begin = values.data();
    for (const auto& tensor : file.Tensors())
    {
        ThrowIfInterrupted();
        file.ReadFloats(tensor, 0, tensor.elements, begin);
        begin += tensor.elements;
    }
    return values;
}

} // namespace

MappedFile::MappedFile(const std::string& path)
{
    const OpenFile file(path);
    struct stat status = {};
    if (fstat(file.Number(), &status) != 0 || !S_ISREG(status.st_mode))
    {
        throw InputError(path + ": is no regular file");
    }
    m_bytes = static_cast<std::size_t>(status.st_size);
    if (m_bytes == 0)
    {
        return;
    }
    void* mapped = mmap(nullptr, m_bytes, PROT_READ, MAP_PRIVATE, file.Number(), 0);
    if (mapped == MAP_FAILED)
    {
        throw InputError(path + ": cannot be mapped: " + Reason(errno));
    }
    m_data = static_cast<const std::uint8_t*>(mapped);
}

MappedFile::~MappedFile()
{
    if (m_data != nullptr)
    {
        munmap(const_cast<std::uint8_t*>(m_data), m_bytes);
    }
}

void
ForEachPart(const std::string& path, const PartUser& use)
{
    if (IsSafetensors(path))
    {
        ForEachTensorPart(path, use);
    }
    else
    {
        ForEachRawPart(path, use);
    }
}

FileValues::FileValues(const std::string& path)
{
    if (IsSafetensors(path))
    {
        m_read = ReadTensors(path);
        return;
    }
    m_mapped.emplace(path);
    CheckRaw(*m_mapped, path);
}

const float*
FileValues::Data() const
{
    return m_mapped ? reinterpret_cast<const float*>(m_mapped->Data()) : m_read.data();
}

std::size_t
FileValues::Count() const
{
    return m_mapped ? m_mapped->Bytes() / sizeof(float) : m_read.size();
}

} // namespace inca
