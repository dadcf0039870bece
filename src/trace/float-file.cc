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

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fp32 files are mapped as they are");

bool
IsSafetensors(const std::string& path)
{
    const std::string suffix = ".safetensors";
    return path.size() >= suffix.size() &&
           path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/** @return where the values of a .safetensors file begin: its tensors lie end to end up to the file's end */
std::size_t
BeginOfTensors(const std::string& path, std::size_t fileBytes)
{
    const SafetensorsFile file(path);
    std::uint64_t bytes = 0;
    for (const auto& tensor : file.Tensors())
    {
        if (tensor.dtype != "F32")
        {
            throw InputError(path + ": tensor '" + Printable(tensor.name) + "' is " + tensor.dtype +
                             "; codecs take F32 only");
        }
        bytes += tensor.bytes;
    }
    return fileBytes - std::min<std::uint64_t>(bytes, fileBytes);
}

} // namespace

FloatFile::FloatFile(const std::string& path)
    : m_file(path)
{
    const auto begin = IsSafetensors(path) ? BeginOfTensors(path, m_file.Bytes()) : 0;
    const auto bytes = m_file.Bytes() - begin;
    if (bytes % sizeof(float) != 0)
    {
        throw InputError(path + ": raw fp32 has 4 bytes per value, but this file's " +
                         std::to_string(bytes) + " bytes are no multiple of 4");
    }
    m_count = bytes / sizeof(float);
    if (begin % alignof(float) == 0)
    {
        m_values = reinterpret_cast<const float*>(m_file.Data() + begin);
        return;
    }
    m_copied.resize(m_count);
    m_file.Read(begin, bytes, m_copied.data());
    m_values = m_copied.data();
}

void
ForEachFloatPart(const std::string& path, const FloatPartUser& use)
{
    constexpr std::size_t partValues = 1U << 20U; // 4 MiB, a multiple of 8
    const FloatFile file(path);
    for (std::size_t done = 0; done < file.Count(); done += partValues)
    {
        ThrowIfInterrupted();
        use(file.Data() + done, std::min(file.Count() - done, partValues));
    }
}

} // namespace inca
