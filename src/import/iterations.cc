/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/iterations.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

bool
Repeat(const std::vector<std::uint64_t>& sums, std::size_t times)
{
    if (times == 0 || sums.size() % times != 0 || (sums.empty() && times > 1))
    {
        return false;
    }
    const auto period = static_cast<std::ptrdiff_t>(sums.size() / times);
    return std::equal(sums.begin() + period, sums.end(), sums.begin());
}

/** @return how often the shortest part repeats that all is made of */
std::size_t
MostRepeats(const std::vector<std::uint64_t>& sums)
{
    // the shortest period is what is left beyond the longest border (Knuth, Morris, Pratt)
    std::vector<std::size_t> border(sums.size(), 0);
    for (std::size_t i = 1; i < sums.size(); ++i)
    {
        auto length = border[i - 1];
        while (length > 0 && sums[i] != sums[length])
        {
            length = border[length - 1];
        }
        border[i] = length + (sums[i] == sums[length] ? 1 : 0);
    }
    const auto period = sums.empty() ? 1 : sums.size() - border.back();
    return sums.size() % period == 0 ? sums.size() / period : 1;
}

} // namespace

std::size_t
IterationsOf(const std::vector<std::uint64_t>& sums,
             const ImportOptions& options,
             ImportReport& report)
{
    if (options.iterations)
    {
        const auto count = static_cast<std::size_t>(*options.iterations);
        if (!Repeat(sums, count))
        {
            throw InputError(fmt::format(
                "--iterations: the {} sums of gradients in the record do not repeat {} times",
                sums.size(),
                count));
        }
        report.Assume(fmt::format("{} iterations, as asked: nothing marks them", count));
        return count;
    }
    const auto repeats = MostRepeats(sums);
    if (repeats > 1)
    {
        report.Warn(fmt::format("nothing marks iterations, so all {} sums of gradients are taken "
                                "for one; they repeat {} times: --iterations N says how many "
                                "were recorded",
                                sums.size(),
                                repeats));
    }
    return 1;
}

void
WarnOfIterations(const ImportOptions& options, std::size_t count, ImportReport& report)
{
    if (options.iterations)
    {
        report.Warn(fmt::format("--iterations is not needed: the record marks {} iterations itself",
                                count));
    }
}

std::string
DataParallelGroup(const std::map<std::string, CountedBytes>& groups,
                  const ImportOptions& options,
                  ImportReport& report)
{
    if (!options.group.empty())
    {
        if (groups.count(options.group) == 0)
        {
            throw InputError("--group: no sums of gradients are of a group '" + options.group +
                             "'");
        }
        return options.group;
    }
    auto most = groups.begin();
    std::string text;
    for (auto group = groups.begin(); group != groups.end(); ++group)
    {
        text += fmt::format("{}'{}' ({} of {})",
                            text.empty() ? "" : ", ",
                            Printable(group->first),
                            group->second.count,
                            HumanBytes(group->second.bytes));
        most = group->second.bytes > most->second.bytes ? group : most;
    }
    if (groups.size() > 1)
    {
        report.Doubt("which group's sums are data-parallel gradients? --group says: " + text);
    }
    return groups.empty() ? "" : most->first;
}

std::int64_t
MedianOf(std::vector<std::int64_t> values)
{
    if (values.empty())
    {
        return 0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<std::int64_t>
SharedOut(std::int64_t total, const std::vector<std::uint64_t>& weights)
{
    long double sum = 0;
    for (const auto weight : weights)
    {
        sum += static_cast<long double>(weight);
    }
    std::vector<std::int64_t> parts;
    long double reached = 0;
    std::int64_t given = 0;
    for (const auto weight : weights)
    {
        reached += sum > 0 ? static_cast<long double>(weight) / sum
                           : 1.0L / static_cast<long double>(weights.size());
        const auto end = std::min(
            total, static_cast<std::int64_t>(static_cast<long double>(total) * reached + 0.5L));
        parts.push_back(std::max<std::int64_t>(end - given, 0));
        given += parts.back();
    }
    if (!parts.empty())
    {
        parts.back() += total - given;
    }
    return parts;
}

} // namespace inca
