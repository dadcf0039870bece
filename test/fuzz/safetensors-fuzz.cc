/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "trace/layer-statistics.h"
#include "trace/safetensors.h"
#include "trace/value-counts.h"

#include "fuzz/file-in-memory.h"

namespace
{

/** A file is 8 bytes of a length, a header of it, and data: a header alone is given both here. */
std::string
WithLength(const std::string& header)
{
    std::string length;
    for (unsigned i = 0; i < 8; ++i)
    {
        length += static_cast<char>(header.size() >> (8 * i));
    }
    return length + header;
}

void
ReadAll(const std::string& path)
{
    using namespace inca;
    const SafetensorsFile file(path);
    for (const auto& tensor : file.Tensors())
    {
        Require(file.Find(tensor.name) == &tensor);
        if (tensor.dtype == "F32")
        {
            std::vector<float> values(tensor.elements);
            file.ReadFloats(tensor, 0, tensor.elements, values.data());
        }
    }
}

/** As `inca trace measure` does with a single file. */
void
Count(const std::string& path)
{
    using namespace inca;
    const auto trace = std::make_shared<const GradientTrace>(LayersOfFile(path));
    const auto values = MakeFileValues(trace, path, 1);
    for (const auto& counts : CountValues(*values, *trace, {path}))
    {
        Require(counts.nonZero == counts.unionNonZero && counts.nonZero <= counts.elements);
        Require(StatisticsComplaints(StatisticsOf(counts), std::nullopt).empty());
    }
}

} // namespace

/* The first byte says whether what follows is a whole file, or a header before some data. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    static const FileInMemory file;
    Input input(data, size);
    const auto dataBytes = input.Byte();
    const auto rest = input.Rest();
    file.Write(dataBytes == 0 ? rest : WithLength(rest) + std::string(dataBytes - 1U, '\7'));
    try
    {
        ReadAll(file.Path());
        Count(file.Path());
    }
    catch (const InputError&)
    {
    }
    return 0;
}
