/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_KIND_H
#define INCA_REPORT_PLOT_KIND_H

#include <string>
#include <vector>

namespace inca
{

/** How values are drawn. */
enum class PlotKind
{
    LINE,  ///< over numbers
    BAR,   ///< side by side, over names or numbers
    STACK, ///< the parts of the time, one on the other
    HEAT,  ///< two keys, values as colours
    BOX,   ///< how runs of several seeds are distributed
};

/** Every kind's name. */
const std::vector<std::string>& PlotKindNames();

/** @return "line" */
std::string PlotKindName(PlotKind kind);

/** @throws InputError that names --kind and the nearest */
PlotKind PlotKindOf(const std::string& name);

} // namespace inca

#endif // INCA_REPORT_PLOT_KIND_H
