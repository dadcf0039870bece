/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/safetensors.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/whole-file.h"
#include "trace/safetensors-header.h"

#include <algorithm>
#include <iterator>

namespace inca
{

namespace
{

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are read as they lie in the file");

constexpr std::uint64_t g_halfBytes = 2;

struct HalfType
{
    const char* dtype;
    void (*widen)(const std::uint16_t* bits, std::size_t count, float* values);
};

constexpr HalfType g_halfTypes[] = {{"BF16", FromBf16}, {"F16", FromFp16}};

constexpr std::uint64_t g_lengthBytes = 8;
constexpr std::uint64_t g_mostHeaderBytes = 16U << 20U;

SafetensorsHeader
ReadHeader(const MappedFile& file, const std::string& path)
{
    if (file.Bytes() < g_lengthBytes)
    {
        throw InputError({path, 0, 0, ""}, "no safetensors file: shorter than 8 bytes");
    }
    std::uint64_t headerBytes = 0;
    file.Read(0, g_lengthBytes, &headerBytes);
    if (headerBytes > std::min<std::uint64_t>(g_mostHeaderBytes, file.Bytes() - g_lengthBytes))
    {
        throw InputError({path, 0, 0, ""},
                         "no safetensors file: a header of " + std::to_string(headerBytes) +
                             " bytes is larger than the file or than 16 MiB");
    }
    std::string json(headerBytes, '\0');
    file.Read(g_lengthBytes, headerBytes, json.data());
    const auto dataOffset = g_lengthBytes + headerBytes;
    return ParseSafetensorsHeader(json, dataOffset, file.Bytes() - dataOffset, path);
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::string& path)
    : m_path(path),
      m_file(path),
      m_header(ReadHeader(m_file, path))
{
    for (std::size_t i = 0; i < Tensors().size(); ++i)
    {
        m_indexByName[Tensors()[i].name] = i;
    }
}

const TensorInfo*
SafetensorsFile::Find(const std::string& name) const
{
    const auto found = m_indexByName.find(name);
    return found == m_indexByName.end() ? nullptr : &Tensors()[found->second];
}

void
SafetensorsFile::ReadFloats(const TensorInfo& tensor,
                            std::uint64_t begin,
                            std::uint64_t count,
                            float* out) const
{
    if (tensor.dtype == "F32")
    {
        m_file.Read(tensor.fileOffset + begin * sizeof(float), count * sizeof(float), out);
        return;
    }
    const auto type =
        std::find_if(std::begin(g_halfTypes), std::end(g_halfTypes), [&tensor](const auto& half) {
            return tensor.dtype == half.dtype;
        });
    if (type == std::end(g_halfTypes))
    {
        throw InputError({m_path, 0, 0, tensor.name},
                         "has dtype " + tensor.dtype + ", not F32, BF16 or F16");
    }
    std::vector<std::uint16_t> halves(count);
    m_file.Read(tensor.fileOffset + begin * g_halfBytes, count * g_halfBytes, halves.data());
    type->widen(halves.data(), halves.size(), out);
}

void
WriteSafetensors(const std::string& path, const std::vector<FloatTensor>& tensors)
{
    const auto header = FormatSafetensorsHeader(tensors);
    const std::uint64_t headerBytes = header.size();
    WholeFile file(path);
    file.Write(&headerBytes, sizeof headerBytes);
    file.Write(header);
    for (const auto& tensor : tensors)
    {
        file.Write(tensor.values.data(), tensor.values.size() * sizeof(float));
    }
    file.Finish();
}

} // namespace inca
