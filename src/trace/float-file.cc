/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/float-file.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "trace/safetensors.h"

#include <algorithm>
#include <cstdint>

namespace inca
{

namespace
{

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw fp32 files are mapped as they are");

/** 4 MiB of values, a multiple of 8. */
constexpr std::size_t g_partValues = 1U << 20U;

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
ForEachRawPart(const std::string& path, const FloatPartUser& use)
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
    explicit PartBuffer(const FloatPartUser& use)
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

    const FloatPartUser& m_use;
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
            throw InputError(path + ": tensor '" + Printable(tensor.name) + "' is " + tensor.dtype +
                             "; codecs take F32 only");
        }
    }
}

void
ForEachTensorPart(const std::string& path, const FloatPartUser& use)
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

void
ForEachFloatPart(const std::string& path, const FloatPartUser& use)
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

FloatFile::FloatFile(const std::string& path)
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
FloatFile::Data() const
{
    return m_mapped ? reinterpret_cast<const float*>(m_mapped->Data()) : m_read.data();
}

std::size_t
FloatFile::Count() const
{
    return m_mapped ? m_mapped->Bytes() / sizeof(float) : m_read.size();
}

} // namespace inca
