/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/recorded-training.h"

#include "base/errors.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** The place of @p key, or, if there are too many, that of all others. */
template <typename Key, typename Value>
Value&
Place(std::map<Key, Value>& places, const Key& key, const Key& others)
{
    const auto found = places.find(key);
    if (found != places.end())
    {
        return found->second;
    }
    return places[places.size() < ImportReport::MOST_LINES ? key : others];
}

std::string
Section(const char* title, const std::vector<std::string>& lines)
{
    std::string text;
    for (const auto& line : lines)
    {
        text += fmt::format("{:<10} {}\n", text.empty() ? title : "", line);
    }
    return text;
}

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

void
ImportReport::AddOnce(Lines& lines, const std::string& text)
{
    if (std::find(lines.begin(), lines.end(), text) != lines.end())
    {
        return;
    }
    if (lines.size() == MOST_LINES)
    {
        ++m_unsaid;
        return;
    }
    lines.push_back(text);
}

void
ImportReport::Read(const std::string& kind, std::uint64_t count)
{
    Place<std::string, std::uint64_t>(m_read, kind, "others") += count;
}

void
ImportReport::LeaveOut(const std::string& what,
                       const std::string& why,
                       std::uint64_t bytes,
                       std::uint64_t count)
{
    using Key = std::pair<std::string, std::string>;
    auto& counted = Place<Key, CountedBytes>(m_leftOut, {what, why}, {"others", "of more kinds"});
    counted.count += count;
    counted.bytes += bytes;
}

void
ImportReport::Doubt(const std::string& text)
{
    if (!m_isLenient)
    {
        throw InputError(text + " (--lenient goes on all the same)");
    }
    AddOnce(m_warnings, text);
}

std::vector<std::string>
ImportReport::LeftOutLines() const
{
    std::vector<std::string> lines;
    for (const auto& [what, counted] : m_leftOut)
    {
        lines.push_back(fmt::format("{} x {}{}: {}",
                                    counted.count,
                                    what.first,
                                    counted.bytes > 0 ? ", " + HumanBytes(counted.bytes) : "",
                                    what.second));
    }
    return lines;
}

std::string
ImportReport::Text() const
{
    std::vector<std::string> fileLines;
    for (const auto& file : files)
    {
        fileLines.push_back(fmt::format("{}: {}, {}{}",
                                        file.path,
                                        file.format,
                                        HumanBytes(file.bytes),
                                        file.packed ? " unpacked" : ""));
    }
    std::vector<std::string> read;
    for (const auto& [kind, count] : m_read)
    {
        read.push_back(fmt::format("{} x {}", count, kind));
    }
    const std::vector<std::string> bytes{
        fmt::format("{} of gradients in, {} out", bytesIn, bytesOut)};
    return Section("file", fileLines) + Section("read", read) + Section("taken", {mapped}) +
           Section("bytes", bytes) + Section("all-reduce", sums) +
           Section("left out", LeftOutLines()) + Section("checked", m_checks) +
           Section("assumed", m_assumed) + Section("warning", m_warnings) +
           (m_unsaid > 0 ? fmt::format("{:<10} {} lines more\n", "", m_unsaid) : "");
}

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
