/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/time-parts.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace inca
{

std::int64_t
TimeParts::TotalPs() const
{
    const auto movingPs = AddSaturated(AddSaturated(linkPs, enginePs), hostPs);
    return AddSaturated(AddSaturated(movingPs, computePs), switchPs);
}

const char*
TimeParts::Largest() const
{
    const std::array<std::pair<std::int64_t, const char*>, 5> parts{{{linkPs, "link"},
                                                                     {enginePs, "engine"},
                                                                     {hostPs, "host"},
                                                                     {computePs, "compute"},
                                                                     {switchPs, "switch"}}};
    return std::max_element(parts.begin(),
                            parts.end(),
                            [](const auto& a, const auto& b) { return a.first < b.first; })
        ->second;
}

TimeParts
Longer(const TimeParts& a, const TimeParts& b)
{
    return a.TotalPs() >= b.TotalPs() ? a : b;
}

TimeParts
Sum(const TimeParts& a, const TimeParts& b)
{
    return {AddSaturated(a.linkPs, b.linkPs),
            AddSaturated(a.enginePs, b.enginePs),
            AddSaturated(a.hostPs, b.hostPs),
            AddSaturated(a.computePs, b.computePs),
            AddSaturated(a.switchPs, b.switchPs)};
}

TimeParts
Times(const TimeParts& parts, double factor)
{
    const auto part = [factor](std::int64_t ps) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(ps) * factor));
    };
    return {part(parts.linkPs),
            part(parts.enginePs),
            part(parts.hostPs),
            part(parts.computePs),
            part(parts.switchPs)};
}

TimeParts
Alternating(const TimeParts& a, const TimeParts& b, double share)
{
    const auto shorter = a.TotalPs() < b.TotalPs() ? a : b;
    return Sum(Longer(a, b), Times(shorter, share));
}

} // namespace inca
