/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/safetensors.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "trace/value-source.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

using Json = nlohmann::json;

constexpr std::size_t g_mostDimensions = 32;
constexpr std::size_t g_longestTensorName = 1000;

constexpr std::uint64_t g_lengthBytes = 8;
constexpr std::uint64_t g_mostHeaderBytes = 16U << 20U;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are read as they lie in the file");

/** Bytes of one element of each type of the format. */
// clang-format off
const std::map<std::string, std::uint64_t> g_types{
    {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"BOOL", 1},
    {"I64", 8}, {"I32", 4}, {"I16", 2}, {"I8", 1}, {"U64", 8}, {"U32", 4}, {"U16", 2}, {"U8", 1}};
// clang-format on

[[noreturn]] void
RefuseTensor(const std::string& path, const std::string& key, const std::string& text)
{
    throw InputError({path, 0, 0, PrintableAscii(key.substr(0, g_longestTensorName))}, text);
}

bool
IsFloat(const TensorInfo& tensor)
{
    return tensor.dtype == "F32" || tensor.dtype == "BF16" || tensor.dtype == "F16";
}

/** nlohmann::json keeps the last of two equal keys; a header that has them is refused instead. */
Json
ParseJson(const std::string& text, const std::string& path)
{
    std::set<std::string> names;
    const auto checkName = [&](int depth, Json::parse_event_t event, Json& parsed) {
        constexpr int topLevel = 1;
        if (event == Json::parse_event_t::key && depth == topLevel &&
            !names.insert(parsed.get<std::string>()).second)
        {
            RefuseTensor(path, parsed.get<std::string>(), "stands there twice");
        }
        return true;
    };
    auto json = Json::parse(text, checkName, false);
    if (!json.is_object())
    {
        RefuseTensor(path, "", "no safetensors file: its header is no JSON object");
    }
    return json;
}

TensorInfo
ReadEntry(const std::string& name,
          const Json& entry,
          std::uint64_t dataOffset,
          std::uint64_t dataBytes,
          const std::string& path)
{
    const auto refuseIf = [&](bool isWrong, const char* text) {
        if (isWrong)
        {
            RefuseTensor(path, name, text);
        }
    };
    const auto list = [&](const char* key) {
        const auto numbers = entry.value(key, Json());
        refuseIf(!numbers.is_array() || numbers.size() > g_mostDimensions,
                 "shape and data_offsets are lists of at most 32 numbers");
        refuseIf(!std::all_of(numbers.begin(),
                              numbers.end(),
                              [](const auto& number) { return number.is_number_unsigned(); }),
                 "shape and data_offsets are whole numbers from 0");
        return numbers.get<std::vector<std::uint64_t>>();
    };
    refuseIf(name.size() > g_longestTensorName || !entry.is_object(), "no entry of a tensor");
    const auto dtype = entry.value("dtype", Json());
    const auto type = g_types.find(dtype.is_string() ? dtype.get<std::string>() : "");
    refuseIf(type == g_types.end(), "its dtype is not there or none of the format's");
    TensorInfo tensor{name, type->first, 1, 0, 0};
    for (const auto side : list("shape"))
    {
        constexpr std::uint64_t most = 1ULL << 60U; // times the largest type still fits 64 bits
        refuseIf(side != 0 && tensor.elements > most / side, "its shape has too many elements");
        tensor.elements *= side;
    }
    tensor.bytes = tensor.elements * type->second;
    const auto offsets = list("data_offsets");
    refuseIf(offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > dataBytes,
             "its data_offsets do not lie within the file");
    refuseIf(offsets[1] - offsets[0] != tensor.bytes,
             "its data_offsets do not fit its shape and dtype");
    tensor.fileOffset = dataOffset + offsets[0];
    return tensor;
}

std::vector<TensorInfo>
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
    for (const auto& tensor : file.Tensors())
    {
        if (tensor.dtype != "F32")
        {
            throw InputError(path + ": tensor '" + Printable(tensor.name) + "' is " + tensor.dtype +
                             "; codecs take F32 only");
        }
    }
    return file.Tensors().empty() ? fileBytes : file.Tensors().front().fileOffset;
}

/** One open file, and its tensors in the order of the trace's layers. */
struct ValuesFile
{
    SafetensorsFile file;
    std::vector<const TensorInfo*> tensors;

    /** @throws InputError with every layer that the file cannot answer */
    ValuesFile(const GradientTrace& trace, const std::string& path)
        : file(path)
    {
        std::vector<std::string> complaints;
        for (const auto& layer : trace.layers)
        {
            const auto* tensor = file.Find(layer.name);
            tensors.push_back(tensor);
            const auto text =
                tensor == nullptr   ? "the file has no tensor of this layer's name"
                : !IsFloat(*tensor) ? "has dtype " + tensor->dtype + ", not F32, BF16 or F16"
                : tensor->elements != layer.elements
                    ? "has " + std::to_string(tensor->elements) +
                          " elements, the trace's layer has " + std::to_string(layer.elements)
                    : "";
            if (!text.empty())
            {
                complaints.push_back(InputPlace{path, 0, 0, layer.name}.Prefix() + text);
            }
        }
        if (!complaints.empty())
        {
            throw InputError(std::move(complaints));
        }
    }
};

class FileValues : public ValueSource
{
  public:
    FileValues(const GradientTrace& trace, const std::vector<std::string>& paths)
        : m_offsets(trace)
    {
        for (const auto& path : paths)
        {
            m_files.push_back(std::make_unique<ValuesFile>(trace, path));
        }
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        const auto& from = m_files.size() == 1 ? *m_files.front() : *m_files.at(worker);
        m_offsets.ForEach(begin, count, [&](auto layer, auto first, auto length, auto at) {
            from.file.ReadFloats(*from.tensors[layer], first, length, out + at);
        });
    }

    LayerOffsets m_offsets;
    std::vector<std::unique_ptr<ValuesFile>> m_files; ///< one per worker, or one for all
};

} // namespace

std::vector<TensorInfo>
ParseSafetensorsHeader(const std::string& json,
                       std::uint64_t dataOffset,
                       std::uint64_t dataBytes,
                       const std::string& path)
{
    std::vector<TensorInfo> tensors;
    const auto entries = ParseJson(json, path);
    for (const auto& [name, entry] : entries.items())
    {
        if (name != "__metadata__") // which is not ours to judge
        {
            tensors.push_back(ReadEntry(name, entry, dataOffset, dataBytes, path));
        }
    }
    // An empty tensor shares its offset with the next one and comes first.
    std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
        return std::tie(a.fileOffset, a.bytes, a.name) < std::tie(b.fileOffset, b.bytes, b.name);
    });
    std::uint64_t end = dataOffset;
    for (const auto& tensor : tensors)
    {
        if (tensor.fileOffset != end)
        {
            RefuseTensor(path, tensor.name, "overlaps another tensor, or a gap is before it");
        }
        end += tensor.bytes;
    }
    if (end != dataOffset + dataBytes)
    {
        RefuseTensor(path, "", "bytes are left over behind the last tensor");
    }
    return tensors;
}

SafetensorsFile::SafetensorsFile(const std::string& path)
    : m_path(path),
      m_file(path),
      m_tensors(ReadHeader(m_file, path))
{
    for (const auto& tensor : m_tensors)
    {
        m_byName[tensor.name] = &tensor;
    }
}

const TensorInfo*
SafetensorsFile::Find(const std::string& name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : found->second;
}

void
SafetensorsFile::ReadFloats(const TensorInfo& tensor,
                            std::uint64_t begin,
                            std::uint64_t count,
                            float* out) const
{
    if (!IsFloat(tensor))
    {
        RefuseTensor(m_path, tensor.name, "has dtype " + tensor.dtype + ", not F32, BF16 or F16");
    }
    if (tensor.dtype == "F32")
    {
        m_file.Read(tensor.fileOffset + begin * sizeof(float), count * sizeof(float), out);
        return;
    }
    std::vector<std::uint16_t> halves(count);
    m_file.Read(
        tensor.fileOffset + begin * sizeof halves[0], count * sizeof halves[0], halves.data());
    void (*widen)(const std::uint16_t*, std::size_t, float*) = FromFp16;
    if (tensor.dtype == "BF16")
    {
        widen = FromBf16;
    }
    widen(halves.data(), halves.size(), out);
}

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

std::unique_ptr<ValueSource>
MakeFileValues(std::shared_ptr<const GradientTrace> trace,
               const std::string& path,
               std::uint32_t workers)
{
    return MakeFileValues(std::move(trace), ValuesFilePaths(path, workers));
}

std::unique_ptr<ValueSource>
MakeFileValues(std::shared_ptr<const GradientTrace> trace, const std::vector<std::string>& paths)
{
    return std::make_unique<FileValues>(*trace, paths);
}

std::vector<std::string>
ValuesFilePaths(const std::string& path, std::uint32_t workers)
{
    const std::string place = "{worker}";
    const auto at = path.find(place);
    if (at == std::string::npos)
    {
        return {path};
    }
    std::vector<std::string> paths;
    for (std::uint32_t worker = 0; worker < workers; ++worker)
    {
        paths.push_back(path);
        paths.back().replace(at, place.size(), std::to_string(worker));
    }
    return paths;
}

} // namespace inca
