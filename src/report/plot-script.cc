/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-script.h"

#include "base/errors.h"
#include "report/plot-bars.h"
#include "report/plot-heat.h"
#include "report/plot-lines.h"

namespace inca
{

PlotFiles
ScriptOf(const PlotData& data, PictureForm form, const std::vector<std::string>& crossovers)
{
    if (!crossovers.empty() && data.kind != PlotKind::LINE)
    {
        throw InputError("--crossover: lines cross; this is --kind " + PlotKindName(data.kind));
    }
    PlotPage page;
    switch (data.kind)
    {
    case PlotKind::LINE:
        DrawLines(data, crossovers, page);
        break;
    case PlotKind::BAR:
        DrawBars(data, page);
        break;
    case PlotKind::STACK:
        DrawStacks(data, page);
        break;
    case PlotKind::HEAT:
        DrawHeat(data, page);
        break;
    case PlotKind::BOX:
        DrawBoxes(data, page);
        break;
    }
    return page.Files(form);
}

} // namespace inca
