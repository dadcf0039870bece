/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-kind.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace inca
{

namespace
{

const std::vector<std::string>&
Names()
{
    static const std::vector<std::string> names{"line", "bar", "stack", "heat", "box"};
    return names;
}

} // namespace

std::string
PlotKindName(PlotKind kind)
{
    return Names().at(static_cast<std::size_t>(kind));
}

PlotKind
PlotKindOf(const std::string& name)
{
    const auto found = std::find(Names().begin(), Names().end(), name);
    if (found == Names().end())
    {
        throw InputError("--kind: " + UnknownName(name, Names()));
    }
    return static_cast<PlotKind>(found - Names().begin());
}

} // namespace inca
