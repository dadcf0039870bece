/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <cstddef>

namespace inca
{

namespace
{

/** @return @p request for the part of the work that lies between two shares of the whole */
ValidationRequest
Phase(const ValidationRequest& request, double from, double to)
{
    auto phase = request;
    if (request.onProgress)
    {
        phase.onProgress = [report = request.onProgress, from, to](double share) {
            report(from + (to - from) * share);
        };
    }
    return phase;
}

} // namespace

const std::vector<Validation>&
ValidationCatalog()
{
    static const std::vector<Validation> validations{
        InceptionnValidation(), SwitchValidation(), HomomorphicValidation()};
    return validations;
}

const Validation&
FindValidation(const std::string& name)
{
    std::vector<std::string> known;
    for (const auto& validation : ValidationCatalog())
    {
        if (name == validation.name)
        {
            return validation;
        }
        known.push_back(validation.name);
    }
    throw InputError("validation: " + UnknownName(name, known));
}

ValidationReport
Validate(const Validation& validation, const ValidationRequest& request)
{
    RefuseKeys(request.settings, validation.fixedKeys);
    const auto parts = validation.parts(ChosenModels(request.models, validation.models), request);
    std::vector<PlannedRun> planned;
    double done = 1; // of the whole work, when the planned runs have ended
    for (const auto& part : parts)
    {
        planned.insert(planned.end(), part.runs.begin(), part.runs.end());
        done -= part.searchShare;
    }
    const auto measured = MeasureAll(validation.name, planned, Phase(request, 0, done));
    ValidationReport report{
        validation.name, TitleWithSettings(validation.title, request.settings), {}};
    auto begin = measured.begin();
    for (const auto& part : parts)
    {
        const auto end = begin + static_cast<std::ptrdiff_t>(part.runs.size());
        const auto found =
            part.compare({begin, end}, Phase(request, done, done + part.searchShare));
        report.comparisons.insert(
            report.comparisons.end(), found.comparisons.begin(), found.comparisons.end());
        report.tables += found.tables;
        done += part.searchShare;
        begin = end;
    }
    return report;
}

} // namespace inca
