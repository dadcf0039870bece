/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/validation.h"

#include "base/errors.h"
#include "validation/inceptionn/figures.h"
#include "validation/inceptionn/prediction.h"
#include "validation/inceptionn/published.h"
#include "validation/inceptionn/scenarios.h"
#include "validation/measured-run.h"

#include <algorithm>

namespace inca
{

namespace
{

using Models = std::vector<InceptionnModel>;

constexpr const char* g_name = "inceptionn";

Models
Chosen(const std::vector<std::string>& asked)
{
    const auto names = ChosenModels(asked, InceptionnModelNames());
    Models chosen;
    for (const auto& model : InceptionnModels())
    {
        if (std::find(names.begin(), names.end(), model.name) != names.end())
        {
            chosen.push_back(model);
        }
    }
    return chosen;
}

/** @throws InputError if the settings cannot be applied, or ask for another number of workers */
void
CheckSettings(const std::vector<std::string>& settings)
{
    const auto any = InceptionnScenario(InceptionnModels().front(), InceptionnSystem::WA);
    if (WithSettings(any, g_name, settings).cluster.workers != g_inceptionnWorkers)
    {
        throw InputError("--set: cluster.workers: INCEPTIONN's numbers are of 4 workers");
    }
}

/** All systems of all models; a run takes as long as its gradients are large. */
std::vector<PlannedRun>
RunsOf(const Models& models)
{
    std::vector<PlannedRun> runs;
    for (const auto& model : models)
    {
        for (const auto system : g_inceptionnSystems)
        {
            runs.push_back({InceptionnScenario(model, system), model.gradientMegabytes});
        }
    }
    return runs;
}

/** @param runs of one model, by system */
PerSystem<SystemPrediction>
PredictionsOf(const MeasuredRun* runs)
{
    PerSystem<SystemPrediction> predictions;
    for (const auto system : g_inceptionnSystems)
    {
        predictions[IndexOf(system)] = PredictionOf(runs++->results, system);
    }
    return predictions;
}

constexpr const char* g_title =
    "INCEPTIONN (MICRO 2018): 4 workers, 10 GbE, bound 2^-10, sizes only; per iteration";

} // namespace

std::vector<std::string>
InceptionnModelNames()
{
    std::vector<std::string> names;
    for (const auto& model : InceptionnModels())
    {
        names.push_back(model.name);
    }
    return names;
}

ValidationReport
ValidateInceptionn(const ValidationRequest& request)
{
    const auto models = Chosen(request.models);
    CheckSettings(request.settings);
    const auto runs = MeasureAll(g_name, RunsOf(models), request);
    ValidationReport report{g_name, TitleWithSettings(g_title, request.settings), {}};
    const auto* ofModel = runs.data();
    for (const auto& model : models)
    {
        const auto figures = CompareInceptionn(model, PredictionsOf(ofModel));
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
        ofModel += g_inceptionnSystems.size();
    }
    return report;
}

} // namespace inca
