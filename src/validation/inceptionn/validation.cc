/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/validation.h"

#include "base/errors.h"
#include "validation/inceptionn/figures.h"
#include "validation/inceptionn/prediction.h"
#include "validation/inceptionn/published.h"
#include "validation/inceptionn/scenarios.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

using Models = std::vector<InceptionnModel>;

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

/** Tells how far all runs together are; a run takes as long as its gradients are large. */
class WholeProgress
{
  public:
    WholeProgress(const Models& models, ValidationProgress onProgress)
        : m_onProgress(std::move(onProgress))
    {
        for (const auto& model : models)
        {
            m_whole += model.gradientMegabytes * g_inceptionnSystems.size();
        }
    }

    ValidationProgress Begin(const InceptionnModel& model)
    {
        const double before = m_done;
        m_done += model.gradientMegabytes;
        return [this, before, size = model.gradientMegabytes](double share) {
            if (m_onProgress)
            {
                m_onProgress((before + share * size) / m_whole);
            }
        };
    }

  private:
    ValidationProgress m_onProgress;
    double m_whole{0};
    double m_done{0};
};

Scenario
Changed(const Scenario& scenario, const std::vector<std::string>& settings)
{
    auto changed = WithSettings(scenario, "inceptionn", settings);
    if (changed.cluster.workers != g_inceptionnWorkers)
    {
        throw InputError("--set: cluster.workers: INCEPTIONN's numbers are of 4 workers");
    }
    return changed;
}

PerSystem<SystemPrediction>
Predict(const InceptionnModel& model, const ValidationRequest& request, WholeProgress& progress)
{
    PerSystem<SystemPrediction> predictions;
    for (const auto system : g_inceptionnSystems)
    {
        const auto scenario = Changed(InceptionnScenario(model, system), request.settings);
        const auto record = request.run(scenario, progress.Begin(model));
        predictions[IndexOf(system)] = PredictionOf(record, system);
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
    WholeProgress progress(models, request.onProgress);
    ValidationReport report{"inceptionn", TitleWithSettings(g_title, request.settings), {}};
    for (const auto& model : models)
    {
        const auto figures = CompareInceptionn(model, Predict(model, request, progress));
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
    }
    return report;
}

} // namespace inca
