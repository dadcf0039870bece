/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy/curve.h"
#include "accuracy/time-to-accuracy.h"
#include "base/atomic-file.h"
#include "base/printable.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "record/result-row.h"
#include "record/sample.h"
#include "report/progress.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct AccuracyOptions
{
    std::string systems;
    std::string curves;
    std::vector<double> targets;
    std::string csv;
};

std::string
PercentText(double share)
{
    return fmt::format("{:.2f} %", g_percent * share);
}

std::string
TimesAsFastText(const std::optional<double>& gain)
{
    return gain ? fmt::format("{:.2f} x", *gain) : "-";
}

std::string
ReachedText(const std::optional<Reached>& reached)
{
    return reached ? HumanSeconds(reached->seconds) : "not reached";
}

std::string
TargetText(double target, const TimedTrainings& trainings)
{
    TextTable table({"system",
                     "iteration",
                     "seeds",
                     "steps",
                     "median time",
                     "of all seeds",
                     "over fp32",
                     "over 16 bits"},
                    1);
    const auto times = TimesTo(target, trainings);
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        const auto& one = times[i];
        const auto count = std::count_if(one.bySeed.begin(),
                                         one.bySeed.end(),
                                         [](const auto& seed) { return seed.has_value(); });
        std::string all;
        for (const auto& seed : one.bySeed)
        {
            all += (all.empty() ? "" : ", ") + (seed ? HumanSeconds(seed->seconds) : "-");
        }
        table.AddRow({trainings.all[i].name,
                      HumanSeconds(trainings.all[i].IterationSeconds()),
                      fmt::format("{} of {}", count, one.bySeed.size()),
                      one.median ? std::to_string(one.median->step) : "-",
                      ReachedText(one.median),
                      all,
                      TimesAsFastText(one.gainOverFull),
                      TimesAsFastText(one.gainOverSixteen)});
    }
    return fmt::format("to {:g} % accuracy\n\n{}\n", g_percent * target, table.Text());
}

/** The first training of its own sums in which nothing was lost: others are compared with it, seed by seed. */
const TimedCurves*
PlainTraining(const TimedTrainings& trainings)
{
    const auto found =
        std::find_if(trainings.all.begin(), trainings.all.end(), [](const auto& one) {
            return one.curves->First().isLossless && !one.isOfOtherOrder &&
                   one.curves->Options().empty();
        });
    return found == trainings.all.end() ? nullptr : &*found;
}

/** "-2.70 +- 0.40": of the seeds that both have, in percentage points. */
std::string
DifferenceText(const CurveGroup& group, const CurveGroup& plain)
{
    std::vector<double> differences;
    for (const auto& curve : group.seeds)
    {
        for (const auto& other : plain.seeds)
        {
            if (other.seed == curve.seed)
            {
                differences.push_back(g_percent *
                                      (curve.rows.back().accuracy - other.rows.back().accuracy));
            }
        }
    }
    if (differences.empty() || &group == &plain)
    {
        return "-";
    }
    const auto sample = SampleOf(differences);
    return sample.count == 1 ? fmt::format("{:+.2f}", sample.mean)
                             : fmt::format("{:+.2f} +- {:.2f}", sample.mean, sample.margin);
}

std::string
EndText(const TimedTrainings& trainings)
{
    const auto* const plain = PlainTraining(trainings);
    TextTable table({"system",
                     "epochs",
                     "time",
                     "accuracy",
                     "least",
                     "most",
                     plain != nullptr ? "points against " + plain->name : "points"},
                    1);
    for (const auto& one : trainings.all)
    {
        std::vector<double> last;
        for (const auto& curve : one.curves->seeds)
        {
            last.push_back(curve.rows.back().accuracy);
        }
        const auto [least, most] = std::minmax_element(last.begin(), last.end());
        table.AddRow({one.name,
                      fmt::format("{:g}", one.curves->First().rows.back().epoch),
                      HumanSeconds(one.seconds.rbegin()->second),
                      PercentText(SampleOf(last).mean),
                      PercentText(*least),
                      PercentText(*most),
                      plain != nullptr ? DifferenceText(*one.curves, *plain->curves) : "-"});
    }
    return "at the end\n\n" + table.Text() + "\n";
}

/** What was trained, and how exact the times are. */
std::string
HeadText(const std::vector<CurveGroup>& curves)
{
    const auto& first = curves.front().First();
    const auto& note = first.notes;
    const auto& data = note.at("data");
    return fmt::format(
        "{}\n"
        "{} workers x {} of {}, {}\n"
        "accuracies: trained, tested every {} steps; times: simulated iterations\n\n",
        note.at("model"),
        first.workers,
        note.at("batch"),
        data.substr(0, data.find(',')),
        note.at("optimizer"),
        first.rows[1].step - first.rows[0].step);
}

std::string
CsvText(const std::vector<TimedSystem>& systems, const TimedTrainings& trainings)
{
    std::string text;
    ForEachRow(systems, trainings, [&text](const Row& row) {
        text += (text.empty() ? CsvHeader(row) : "") + CsvRow(row);
    });
    return text;
}

void
TellTimes(const AccuracyOptions& options)
{
    const auto curves = ReadCurves(options.curves);
    const auto systems = ReadSystems(options.systems);
    Progress progress("accuracy");
    const auto run = [&progress, runs = 0.0, usual = 6.0 * static_cast<double>(systems.size())](
                         const Scenario& scenario) mutable {
        auto outcome = RunPoint(scenario);
        progress.Update(std::min(1.0, ++runs / usual));
        return outcome;
    };
    const auto trainings = JoinCurves(systems, curves, run);
    progress.Done();
    Warn(trainings.warnings);
    if (!options.csv.empty())
    {
        WriteAtomically({{options.csv, CsvText(systems, trainings)}});
    }
    auto text = HeadText(curves);
    for (const auto target : options.targets)
    {
        text += TargetText(target, trainings);
    }
    fmt::print("{}", PrintableLines(text + EndText(trainings)));
}

} // namespace

void
AddAccuracyCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<AccuracyOptions>();
    auto* command = app.add_subcommand(
        "accuracy", "how long training takes to an accuracy, from curves of real trainings");
    const OptionAdder add(*command);
    add("systems DIR|FILE.toml",
        options->systems,
        "whose iterations: the folder of a sweep, or a scenario with its own sweep, or alone")
        ->required();
    add("curves DIR",
        options->curves,
        "accuracy curves, as tools/torch/inca_accuracy.py writes them")
        ->required();
    add("--target ACCURACY,...",
        options->targets,
        ParseTargets,
        "accuracies to come to, such as 80%,82%")
        ->required();
    add("--csv FILE",
        options->csv,
        "writes every test with its time, for `inca plot` and `inca report`");
    command->callback([options] { TellTimes(*options); });
}

} // namespace inca
