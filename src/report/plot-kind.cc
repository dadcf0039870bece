/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-kind.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>

namespace inca
{

const std::vector<std::string>&
PlotKindNames()
{
    static const std::vector<std::string> names{"line", "bar", "stack", "heat", "box"};
    return names;
}

std::string
PlotKindName(PlotKind kind)
{
    return PlotKindNames().at(static_cast<std::size_t>(kind));
}

PlotKind
PlotKindOf(const std::string& name)
{
    const auto found = std::find(PlotKindNames().begin(), PlotKindNames().end(), name);
    if (found == PlotKindNames().end())
    {
        throw InputError("--kind: " + UnknownName(name, PlotKindNames()));
    }
    return static_cast<PlotKind>(found - PlotKindNames().begin());
}

} // namespace inca
