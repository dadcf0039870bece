/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "cli/commands.h"
#include "experiment/run-experiment.h"
#include "record/csv-file.h"
#include "report/progress.h"
#include "validation/comparison-text.h"
#include "validation/validation-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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
    std::vector<std::string> models;
    std::vector<std::string> settings;
};

std::vector<ValidationEntry>
Chosen(const std::string& name)
{
    return name.empty() ? ValidationCatalog() : std::vector{FindValidation(name)};
}

ValidationReport
Validate(const ValidationEntry& entry, const ValidateOptions& options)
{
    Progress progress(entry.name);
    const auto onProgress = [&progress](double share) { progress.Update(share); };
    return entry.validate({options.models, options.settings, RunExperiment, onProgress});
}

ExitCode
ValidateAll(const ValidateOptions& options)
{
    std::vector<ValidationReport> reports;
    auto exitCode = ExitCode::DONE;
    for (const auto& entry : Chosen(options.name))
    {
        reports.push_back(Validate(entry, options));
        fmt::print("{}", FormatValidation(reports.back()));
        exitCode = CountMisses(reports.back()) > 0 ? ExitCode::CHECK_FAILED : exitCode;
    }
    if (!options.csv.empty())
    {
        WriteWholeFile(options.csv, ValidationCsv(reports));
    }
    return exitCode;
}

/** "inceptionn (alexnet, hdc)" for each validation. */
std::string
KnownModels()
{
    std::string text;
    for (const auto& entry : ValidationCatalog())
    {
        text += fmt::format(
            "{}{} ({})", text.empty() ? "" : "; ", entry.name, fmt::join(entry.models(), ", "));
    }
    return text;
}

} // namespace

void
AddValidateCommand(CLI::App& app, ExitCode& exitCode)
{
    auto options = std::make_shared<ValidateOptions>();
    auto* command = app.add_subcommand(
        "validate",
        "predict published numbers and print them side by side; 1 if a judged one misses");
    command->add_option("name", options->name, "a validation; all without it");
    command
        ->add_option("--model",
                     options->models,
                     "only this model, may be repeated; known are " + KnownModels())
        ->expected(1)
        ->take_all()
        ->type_name("NAME");
    command->add_option("--set", options->settings, "sets a key in every run: table.key=value")
        ->expected(1)
        ->take_all()
        ->type_name("KEY=VALUE");
    command->add_option("--csv", options->csv, "writes the comparisons to this CSV file")
        ->type_name("FILE");
    command->callback([options, &exitCode] { exitCode = ValidateAll(*options); });
}

} // namespace inca
