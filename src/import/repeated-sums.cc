/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/repeated-sums.h"

#include "base/errors.h"

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

} // namespace inca
