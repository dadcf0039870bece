/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "calibration/calibration.h"
#include "calibration/measurement-log.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "scenario/cluster-preset.h"
#include "scenario/keys.h"
#include "scenario/repeated-tables.h"
#include "scenario/scenario-reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr std::uint64_t g_fillsLink = 1U << 20U; ///< smaller tensors say little of a link's rate
constexpr const char* g_fastLink = "100Gbps";    ///< which is taken for this then

struct CalibrateOptions
{
    std::vector<std::string> logs;
    std::vector<std::string> checks;
    std::vector<std::string> settings;
    std::vector<std::uint32_t> ranks; ///< one for all logs, or one for each
    std::string preset;
    std::string out;
    std::string csv;
};

/** The all-reduces of one log. */
struct Log
{
    std::string name;
    std::string library; ///< that INCA knows, by the tool; else "none"
    std::vector<MeasuredTime> times;
};

// -- what was measured

/** One line for the tables of a log, and its notes, each once. */
void
TellOf(const Log& log, const std::vector<MeasurementTable>& tables)
{
    std::set<std::string> notes;
    for (const auto& table : tables)
    {
        notes.insert(table.notes.begin(), table.notes.end());
    }
    std::set<std::uint32_t> ranks;
    for (const auto& time : log.times)
    {
        ranks.insert(time.ranks);
    }
    fmt::print("{}\n",
               Printable(fmt::format("{}: {}, {} ranks, {} all-reduces",
                                     log.name,
                                     tables.front().tool,
                                     fmt::join(ranks, ", "),
                                     log.times.size())));
    for (const auto& note : notes)
    {
        fmt::print("  {}\n", Printable(note));
    }
}

/** Whose collectives a tool measures. NCCL's are rings here: its picks need more than a log says. */
std::string
LibraryOf(const std::string& tool)
{
    return tool == "OSU" || tool == "IMB" ? "openmpi" : tool == "gloo" ? "gloo" : "none";
}

/** @throws InputError if a log cannot be read, or does not say how many ranks there were */
Log
ReadLog(const std::string& path, std::uint32_t ranks)
{
    Log log{path, "none", {}};
    const auto tables = ReadMeasurements(path);
    for (const auto& table : tables)
    {
        log.library = LibraryOf(table.tool);
        const auto known = table.ranks == 0 ? ranks : table.ranks;
        for (const auto& row : table.rows)
        {
            if (known < 2)
            {
                throw InputError(known == 0
                                     ? path + ": it does not say how many ranks there were; give "
                                              "--ranks N"
                                     : path + ": an all-reduce needs 2 ranks, and there was 1");
            }
            log.times.push_back({(row.bytes + 3) / 4 * 4, known, row.seconds});
        }
    }
    TellOf(log, tables);
    return log;
}

/** @param first the number of the first of them among all logs of the command line */
std::vector<Log>
ReadLogs(const std::vector<std::string>& paths, std::size_t first, const std::vector<std::uint32_t>& ranks)
{
    std::vector<Log> logs;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        const auto known = ranks.empty() ? 0 : ranks.size() == 1 ? ranks[0] : ranks[first + i];
        logs.push_back(ReadLog(paths[i], known));
    }
    return logs;
}

std::vector<MeasuredTime>
AllOf(const std::vector<Log>& logs)
{
    std::vector<MeasuredTime> all;
    for (const auto& log : logs)
    {
        all.insert(all.end(), log.times.begin(), log.times.end());
    }
    return all;
}

// -- what is simulated

/** A rate that no measured ring exceeds; how much of the time is the link's, and how much the hosts', files do not say. */
std::string
PeakRate(const std::vector<MeasuredTime>& times)
{
    double most = 0;
    std::uint64_t largest = 0;
    for (const auto& time : times)
    {
        largest = std::max(largest, time.bytes);
        const double ranks = time.ranks;
        const auto bytes = 2 * (ranks - 1) / ranks * static_cast<double>(time.bytes);
        most = std::max(most, bytes / time.seconds);
    }
    if (largest < g_fillsLink)
    {
        return g_fastLink;
    }
    constexpr double frames = 1538.0 / 1460; // of which payload is that part
    constexpr double more = 1.05;
    const auto bits = std::clamp(8 * most * frames * more, 1e3, 1e14);
    const auto unit = std::pow(10, std::floor(std::log10(bits)) - 2);
    return g_bitRate.Format(static_cast<std::uint64_t>(std::llround(bits / unit) * std::llround(unit)));
}

/**
 * The cluster as far as it is known: what files do not tell apart from hosts' costs is as fast as can be.
 * @param library that is taken if no key of [exchange] is set; empty: what the scenario has
 */
Scenario
ClusterOf(const CalibrateOptions& options,
          const std::string& library,
          const std::vector<MeasuredTime>& times)
{
    std::vector<std::string> settings{"training.trace=tensor:4B", "simulation.max_cpu_time=600s"};
    if (!options.logs.empty())
    {
        settings.insert(settings.end(),
                        {"cluster.latency=0ps",
                         "host.sum_rate=none",
                         "cluster.bandwidth=" + PeakRate(times)});
    }
    else if (!options.preset.empty())
    {
        settings.push_back("cluster.preset=" + options.preset);
    }
    const bool picks = std::any_of(options.settings.begin(), options.settings.end(), [](const auto& s) {
        return s.rfind("exchange.", 0) == 0;
    });
    if (!picks && !library.empty())
    {
        settings.push_back("exchange.library=" + library);
    }
    const auto isSet = [&options](const std::string& setting) {
        const auto key = setting.substr(0, setting.find('=') + 1);
        return std::any_of(options.settings.begin(), options.settings.end(), [&](const auto& other) {
            return other.compare(0, key.size(), key) == 0;
        });
    };
    settings.erase(std::remove_if(settings.begin(), settings.end(), isSet), settings.end());
    settings.insert(settings.end(), options.settings.begin(), options.settings.end());
    const auto loaded = ParseScenario("", "", settings);
    Warn(loaded.warnings);
    return loaded.scenario;
}

ProtocolSettings
ProtocolOf(std::uint64_t upToBytes, const StepCosts& costs)
{
    const auto ps = [](double seconds) {
        return static_cast<std::int64_t>(std::llround(std::min(seconds, 1.0) * g_psPerSecond));
    };
    constexpr double slowest = 1;
    constexpr double fastest = 1e-16; // of a byte: what takes less takes nothing
    const auto rate =
        costs.byteSeconds < fastest
            ? 0
            : static_cast<std::uint64_t>(std::llround(1 / std::min(slowest, costs.byteSeconds)));
    return {upToBytes, ps(costs.startSeconds), ps(costs.messageSeconds), rate};
}

/** Simulates all-reduces on a cluster; knows beforehand how long that takes, and says meanwhile how far it is. */
class AllReduces
{
  public:
    /** @param fits whether the costs that are asked for take the place of what the cluster and its library have */
    AllReduces(const Scenario& cluster, bool fits)
        : m_cluster(cluster),
          m_fits(fits)
    {
    }

    /** Adds @p runs of every size and number of ranks to those that are to come. @throws InputError if all take too long */
    void Expect(const std::vector<MeasuredTime>& times, unsigned runs)
    {
        std::set<Place> places;
        for (const auto& time : times)
        {
            places.emplace(time.bytes, time.ranks);
        }
        for (const auto& place : places)
        {
            auto scenario = ScenarioOf(place, {});
            scenario.simulation.maxCpuPs = std::numeric_limits<std::uint64_t>::max();
            const auto seconds = CostOf(scenario).cpuSeconds;
            m_seconds[place] = seconds;
            m_allSeconds += runs * seconds;
        }
        const auto most = static_cast<double>(m_cluster.simulation.maxCpuPs) / g_psPerSecond;
        if (m_allSeconds > most)
        {
            throw InputError(fmt::format(
                "simulation.max_cpu_time: to simulate these logs takes about {:.1f} s, more than "
                "{:.1f} s; leave out the largest sizes, or --set simulation.max_cpu_time={:.0f}s",
                m_allSeconds,
                most,
                std::ceil(2 * m_allSeconds)));
        }
        m_progress.Expect([this] { return m_allSeconds; });
    }

    double Run(std::uint64_t bytes, std::uint32_t ranks, const StepCosts& costs)
    {
        const auto seconds = m_seconds[{bytes, ranks}];
        const auto tell = [&](double share) {
            m_progress.Update((m_doneSeconds + share * seconds) / m_allSeconds);
        };
        const auto record = RunExperiment(ScenarioOf({bytes, ranks}, costs), tell);
        m_doneSeconds += seconds;
        return static_cast<double>(record.results.iterationTimePs) / g_psPerSecond;
    }

    void Done()
    {
        m_progress.Done();
    }

  private:
    using Place = std::pair<std::uint64_t, std::uint32_t>; ///< bytes and ranks

    Scenario ScenarioOf(const Place& place, const StepCosts& costs) const
    {
        const auto [bytes, ranks] = place;
        auto scenario = m_cluster;
        const auto gpus = scenario.cluster.gpus;
        if (ranks % gpus != 0 || ranks / gpus < 2)
        {
            throw InputError(fmt::format(
                "cluster.gpus: {} ranks are not 2 or more workers of {} GPUs", ranks, gpus));
        }
        scenario.cluster.workers = ranks / gpus;
        scenario.cluster.calibrated = nullptr;
        scenario.training.trace = fmt::format("tensor:{}B", bytes);
        if (m_fits)
        {
            scenario.host.protocols = {ProtocolOf(bytes, costs)};
        }
        return scenario;
    }

    Scenario m_cluster;
    bool m_fits;
    std::map<Place, double> m_seconds; ///< of CPU time that one run takes
    double m_allSeconds{0};
    double m_doneSeconds{0};
    Progress m_progress{"calibrate"};
};

// -- what is told

std::string
ByteRateText(double byteSeconds)
{
    return byteSeconds <= 0 ? "none" : HumanBytes(static_cast<std::uint64_t>(1 / byteSeconds)) + "/s";
}

template <class ToText>
std::string
ConstantText(const FittedPiece& piece, std::size_t constant, ToText toText)
{
    if (!piece.isKnown[constant])
    {
        return "not identifiable";
    }
    const auto low = toText(piece.low.Values()[constant]);
    const auto high = toText(piece.high.Values()[constant]);
    const bool isRate = constant == 2; // of which a low cost is a high one
    return fmt::format("{} ({} to {})",
                       toText(piece.costs.Values()[constant]),
                       isRate ? high : low,
                       isRate ? low : high);
}

std::string
PiecesText(const std::vector<FittedPiece>& pieces)
{
    TextTable table({"up to", "of an exchange", "of a message", "a message's bytes at"}, 4);
    for (const auto& piece : pieces)
    {
        table.AddRow({HumanBytes(piece.upToBytes),
                      ConstantText(piece, 0, HumanSeconds),
                      ConstantText(piece, 1, HumanSeconds),
                      ConstantText(piece, 2, ByteRateText)});
    }
    return table.Text();
}

void
AddErrors(const std::string& what, const FitErrors& errors, TextTable& table)
{
    const auto percent = [](double share) { return fmt::format("{:.1f} %", g_percent * share); };
    table.AddRow({what,
                  std::to_string(errors.count),
                  percent(errors.median),
                  percent(errors.p90),
                  percent(errors.worst)});
}

TextTable
ErrorTable()
{
    return TextTable({"predicted against measured", "times", "median", "90 % below", "worst"}, 1);
}

void
Tell(const Calibration& found, TextTable& errors)
{
    fmt::print("\nwhat exchanges cost hosts, with 95 % intervals\n\n{}\n", PiecesText(found.pieces));
    AddErrors("fitted", found.fit, errors);
    for (const auto& one : found.leftOut)
    {
        AddErrors("left out: " + one.what, one.errors, errors);
    }
}

void
TellRange(const Calibration& found)
{
    fmt::print("\nseen: {} to {}, {} ranks; a run outside of that warns\n",
               HumanBytes(found.leastBytes),
               HumanBytes(found.mostBytes),
               fmt::join(found.ranks, ", "));
    if (found.repeats > 0)
    {
        fmt::print("repeats of a size differ from their mean by {:.1f} % in the median: nothing "
                   "below that can be claimed\n",
                   g_percent * found.repeats);
    }
    for (const auto& note : found.notes)
    {
        fmt::print("{}\n", note);
    }
}

/** The median of each size beside what is predicted, as rows that `inca plot` draws. */
std::string
PredictedCsv(const std::vector<PredictedTime>& times)
{
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<PredictedTime>> bySize;
    for (const auto& time : times)
    {
        bySize[{time.measured.ranks, time.measured.bytes}].push_back(time);
    }
    std::string text = "bytes,ranks,series,time_s\n";
    for (auto& [place, all] : bySize)
    {
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::nth_element(all.begin(), middle, all.end(), [](const auto& a, const auto& b) {
            return a.measured.seconds < b.measured.seconds;
        });
        for (const auto& [series, seconds] : {std::pair("measured", middle->measured.seconds),
                                              std::pair("predicted", middle->seconds)})
        {
            text += fmt::format("{1},{0},\"{2}, {0} ranks\",{3:.9g}\n",
                                place.first,
                                place.second,
                                series,
                                seconds);
        }
    }
    return text;
}

std::string
PresetText(const CalibrateOptions& options, Scenario cluster, const Calibration& found)
{
    CalibratedRange range{found.leastBytes, found.mostBytes, found.ranks, found.fit.p90,
                          found.LeftOutError(), found.BeyondError(), {}, {}};
    for (const auto& piece : found.pieces)
    {
        cluster.host.protocols.push_back(ProtocolOf(piece.upToBytes, piece.costs));
        range.low.push_back(ProtocolOf(piece.upToBytes, piece.low));
        range.high.push_back(ProtocolOf(piece.upToBytes, piece.high));
    }
    cluster.cluster.workers = Scenario{}.cluster.workers;
    std::string text = fmt::format(
        "# A cluster as inca calibrate found it in {}.\n"
        "# Use it as cluster.preset = \"{}\". Its keys hold where a scenario does not say otherwise.\n\n",
        fmt::join(options.logs, ", "),
        options.out);
    for (const auto& table : TableNames())
    {
        const auto keys = FormatTable(cluster, table, TableKeys::CHANGED);
        text += table == "training" || table == "simulation" || keys.empty() ? "" : keys + "\n";
    }
    return text + FormatRepeated(cluster, *FindRepeatedTable("host.protocol")) + "\n" +
           FormatCalibration(range);
}

// -- the two ways to work

void
RequireSense(const CalibrateOptions& options)
{
    const auto files = options.logs.size() + options.checks.size();
    if (files == 0)
    {
        throw InputError("calibrate needs logs to fit, or logs to predict with --check");
    }
    if (options.ranks.size() > 1 && options.ranks.size() != files)
    {
        throw InputError(fmt::format("--ranks: needs one number for all logs, or one for each of the {}, "
                                     "those of --check last; got {}",
                                     files,
                                     options.ranks.size()));
    }
    if (!options.logs.empty() && !options.preset.empty())
    {
        throw InputError("--preset: is judged by logs of --check, and takes no part in a fit");
    }
    for (const auto& setting : options.settings)
    {
        for (const std::string key : {"cluster.preset=", "cluster.workers=", "host.protocol."})
        {
            if (!options.logs.empty() && setting.rfind(key, 0) == 0)
            {
                throw InputError("--set " + setting + ": leave it out; logs and --ranks say how many ranks there "
                                 "are, and what exchanges cost hosts is fitted");
            }
        }
    }
    if (options.logs.empty() && !options.out.empty())
    {
        throw InputError("--out: needs logs to fit; those of --check are predicted alone");
    }
}

void
CalibrateLogs(const CalibrateOptions& options)
{
    RequireSense(options);
    for (const auto& path : {options.out, options.csv})
    {
        if (!path.empty())
        {
            const AtomicFile trial(path); // before the work
        }
    }
    const auto logs = ReadLogs(options.logs, 0, options.ranks);
    const auto checks = ReadLogs(options.checks, logs.size(), options.ranks);
    const auto times = AllOf(logs);
    const bool fits = !logs.empty();
    const auto cluster = ClusterOf(options, fits ? logs.front().library : "", times);
    AllReduces runs(cluster, fits);
    runs.Expect(times, RUNS_OF_A_FIT);
    runs.Expect(AllOf(checks), 1);
    const auto simulate = [&runs](std::uint64_t bytes, std::uint32_t ranks, const StepCosts& costs) {
        return runs.Run(bytes, ranks, costs);
    };
    auto errors = ErrorTable();
    Calibration found;
    found.pieces = {{}}; // where nothing is fitted, the cluster's own costs hold
    if (fits)
    {
        found = Calibrate(times, simulate);
        runs.Done();
        Tell(found, errors);
    }
    for (const auto& log : checks)
    {
        const auto predicted = Predict(found.pieces, log.times, simulate);
        AddErrors("check: " + log.name, ErrorsOf(predicted), errors);
        found.times.insert(found.times.end(), predicted.begin(), predicted.end());
    }
    runs.Done();
    fmt::print("{}", PrintableLines(errors.Text()));
    if (fits)
    {
        TellRange(found);
    }
    std::vector<FileText> files;
    if (!options.out.empty())
    {
        files.push_back({options.out, PresetText(options, cluster, found)});
    }
    if (!options.csv.empty())
    {
        files.push_back({options.csv, PredictedCsv(found.times)});
    }
    WriteAtomically(files);
}

/** "4,8,16" @throws UnitError */
std::vector<std::uint32_t>
ParseRanks(const std::string& text)
{
    std::vector<std::uint32_t> ranks;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const auto comma = std::min(text.find(',', begin), text.size());
        ranks.push_back(static_cast<std::uint32_t>(
            WholeForm({2, 65'536}).parse(text.substr(begin, comma - begin))));
        begin = comma + 1;
    }
    return ranks;
}

} // namespace

void
AddCalibrateCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<CalibrateOptions>();
    auto* command = app.add_subcommand(
        "calibrate", "a preset of your cluster from logs of its collectives, and how far off it is");
    const OptionAdder add(*command);
    add("logs LOG",
        options->logs,
        "of nccl-tests, OSU, IMB, gloo and others, or a CSV of bytes, ranks, time_us: all-reduces");
    add("-o,--out FILE.toml", options->out, "the preset, for cluster.preset");
    add("--check LOG", options->checks, "a log to predict, without a part in the fit; may be given again");
    add("--preset FILE.toml", options->preset, "of the cluster whose logs --check predicts; without logs to fit");
    add("--ranks N,...",
        options->ranks,
        ParseRanks,
        "of logs that do not say how many there were: one number, or one for each log");
    AddSetOption(*command, options->settings);
    add("--csv FILE", options->csv, "the measured median of every size, and its prediction, for `inca plot`");
    command->callback([options] { CalibrateLogs(*options); });
}

} // namespace inca
