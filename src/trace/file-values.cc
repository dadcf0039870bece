/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "trace/safetensors.h"
#include "trace/value-source.h"

#include <utility>

namespace inca
{

namespace
{

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
            const auto complain = [&](const std::string& text) {
                complaints.push_back(InputPlace{path, 0, 0, layer.name}.Prefix() + text);
            };
            const auto* tensor = file.Find(layer.name);
            tensors.push_back(tensor);
            if (tensor == nullptr)
            {
                complain("the file has no tensor of this layer's name");
            }
            else if (tensor->dtype != "F32" && tensor->dtype != "BF16" && tensor->dtype != "F16")
            {
                complain("has dtype " + tensor->dtype + ", not F32, BF16 or F16");
            }
            else if (tensor->elements != layer.elements)
            {
                complain("has " + std::to_string(tensor->elements) +
                         " elements, the trace's layer has " + std::to_string(layer.elements));
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
