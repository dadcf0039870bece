/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-report.h"

#include "base/errors.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>

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

} // namespace inca
