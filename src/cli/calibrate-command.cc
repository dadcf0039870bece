/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "calibration/calibration.h"
#include "cli/commands.h"
#include "cli/measured-logs.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "plan/preset-range.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "scenario/cluster-preset.h"
#include "scenario/keys.h"
#include "scenario/repeated-tables.h"
#include "scenario/scenario-reader.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

struct CalibrateOptions
{
    std::vector<std::string> logs;
    std::vector<std::string> checks;
    std::vector<std::string> settings;
    std::vector<std::uint32_t> ranks; ///< as ReadLogs takes them
    std::string preset;
    std::string out;
    std::string csv;
    std::string maxCpuTime{"60s"};
};

// -- what is simulated

/** @param beginning of a setting: "cluster.bandwidth=", or "exchange." for any of these */
bool
IsSet(const std::vector<std::string>& settings, const std::string& beginning)
{
    return std::any_of(settings.begin(), settings.end(), [&](const auto& s) {
        return s.rfind(beginning, 0) == 0;
    });
}

/** The first library that is named; empty: no log has exchanges. */
std::string
FirstLibraryOf(const std::vector<Log>& logs)
{
    const auto first = std::find_if(
        logs.begin(), logs.end(), [](const auto& log) { return !log.library.empty(); });
    return first == logs.end() ? "" : first->library;
}

/** What the fastest stream says of links; 0: there is none. */
double
LinkRateOf(const std::vector<Log>& logs)
{
    double most = 0;
    for (const auto& log : logs)
    {
        most = std::max(most, log.bitsPerSecond);
    }
    return most;
}

/**
 * The cluster as far as it is known: what files do not tell apart from hosts' costs is as fast as can be.
 * @param logs that are fitted, of which the library is taken if no key of [exchange] is set
 */
Scenario
ClusterOf(const CalibrateOptions& options, const std::vector<Log>& logs)
{
    std::vector<std::string> settings{"training.trace=tensor:4B",
                                      "simulation.max_cpu_time=" + options.maxCpuTime};
    const auto library = FirstLibraryOf(logs);
    if (!logs.empty())
    {
        // the fit finds how many times as fast the links are, unless they are known
        const auto bitsPerSecond = LinkRateOf(logs);
        settings.insert(settings.end(),
                        {"cluster.latency=0ps",
                         "host.sum_rate=none",
                         bitsPerSecond == 0
                             ? "cluster.bandwidth=100Gbps"
                             : fmt::format("cluster.bandwidth={:.0f}bps", bitsPerSecond)});
        settings.insert(settings.end(),
                        IsSet(options.settings, "cluster.gpus=") ? 1 : 0,
                        "cluster.gpu_bandwidth=100TBps");
        // a library's ring goes through all GPUs
        const bool picks = library != "none" || IsSet(options.settings, "exchange.");
        settings.insert(settings.end(),
                        IsSet(options.settings, "cluster.gpus=") && !picks ? 1 : 0,
                        "ring.gpus=flat");
    }
    else if (!options.preset.empty())
    {
        settings.push_back("cluster.preset=" + options.preset);
    }
    if (!IsSet(options.settings, "exchange.") && !library.empty())
    {
        settings.push_back("exchange.library=" + library);
    }
    const auto isSet = [&options](const std::string& setting) {
        return IsSet(options.settings, setting.substr(0, setting.find('=') + 1));
    };
    settings.erase(std::remove_if(settings.begin(), settings.end(), isSet), settings.end());
    settings.insert(settings.end(), options.settings.begin(), options.settings.end());
    auto loaded = ParseScenario("", "", settings);
    Warn(loaded.warnings);
    const bool areOfGpus =
        std::any_of(logs.begin(), logs.end(), [](const auto& log) { return log.isOfGpus; });
    if (areOfGpus && !IsSet(options.settings, "host."))
    {
        SetKey(
            loaded.scenario, "host.copy_rate", "none"); // what was measured starts and ends on GPUs
    }
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

std::vector<ProtocolSettings>
ProtocolsOf(const CostModel& model)
{
    std::vector<ProtocolSettings> protocols;
    std::transform(model.pieces.begin(),
                   model.pieces.end(),
                   std::back_inserter(protocols),
                   [](const auto& piece) { return ProtocolOf(piece.upToBytes, piece.costs); });
    return protocols;
}

/** Simulates all-reduces on clusters; knows beforehand how long that takes, and says meanwhile how far it is. */
class AllReduces
{
  public:
    explicit AllReduces(std::uint64_t maxCpuPs)
        : m_mostSeconds(static_cast<double>(maxCpuPs) / g_psPerSecond)
    {
    }

    /** @return what @p runs of every size and number of ranks take on @p cluster (s of CPU time) */
    double SecondsOf(const Scenario& cluster, const std::vector<MeasuredTime>& times, unsigned runs)
    {
        std::set<std::tuple<std::uint64_t, std::uint32_t, bool>> places;
        double seconds = 0;
        for (const auto& time : times)
        {
            if (places.emplace(time.bytes, time.ranks, time.isMessage).second)
            {
                auto scenario = ScenarioOf(cluster, time);
                scenario.simulation.maxCpuPs = std::numeric_limits<std::uint64_t>::max();
                seconds += runs * CostOf(scenario).cpuSeconds;
            }
        }
        return seconds;
    }

    /** Adds so many to those that are to come. @throws InputError if all take too long */
    void Expect(double seconds)
    {
        const auto all = m_allSeconds + seconds;
        if (all > m_mostSeconds)
        {
            throw InputError(fmt::format(
                "--max-cpu-time: to simulate these logs takes about {:.1f} s, more than "
                "{:.1f} s; leave out the largest sizes, or give --max-cpu-time {:.0f}s",
                all,
                m_mostSeconds,
                std::ceil(2 * all)));
        }
        m_allSeconds = all;
        m_progress.Expect([this] { return m_allSeconds; });
    }

    RunResults Run(const Scenario& cluster, const MeasuredTime& time)
    {
        const auto scenario = ScenarioOf(cluster, time);
        const auto seconds = CostOf(scenario).cpuSeconds;
        const auto tell = [&](double share) {
            m_progress.Update(std::min(1.0, (m_doneSeconds + share * seconds) / m_allSeconds));
        };
        const auto record = RunExperiment(scenario, tell);
        m_doneSeconds += seconds;
        return record.results;
    }

    void Done()
    {
        m_progress.Done();
    }

  private:
    static Scenario ScenarioOf(Scenario cluster, const MeasuredTime& time)
    {
        if (time.isMessage)
        {
            cluster.cluster.gpus = 1; // from one host to another
            cluster.exchange.chunkBytes = 0;
        }
        const auto gpus = cluster.cluster.gpus;
        if (time.ranks % gpus != 0 || time.ranks < 2)
        {
            throw InputError(fmt::format(
                "cluster.gpus: {} ranks are not workers of {} GPUs each, 2 ranks at least",
                time.ranks,
                gpus));
        }
        cluster.cluster.workers = time.ranks / gpus;
        cluster.training.trace = fmt::format("tensor:{}B", time.bytes);
        return cluster;
    }

    double m_mostSeconds;
    double m_allSeconds{0};
    double m_doneSeconds{0};
    Progress m_progress{"calibrate"};
};

double
SecondsIn(std::int64_t ps)
{
    return static_cast<double>(ps) / g_psPerSecond;
}

/** A measured time beside what a run on the preset says. */
struct RangedTime : PredictedTime
{
    std::optional<double> low; // s
    std::optional<double> high;
};

/** What runs on @p cluster say of @p times. */
std::vector<RangedTime>
Ranged(const Scenario& cluster, const std::vector<MeasuredTime>& times, AllReduces& runs)
{
    std::map<std::pair<std::uint64_t, std::uint32_t>, RunResults> known;
    std::vector<RangedTime> all;
    for (const auto& time : times)
    {
        if (time.isMessage)
        {
            continue;
        }
        const auto [place, isNew] = known.try_emplace({time.bytes, time.ranks});
        if (isNew)
        {
            place->second = runs.Run(cluster, time);
        }
        const auto& protocols = cluster.host.protocols;
        const auto startPs =
            protocols.empty() ? 0 : protocols[PlaceOfProtocol(protocols, time.bytes)].startPs;
        const auto of = [&, &measured = time](std::optional<std::int64_t> ps) {
            return ps ? std::optional<double>(measured.Of(SecondsIn(*ps), SecondsIn(startPs)))
                      : std::nullopt;
        };
        const auto& results = place->second;
        all.push_back({{time, of(results.iterationTimePs).value()},
                       of(results.iterationTimeLowPs),
                       of(results.iterationTimeHighPs)});
    }
    return all;
}

// -- what is told

std::string
ByteRateText(double byteSeconds)
{
    return byteSeconds <= 0 ? "none"
                            : HumanBytes(static_cast<std::uint64_t>(1 / byteSeconds)) + "/s";
}

/** What the models of a calibration have for a constant of a piece: the middle, and between what they stand. */
template <class ToText>
std::string
ConstantText(const Calibration& found,
             const FittedPiece& piece,
             std::size_t constant,
             ToText toText)
{
    const auto of = [&](const StepCosts& costs) { return costs.Values()[constant]; };
    auto low = of(piece.costs);
    auto high = low;
    const auto widen = [&](const CostModel& model) {
        const auto other = of(PieceOf(model.pieces, piece.upToBytes).costs);
        low = std::min(low, other);
        high = std::max(high, other);
    };
    for (const auto& one : found.alternatives)
    {
        widen(one.model);
    }
    for (const auto& one : found.leftOut)
    {
        if (!one.fold.empty())
        {
            widen(one.model);
        }
    }
    const bool isRate = constant == 2; // of which a low cost is a high one
    return fmt::format("{} ({} to {})",
                       toText(of(piece.costs)),
                       toText(isRate ? high : low),
                       toText(isRate ? low : high));
}

std::string
PiecesText(const Calibration& found)
{
    TextTable table({"up to", "of an exchange", "of a message", "a message's bytes at"}, 4);
    for (const auto& piece : found.model.pieces)
    {
        table.AddRow({HumanBytes(piece.upToBytes),
                      ConstantText(found, piece, 0, HumanSeconds),
                      ConstantText(found, piece, 1, HumanSeconds),
                      ConstantText(found, piece, 2, ByteRateText)});
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

/** The errors of folds of sizes, all together and by size. */
void
AddFolds(const Calibration& found, TextTable& errors)
{
    constexpr std::array<std::uint64_t, 5> bands{
        4ULL << 10U, 64ULL << 10U, 1ULL << 20U, 16ULL << 20U, ~0ULL};
    std::vector<PredictedTime> all;
    std::map<std::uint64_t, std::vector<PredictedTime>> byBand;
    for (const auto& one : found.leftOut)
    {
        for (const auto& time : one.fold == "sizes" ? one.times : std::vector<PredictedTime>{})
        {
            all.push_back(time);
            byBand[*std::lower_bound(bands.begin(), bands.end(), time.measured.bytes)].push_back(
                time);
        }
    }
    if (!all.empty())
    {
        AddErrors("left out: one size of four, in turn", ErrorsOf(all), errors);
    }
    for (const auto& [band, times] : byBand)
    {
        const auto text =
            band == bands.back() ? "  above " + HumanBytes(bands[3]) : "  to " + HumanBytes(band);
        AddErrors(text, ErrorsOf(times), errors);
    }
}

void
Tell(const Calibration& found, TextTable& errors)
{
    fmt::print("\nwhat exchanges cost hosts: the middle, and in brackets between what the logs "
               "leave it\n\n{}\n",
               PiecesText(found));
    AddErrors("fitted", ErrorsOf(found.times), errors);
    AddFolds(found, errors);
    for (const auto& one : found.leftOut)
    {
        if (one.fold != "sizes")
        {
            AddErrors("left out: " + one.what, ErrorsOf(one.times), errors);
        }
    }
    fmt::print("seen: {} to {}, {} ranks; a run outside of that has no range, and says so\n",
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
PredictedCsv(const std::vector<RangedTime>& times)
{
    std::map<std::tuple<std::uint32_t, double, std::uint64_t>, std::vector<RangedTime>>
        bySize; // all-reduces after their halves
    for (const auto& one : times)
    {
        bySize[{one.measured.ranks, one.measured.share, one.measured.bytes}].push_back(one);
    }
    const auto textOf = [](const std::optional<double>& seconds) {
        return seconds ? fmt::format("{:.9g}", *seconds) : "";
    };
    std::string text = "bytes,ranks,series,time_s,time_low_s,time_high_s\n";
    for (auto& [place, all] : bySize)
    {
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::nth_element(all.begin(), middle, all.end(), [](const auto& a, const auto& b) {
            return a.measured.seconds < b.measured.seconds;
        });
        const auto& [ranks, share, bytes] = place;
        const auto* const half = share < 1 ? ", gathered or scattered" : "";
        text += fmt::format("{1},{0},\"measured, {0} ranks{2}\",{3:.9g},,\n",
                            ranks,
                            bytes,
                            half,
                            middle->measured.seconds);
        text += fmt::format("{1},{0},\"predicted, {0} ranks{2}\",{3:.9g},{4},{5}\n",
                            ranks,
                            bytes,
                            half,
                            middle->seconds,
                            textOf(middle->low),
                            textOf(middle->high));
    }
    return text;
}

/** What a preset keeps of a calibration beside its constants. */
CalibratedRange
RangeOf(const Calibration& found)
{
    CalibratedRange range{found.leastBytes, found.mostBytes, found.ranks, {}};
    const auto speedOf = [&found](const CostModel& model) {
        return model.linkSpeed / found.model.linkSpeed;
    };
    for (const auto& [what, model] : found.alternatives)
    {
        range.explanations.push_back({what, "", speedOf(model), ProtocolsOf(model), {}});
    }
    for (const auto& one : found.leftOut)
    {
        if (!one.fold.empty())
        {
            range.explanations.push_back(
                {"without " + one.what, one.fold, speedOf(one.model), ProtocolsOf(one.model), {}});
            auto& errors = range.explanations.back().errors;
            for (const auto& time : one.times)
            {
                errors.push_back(std::abs(std::log(time.measured.seconds / time.seconds)));
            }
            std::sort(errors.begin(), errors.end());
        }
    }
    return range;
}

/** A cluster with what was found of it. */
Scenario
Calibrated(const Scenario& tried, const Calibration& found)
{
    auto cluster = Explained(tried, {"", "", found.model.linkSpeed, ProtocolsOf(found.model), {}});
    const auto digits = std::pow(
        10, std::floor(std::log10(static_cast<double>(cluster.cluster.bitsPerSecond))) - 3);
    cluster.cluster.bitsPerSecond = static_cast<std::uint64_t>(
        std::llround(std::round(static_cast<double>(cluster.cluster.bitsPerSecond) / digits) *
                     digits)); // four of them
    cluster.cluster.calibrated = std::make_shared<const CalibratedRange>(RangeOf(found));
    return cluster;
}

std::string
PresetText(const CalibrateOptions& options, Scenario cluster)
{
    cluster.cluster.workers = Scenario{}.cluster.workers;
    std::string text = fmt::format("# A cluster as inca calibrate found it in {}.\n"
                                   "# Use it as cluster.preset = \"{}\". Its keys hold where a "
                                   "scenario does not say otherwise.\n\n",
                                   fmt::join(options.logs, ", "),
                                   options.out);
    for (const auto& table : TableNames())
    {
        const auto keys = FormatTable(cluster, table, TableKeys::CHANGED);
        text += table == "training" || table == "simulation" || keys.empty() ? "" : keys + "\n";
    }
    return text + FormatRepeated(cluster, *FindRepeatedTable("host.protocol")) + "\n" +
           FormatCalibration(*cluster.cluster.calibrated);
}

// -- the two ways to work

void
RequireSense(const CalibrateOptions& options)
{
    if (options.logs.empty() && options.checks.empty())
    {
        throw InputError("calibrate needs logs to fit, or logs to predict with --check");
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
                throw InputError("--set " + setting +
                                 ": leave it out; logs and --ranks say how many ranks there "
                                 "are, and what exchanges cost hosts is fitted");
            }
        }
    }
    if (options.logs.empty() && !options.out.empty())
    {
        throw InputError("--out: needs logs to fit; those of --check are predicted alone");
    }
}

Calibration
Fit(const Scenario& cluster,
    LinkGuess link,
    const std::vector<MeasuredTime>& times,
    AllReduces& runs)
{
    const auto seconds = [&](const MeasuredTime& time, const CostModel& model) {
        const auto scenario = Explained(cluster, {"", "", model.linkSpeed, ProtocolsOf(model), {}});
        return SecondsIn(runs.Run(scenario, time).iterationTimePs);
    };
    const Simulation simulation{seconds, cluster.exchange.chunkBytes};
    runs.Expect(runs.SecondsOf(cluster, times, simulation.Runs()));
    return Calibrate(times, simulation, link);
}

/** How many of the times with a range stand in it. */
std::string
InRangeText(const std::vector<RangedTime>& times)
{
    std::size_t ranged = 0;
    std::size_t inside = 0;
    for (const auto& time : times)
    {
        ranged += time.low ? 1 : 0;
        inside +=
            time.low && *time.low <= time.measured.seconds && time.measured.seconds <= *time.high
                ? 1
                : 0;
    }
    return ranged == 0 ? "no range, as none is between those that were measured"
                       : fmt::format("{} of {} in their range", inside, ranged);
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
    auto paths = options.logs;
    paths.insert(paths.end(), options.checks.begin(), options.checks.end());
    const auto all = ReadLogs(paths, options.ranks);
    const auto firstCheck = all.begin() + static_cast<std::ptrdiff_t>(options.logs.size());
    const std::vector<Log> logs(all.begin(), firstCheck);
    const std::vector<Log> checks(firstCheck, all.end());
    if (!logs.empty() && FirstLibraryOf(logs).empty())
    {
        throw InputError("calibrate: messages and streams alone are no exchanges; give a log of "
                         "all-reduces beside them");
    }
    for (const auto& log : checks)
    {
        if (log.library.empty())
        {
            throw InputError(log.name + ": has no exchanges to predict, only messages or streams");
        }
    }
    std::vector<std::string> notes;
    std::vector<MeasuredTime> times;
    for (const auto& log : logs)
    {
        times.insert(times.end(), log.times.begin(), log.times.end());
    }
    times = FewSizes(times, notes);
    auto cluster = ClusterOf(options, logs);
    AllReduces runs(cluster.simulation.maxCpuPs);
    TextTable errors({"predicted against measured", "times", "median", "90 % below", "worst"}, 1);
    if (!logs.empty())
    {
        const auto gpus = cluster.cluster.gpus;
        const bool leaveNode = std::any_of(
            times.begin(), times.end(), [gpus](const auto& time) { return time.ranks > gpus; });
        const bool isTold = LinkRateOf(logs) > 0 || IsSet(options.settings, "cluster.bandwidth=");
        const bool areShared = leaveNode && cluster.cluster.nics < gpus;
        const bool linkIsKnown = !leaveNode || (isTold && !areShared);
        const auto link = linkIsKnown ? LinkGuess::KNOWN
                          : areShared ? LinkGuess::ALL
                                      : LinkGuess::HALF;
        auto fitted = Fit(cluster, link, times, runs);
        runs.Done();
        notes.insert(notes.end(), fitted.notes.begin(), fitted.notes.end());
        fitted.notes = std::move(notes);
        cluster = Calibrated(cluster, fitted);
        fitted.notes.push_back(fmt::format(
            "links: {}{}; exchanges: {}.",
            g_bitRate.Format(cluster.cluster.bitsPerSecond),
            linkIsKnown ? ""
            : areShared ? ", with which they have all of the time of bytes, as GPUs share them"
                        : ", with which they have half of the time of bytes, as nothing says more "
                          "(cluster.bandwidth)",
            cluster.exchange.library == "none" ? cluster.exchange.algorithm
                                               : "as " + cluster.exchange.library + " picks them"));
        Tell(fitted, errors);
    }
    const auto ranged = [&](const std::vector<MeasuredTime>& of) {
        runs.Expect(runs.SecondsOf(cluster, of, 1));
        return Ranged(cluster, of, runs);
    };
    auto shown = options.csv.empty() ? std::vector<RangedTime>{} : ranged(times);
    std::string inRange;
    for (const auto& log : checks)
    {
        const auto predicted = ranged(log.times);
        AddErrors("check: " + log.name,
                  ErrorsOf(std::vector<PredictedTime>(predicted.begin(), predicted.end())),
                  errors);
        inRange +=
            cluster.cluster.calibrated ? log.name + ": " + InRangeText(predicted) + "\n" : "";
        shown.insert(shown.end(), predicted.begin(), predicted.end());
    }
    runs.Done();
    fmt::print("\n{}{}", PrintableLines(errors.Text()), PrintableLines(inRange));
    std::vector<FileText> files;
    if (!options.out.empty())
    {
        files.push_back({options.out, PresetText(options, cluster)});
    }
    if (!options.csv.empty())
    {
        files.push_back({options.csv, PredictedCsv(shown)});
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
        "calibrate",
        "a preset of your cluster from logs of its collectives, and how far off it is");
    const OptionAdder add(*command);
    add("logs LOG",
        options->logs,
        "of nccl-tests, OSU, IMB, gloo and others, or a CSV of bytes, ranks, time_us; - is stdin");
    add("-o,--out FILE.toml", options->out, "the preset, for cluster.preset");
    add("--check LOG",
        options->checks,
        "a log to predict, without a part in the fit; may be given again");
    add("--preset FILE.toml",
        options->preset,
        "of the cluster whose logs --check predicts; without logs to fit");
    add("--ranks N,...",
        options->ranks,
        ParseRanks,
        "how many there were, where logs do not say it: one number, or one for each such log, or "
        "for each");
    AddSetOption(*command, options->settings);
    add("--csv FILE",
        options->csv,
        "the measured median of every size, and its prediction with its range, for `inca plot`");
    add("--max-cpu-time TIME",
        options->maxCpuTime,
        "of all simulations together: more is refused before it begins (60s)");
    command->callback([options] { CalibrateLogs(*options); });
}

} // namespace inca
