/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/safetensors.h"

#include "base/errors.h"
#include "trace/safetensors-header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>

namespace inca
{

namespace
{

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are read as they lie in the file");

constexpr std::uint64_t g_lengthBytes = 8;
constexpr std::uint64_t g_mostHeaderBytes = 16U << 20U;

/** @throws InputError unless all of @p count bytes are there */
void
ReadAt(
    int descriptor, std::uint64_t offset, std::uint64_t count, void* out, const std::string& path)
{
    auto* next = static_cast<std::uint8_t*>(out);
    while (count > 0)
    {
        const auto got = pread(descriptor, next, count, static_cast<off_t>(offset));
        if (got <= 0)
        {
            throw InputError({path, 0, 0, ""}, "cannot be read to its end");
        }
        next += got;
        offset += static_cast<std::uint64_t>(got);
        count -= static_cast<std::uint64_t>(got);
    }
}

/** @return the size of a regular file; 0 for anything else */
std::uint64_t
FileBytes(int descriptor)
{
    struct stat status = {};
    const bool isFile = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    return isFile ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::vector<TensorInfo>
ReadTensors(int descriptor, const std::string& path)
{
    const auto fileBytes = FileBytes(descriptor);
    if (fileBytes < g_lengthBytes)
    {
        throw InputError({path, 0, 0, ""}, "no safetensors file: shorter than 8 bytes");
    }
    std::uint64_t headerBytes = 0;
    ReadAt(descriptor, 0, g_lengthBytes, &headerBytes, path);
    if (headerBytes > std::min(g_mostHeaderBytes, fileBytes - g_lengthBytes))
    {
        throw InputError({path, 0, 0, ""},
                         "no safetensors file: a header of " + std::to_string(headerBytes) +
                             " bytes is larger than the file or than 16 MiB");
    }
    std::string json(headerBytes, '\0');
    ReadAt(descriptor, g_lengthBytes, headerBytes, json.data(), path);
    const auto dataOffset = g_lengthBytes + headerBytes;
    return ParseSafetensorsHeader(json, dataOffset, fileBytes - dataOffset, path);
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::string& path)
    : m_path(path),
      m_descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
    if (m_descriptor < 0)
    {
        throw InputError({path, 0, 0, ""}, "cannot be opened");
    }
    try
    {
        m_tensors = ReadTensors(m_descriptor, path);
    }
    catch (...)
    {
        close(m_descriptor);
        throw;
    }
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
    {
        m_indexByName[m_tensors[i].name] = i;
    }
}

SafetensorsFile::~SafetensorsFile()
{
    close(m_descriptor);
}

const TensorInfo*
SafetensorsFile::Find(const std::string& name) const
{
    const auto found = m_indexByName.find(name);
    return found == m_indexByName.end() ? nullptr : &m_tensors[found->second];
}

void
SafetensorsFile::ReadFloats(const TensorInfo& tensor,
                            std::uint64_t begin,
                            std::uint64_t count,
                            float* out) const
{
    if (tensor.dtype != "F32")
    {
        throw InputError({m_path, 0, 0, tensor.name}, "has dtype " + tensor.dtype + ", not F32");
    }
    ReadAt(m_descriptor,
           tensor.fileOffset + begin * sizeof(float),
           count * sizeof(float),
           out,
           m_path);
}

void
WriteSafetensors(const std::string& path, const std::vector<FloatTensor>& tensors)
{
    const auto header = FormatSafetensorsHeader(tensors);
    const std::uint64_t headerBytes = header.size();
    const auto unfinished = path + ".unfinished";
    std::ofstream file(unfinished, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&headerBytes), sizeof headerBytes);
    file << header;
    for (const auto& tensor : tensors)
    {
        file.write(reinterpret_cast<const char*>(tensor.values.data()),
                   static_cast<std::streamsize>(tensor.values.size() * sizeof(float)));
    }
    file.close();
    if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0)
    {
        std::remove(unfinished.c_str());
        throw RunError(path + ": cannot be written");
    }
}

} // namespace inca
