/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "experiment/run-experiment.h"
#include "report/progress.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct ValidateOptions
{
    std::string name;
    std::string csv;
    std::string steps;
    std::vector<std::string> models;
    std::vector<std::string> settings;
    std::uint32_t seeds{20};
};

/** "inceptionn (alexnet, hdc)" for each validation. */
std::string
KnownModels()
{
    std::string text;
    for (const auto& validation : ValidationCatalog())
    {
        text += fmt::format("{}{} ({})",
                            text.empty() ? "" : "; ",
                            validation.name,
                            fmt::join(validation.models, ", "));
    }
    return text;
}

std::vector<Validation>
Chosen(const ValidateOptions& options)
{
    if (options.name.empty() && !options.models.empty())
    {
        throw InputError("--model: needs the validation's name before it: " + KnownModels());
    }
    if (options.name != "mlperf" && !options.steps.empty())
    {
        throw InputError("--steps: needs the validation's name before it: mlperf");
    }
    return options.name.empty() ? ValidationCatalog()
                                : std::vector<Validation>{FindValidation(options.name)};
}

ValidationReport
ReportOf(const Validation& validation, const ValidateOptions& options)
{
    Progress progress(validation.name);
    return Validate(validation,
                    {options.models,
                     options.settings,
                     [](const Scenario& scenario, const RunProgress& onProgress) {
                         return RunExperiment(scenario, onProgress);
                     },
                     [&progress](double share) { progress.Update(share); },
                     options.seeds,
                     options.steps});
}

ExitCode
ValidateAll(const ValidateOptions& options)
{
    const auto csv = options.csv.empty() ? nullptr : std::make_unique<AtomicFile>(options.csv);
    std::vector<ValidationReport> reports;
    auto exitCode = ExitCode::DONE;
    for (const auto& validation : Chosen(options))
    {
        fmt::print("{}", reports.empty() ? "" : "\n");
        reports.push_back(ReportOf(validation, options));
        fmt::print("{}", FormatValidation(reports.back()));
        FlushOutput();
        exitCode = CountMisses(reports.back()) > 0 ? ExitCode::CHECK_FAILED : exitCode;
    }
    if (csv)
    {
        csv->Write(ValidationCsv(reports));
        csv->Finish();
    }
    return exitCode;
}

} // namespace

void
AddValidateCommand(CLI::App& app, ExitCode& exitCode)
{
    constexpr std::uint32_t mostSeeds = 100'000;
    auto options = std::make_shared<ValidateOptions>();
    auto* command = app.add_subcommand(
        "validate",
        "predict published numbers and print them side by side; 1 if a judged one misses");
    const OptionAdder add(*command);
    add("name VALIDATION", options->name, "a validation; all without it");
    add("--model MODEL",
        options->models,
        "only this model, may be repeated; known are " + KnownModels());
    add("--set KEY=VALUE", options->settings, "sets a key in every run: table.key=value");
    add("--steps FILE",
        options->steps,
        "mlperf: other measured steps, with the columns of traces/measured/mlperf-steps.csv");
    add("--csv FILE", options->csv, "writes the comparisons to this CSV file");
    command
        ->add_option("--seeds",
                     options->seeds,
                     "runs with random compute times per model and rate, where they are compared")
        ->check(CLI::Range(2U, mostSeeds))
        ->capture_default_str();
    command->callback([options, &exitCode] { exitCode = ValidateAll(*options); });
}

} // namespace inca
