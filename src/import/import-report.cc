/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-report.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
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

std::string
FileLine(const ImportedFile& file)
{
    return fmt::format("{}: {}, {}{}",
                       file.path,
                       file.format,
                       HumanBytes(file.bytes),
                       file.packed ? " unpacked" : "");
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
    if (!m_lenient)
    {
        throw InputError(text + " (--lenient goes on all the same)");
    }
    AddOnce(m_warnings, text);
}

void
ImportReport::Unknown(const std::string& prefix,
                      const std::string& kind,
                      const std::string& name,
                      const std::vector<std::string>& known)
{
    constexpr std::size_t MOST_SHOWN = 60;
    constexpr std::size_t MOST_KNOWN = 24; // more than anybody reads in a message
    const auto shown = Printable(name.substr(0, MOST_SHOWN));
    if (!m_lenient)
    {
        const bool isHint = known.size() <= MOST_KNOWN || !Nearest(shown, known).empty();
        throw InputError(prefix + (isHint ? UnknownName(shown, known) : "unknown '" + shown + "'") +
                         " (no " + kind + " that INCA knows; --lenient leaves it out)");
    }
    using Key = std::pair<std::string, std::string>;
    auto& unknown = Place<Key, UnknownCount>(m_unknown, {kind, shown}, {"name", "of more kinds"});
    unknown.first = unknown.count == 0 ? prefix : unknown.first;
    ++unknown.count;
}

void
ImportReport::Check(const std::string& text)
{
    AddOnce(m_checks, text);
}

void
ImportReport::Assume(const std::string& text)
{
    AddOnce(m_assumed, text);
}

void
ImportReport::Warn(const std::string& text)
{
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

std::vector<std::string>
ImportReport::UnknownLines() const
{
    std::vector<std::string> lines;
    for (const auto& [what, unknown] : m_unknown)
    {
        const auto place = unknown.first.substr(0, unknown.first.rfind(": "));
        lines.push_back(fmt::format(
            "{} x {} '{}', the first at {}", unknown.count, what.first, what.second, place));
    }
    return lines;
}

std::string
ImportReport::Text() const
{
    std::vector<std::string> files;
    for (const auto& file : m_files)
    {
        files.push_back(FileLine(file));
    }
    std::vector<std::string> read;
    for (const auto& [kind, count] : m_read)
    {
        read.push_back(fmt::format("{} x {}", count, kind));
    }
    const std::vector<std::string> bytes{
        fmt::format("{} of gradients in, {} out", m_bytesIn, m_bytesOut)};
    return Section("file", files) + Section("read", read) + Section("taken", {m_mapped}) +
           Section("bytes", bytes) + Section("all-reduce", m_sums) +
           Section("left out", LeftOutLines()) + Section("unknown", UnknownLines()) +
           Section("checked", m_checks) + Section("assumed", m_assumed) +
           Section("warning", m_warnings) +
           (m_unsaid > 0 ? fmt::format("{:<10} {} lines more\n", "", m_unsaid) : "");
}

} // namespace inca
