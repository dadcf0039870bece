/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/points.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "experiment/input-checksums.h"
#include "inca-version.h"
#include "plan/plan-maker.h"
#include "record/csv-text.h"
#include "scenario/grid.h"
#include "scenario/key-row.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "sweep/scenario-variants.h"
#include "trace/gradient-trace.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <dlfcn.h>

namespace inca
{

namespace
{

/** Of the program, or of the library that has this: the program is called as its user has called it, from elsewhere by now. */
std::string
OwnFile()
{
    const std::string program = "/proc/self/exe";
    Dl_info info{};
    std::error_code error;
    const bool isLibrary = ::dladdr(reinterpret_cast<void*>(&OwnFile), &info) != 0 &&
                           std::filesystem::path(info.dli_fname).is_absolute() &&
                           !std::filesystem::equivalent(info.dli_fname, program, error);
    return isLibrary ? info.dli_fname : program;
}

/** What it holds, whatever it is called. */
std::string
TraceText(const Scenario& scenario)
{
    const auto& trace = scenario.training.readTrace;
    return trace == nullptr       ? scenario.training.trace
           : trace->checksum != 0 ? "crc32 " + ChecksumText(trace->checksum)
                                  : fmt::format("tensor of {} elements", trace->Elements());
}

std::string
ValuesText(const std::vector<InputChecksum>& files)
{
    std::string text;
    for (const auto& file : files)
    {
        text += (text.empty() ? "crc32 " : " ") + ChecksumText(file.crc32);
    }
    return text;
}

using Texts = std::vector<std::string>;

constexpr const char* g_seedKey = "simulation.seed";

std::vector<std::string>
TextsOf(const std::vector<Varied>& settings)
{
    std::vector<std::string> texts;
    for (const auto& setting : settings)
    {
        texts.push_back(setting.text);
    }
    return texts;
}

std::vector<Varied>
Joined(std::vector<Varied> a, const std::vector<Varied>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

class Planner
{
  public:
    explicit Planner(const SweepRequest& request)
        : m_request(request),
          m_name(ScenarioName(request.scenario)),
          m_text(ReadScenarioText(request.scenario)),
          m_spec(JoinSweeps(ParseSweep(m_text, m_name), request.options, request.settings))
    {
        if (!m_spec.Varies() && request.repeat == 1)
        {
            ParseScenario(m_text, m_name, request.settings); // may say what is wrong with [sweep]
            throw InputError(
                InputPlace{m_name, 0, 0, "sweep.vary"},
                "nothing varies; say what, in the file as vary = "
                "[\"cluster.workers=2..64:x2\"] or as --vary cluster.workers=2..64:x2");
        }
        RequireOneSeed();
        ChooseSystems();
    }

    SweepPlan Plan()
    {
        for (const auto& grid : ExpandGrid(m_spec))
        {
            ThrowIfInterrupted();
            Add(grid);
        }
        RequirePoints();
        m_plan.warnings = m_idle.Warnings();
        if (m_request.repeat > 1 && !m_isRandom)
        {
            m_plan.warnings.emplace_back(
                "--repeat: has no effect: nothing is random, and all seeds give the same; "
                "training.jitter, cluster.loss_rate and training.values would be");
        }
        m_plan.base = Base();
        m_plan.repeat = m_request.repeat;
        m_plan.against = m_request.against;
        FindAgainst();
        m_plan.command = WithSettings({"inca", "run", m_request.scenario}, m_request.settings);
        auto& points = m_plan.points;
        const auto& shard = m_request.shard;
        m_plan.all = points.size();
        const auto isElsewhere = [&shard](const SweepPoint& point) {
            return (point.number - 1) % shard.of + 1 != shard.number;
        };
        points.erase(std::remove_if(points.begin(), points.end(), isElsewhere), points.end());
        return std::move(m_plan);
    }

  private:
    /** Both would say what the seed is. */
    void RequireOneSeed() const
    {
        for (const auto& varied : Joined(m_spec.zip, m_spec.vary))
        {
            if (m_request.repeat > 1 && VariedName(varied.text) == g_seedKey)
            {
                throw InputError(varied.origin + " " + g_seedKey +
                                 ": --repeat varies it, too; leave one of them out");
            }
        }
    }

    void ChooseSystems()
    {
        auto& systems = m_spec.systems;
        Texts labels;
        for (const auto& system : systems)
        {
            labels.push_back(system.label);
        }
        const auto require = [&labels](const std::string& label, const char* option) {
            if (!IsAmong(label, labels))
            {
                throw InputError(option + (labels.empty()
                                               ? "there is no system; name one with --system, "
                                                 "such as --system plain:codec.name=none"
                                               : UnknownName(label, labels)));
            }
        };
        Texts chosen{m_request.against};
        if (!m_request.against.empty())
        {
            require(m_request.against, "--against: ");
        }
        for (const auto& text : m_request.only)
        {
            for (const auto& label :
                 IsAmong(text, labels) ? Texts{text} : ParseValues(text, g_mostGridPoints))
            {
                require(label, "--only: ");
                chosen.push_back(label);
            }
        }
        const auto isLeftOut = [&](const System& system) {
            return !m_request.only.empty() && !IsAmong(system.label, chosen);
        };
        systems.erase(std::remove_if(systems.begin(), systems.end(), isLeftOut), systems.end());
    }

    /** Tells each point of the one that has the same values and seed, of the system that gains are over. */
    void FindAgainst()
    {
        std::map<std::vector<std::string>, std::string> keys;
        for (const auto& point : m_plan.points)
        {
            if (!m_plan.against.empty() && point.label == m_plan.against)
            {
                keys.emplace(point.varied, point.key);
            }
        }
        for (auto& point : m_plan.points)
        {
            const auto found = keys.find(point.varied);
            const bool isCompared = found != keys.end() && point.refusal.empty();
            point.against = isCompared ? found->second : "";
        }
    }

    void Add(const GridPoint& grid)
    {
        const auto settings = Joined(grid.ofSystem, grid.varied);
        auto loaded = TryScenario(m_text, m_name, m_request.settings, settings);
        auto complaints = loaded.complaints;
        if (complaints.empty())
        {
            m_idle.Add(loaded);
            complaints = WhyNot(loaded.scenario);
            m_isRandom = m_isRandom || IdleReason(*FindKey(g_seedKey), loaded.scenario).empty();
        }
        AddOnce(m_complaints, complaints);
        AddSeeds({0,
                  grid.label,
                  TextsOf(grid.varied),
                  TextsOf(settings),
                  std::move(loaded.scenario),
                  fmt::format("{}", fmt::join(complaints, "; ")),
                  "",
                  ""});
    }

    /** Reads its trace; a strict sweep knows of every point before anything runs. */
    std::vector<std::string> WhyNot(Scenario& scenario)
    {
        try
        {
            scenario.training.readTrace = m_traces.Get(scenario.training.trace);
            m_inputs.Of(scenario); // files of values that cannot be read
            if (m_request.strict)
            {
                MakePlan(scenario);
            }
            return {};
        }
        catch (const InputError& error)
        {
            return error.Complaints();
        }
    }

    /** What would decide the results if nothing varied. */
    std::vector<std::string> Base()
    {
        auto scenario = TryScenario(m_text, m_name, m_request.settings, {}).scenario;
        scenario.training.readTrace = m_traces.Known(scenario.training.trace);
        scenario.training.values = false; // files may be missing that no point reads
        return m_inputs.Of(scenario);
    }

    void AddSeeds(const SweepPoint& first)
    {
        if (m_request.repeat - 1 > MOST_SEED - first.scenario.simulation.seed)
        {
            throw InputError(fmt::format("--repeat: {} goes beyond {}", g_seedKey, MOST_SEED));
        }
        for (std::uint32_t i = 0; i < m_request.repeat; ++i)
        {
            auto point = first;
            point.number = m_plan.points.size() + 1;
            if (m_request.repeat > 1)
            {
                point.scenario.simulation.seed += i;
                const auto setting =
                    fmt::format("{}={}", g_seedKey, point.scenario.simulation.seed);
                point.varied.push_back(setting);
                point.settings.push_back(setting);
            }
            // That of a refused point is of the refusal: what it has set may make no sense.
            point.key =
                ResultKey(point.refusal.empty()
                              ? m_inputs.Of(point.scenario)
                              : std::vector<std::string>{
                                    "refused", point.refusal, fmt::format("{}", point.settings)});
            m_plan.points.push_back(std::move(point));
            if (m_plan.points.size() > g_mostGridPoints)
            {
                throw InputError(
                    fmt::format("--repeat: the sweep has more than {} points", g_mostGridPoints));
            }
        }
    }

    void RequirePoints() const
    {
        const auto& points = m_plan.points;
        const bool someRun = std::any_of(
            points.begin(), points.end(), [](const auto& point) { return point.refusal.empty(); });
        if (!someRun || (m_request.strict && !m_complaints.empty()))
        {
            throw InputError(m_complaints);
        }
    }

    const SweepRequest& m_request;
    std::string m_name; ///< what complaints call the scenario
    std::string m_text;
    SweepSpec m_spec;
    ReadTraces m_traces;
    ResultInputs m_inputs;
    IdleInAll m_idle;                      ///< at points that are not refused, of whatever seed
    std::vector<std::string> m_complaints; ///< each once
    bool m_isRandom{false};                ///< on some point, seeds matter
    SweepPlan m_plan;
};

} // namespace

const std::vector<InputChecksum>&
ResultInputs::Values(const Scenario& scenario)
{
    const auto& training = scenario.training;
    const std::pair named(training.values ? training.valuesFile : std::string(),
                          scenario.cluster.workers);
    const auto known = m_values.find(named);
    return known != m_values.end()
               ? known->second
               : m_values.emplace(named, ValuesChecksums(scenario)).first->second;
}

std::vector<std::string>
ResultInputs::Of(const Scenario& scenario)
{
    static const auto build = ChecksumText(FileChecksum(OwnFile()));
    std::vector<std::string> lines{
        fmt::format("inca={} build {}", INCA_VERSION, build),
        fmt::format("ns3={}", INCA_NS3_VERSION),
    };
    for (const auto& setting : ResolvedSettings(scenario))
    {
        const auto name = setting.table + "." + setting.key;
        const auto text = name == "training.trace"         ? TraceText(scenario)
                          : name == "training.values_file" ? ValuesText(Values(scenario))
                                                           : setting.text;
        lines.push_back(name + "=" + text);
    }
    return lines;
}

std::string
ResultKey(const std::vector<std::string>& inputs)
{
    static const boost::uuids::name_generator_sha1 name(boost::uuids::ns::oid());
    return boost::uuids::to_string(name(fmt::format("{}", fmt::join(inputs, "\n"))));
}

SweepPlan
PlanSweep(const SweepRequest& request)
{
    return Planner(request).Plan();
}

std::vector<std::string>
WithSettings(std::vector<std::string> words, const std::vector<std::string>& settings)
{
    for (const auto& setting : settings)
    {
        words.insert(words.end(), {"--set", setting});
    }
    return words;
}

std::string
NameOf(const SweepPoint& point)
{
    const auto varied = fmt::format("{}", fmt::join(point.varied, " "));
    return point.label + (point.label.empty() || varied.empty() ? "" : " ") + varied;
}

} // namespace inca
