/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/collectives.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** @return @p name in lower case, without the characters in @p dropped */
std::string
Lowered(const std::string& name, const std::string& dropped)
{
    std::string text;
    for (const auto letter : name)
    {
        if (dropped.find(letter) == std::string::npos)
        {
            text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
        }
    }
    return text;
}

} // namespace

std::optional<ElementType>
FindElementType(const std::string& name)
{
    static const std::vector<std::pair<ElementType, std::vector<std::string>>> types{
        {{"fp32", 4}, {"float", "float32", "fp32"}},
        {{"fp16", 2}, {"half", "float16", "fp16"}},
        {{"bf16", 2}, {"bfloat16", "bf16"}},
        {{"fp64", 8}, {"double", "float64"}},
        {{"int64", 8}, {"long", "longint", "int64"}},
        {{"int32", 4}, {"int", "int32"}},
        {{"int16", 2}, {"short", "int16"}},
        {{"int8", 1}, {"char", "int8", "signedchar"}},
        {{"uint8", 1}, {"byte", "uint8", "unsignedchar"}},
        {{"uint32", 4}, {"uint32"}},
        {{"uint64", 8}, {"uint64"}},
        {{"bool", 1}, {"bool"}},
        {{"fp8", 1}, {"float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"}},
        {{"complex64", 8}, {"complexfloat"}},
        {{"complex128", 16}, {"complexdouble"}}};
    const auto key = Lowered(name.substr(name.find_last_of(":.") + 1), " ");
    for (const auto& [type, names] : types)
    {
        if (std::find(names.begin(), names.end(), key) != names.end())
        {
            return type;
        }
    }
    return std::nullopt;
}

std::uint64_t
BytesOfGradientType(const std::string& type)
{
    return type == "fp32" ? 4 : type == "fp16" || type == "bf16" ? 2 : 0;
}

std::string
NormalisedCollective(const std::string& name)
{
    return Lowered(name, "_ ");
}

bool
IsSum(const std::string& collective)
{
    return collective.rfind("allreduce", 0) == 0 || collective.find("reducescatter") < 2;
}

bool
IsScattered(const std::string& collective)
{
    return collective.rfind("allreduce", 0) != 0;
}

void
AssumeOfSum(const std::string& collective, ImportReport& report)
{
    if (IsScattered(collective))
    {
        report.Assume(
            "a reduce-scatter of gradients is exchanged as an all-reduce of as many bytes");
    }
}

std::string
WhyCollectiveLeftOut(const std::string& collective, std::uint64_t bytes)
{
    if (bytes == 0)
    {
        return "moves nothing, or has no size";
    }
    if (collective.find("alltoall") != std::string::npos)
    {
        return "expert parallel (or embeddings), which INCA does not simulate";
    }
    if (collective == "send" || collective == "recv")
    {
        return "pipeline parallel, which INCA does not simulate";
    }
    if (collective.rfind("allgather", 0) == 0)
    {
        return "gathers weights or activations; INCA gathers weights itself (training.sharding)";
    }
    return IsSum(collective) ? "outside backward or of another group: tensor parallel, which INCA "
                               "does not simulate"
                             : "no sum of gradients";
}

} // namespace inca
