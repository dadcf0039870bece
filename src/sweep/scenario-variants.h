/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SCENARIO_VARIANTS_H
#define INCA_SWEEP_SCENARIO_VARIANTS_H

#include "inca/record/run-record.h"
#include "inca/scenario/grid.h"
#include "inca/scenario/scenario-reader.h"
#include "inca/scenario/scenario.h"
#include "inca/scenario/sweep-spec.h"
#include "inca/trace/gradient-trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

/** CPU time that one of many runs may take, as estimated, where nobody has set it: a minute. (ps) */
constexpr std::uint64_t ONE_OF_MANY_CPU_PS{60'000'000'000'000};

/** Of a bound of the codec inceptionn, as it is written. */
constexpr std::string_view g_boundPrefix = "2^-";

/** Reads each trace once, as a pipe gives it only once. */
class ReadTraces
{
  public:
    /** @throws InputError if it is wrong */
    std::shared_ptr<const GradientTrace> Get(const std::string& name);

    /** @return it if it has been read before, and is a trace; else null */
    std::shared_ptr<const GradientTrace> Known(const std::string& name) const;

  private:
    std::map<std::string, std::shared_ptr<const GradientTrace>> m_traces; ///< null: is wrong
};

/** Variants of a scenario's file, which is read once, as is each trace. */
class ScenarioVariants
{
  public:
    /** @param path of the file, or "-" @throws InputError */
    explicit ScenarioVariants(const std::string& path);

    /**
     * @param settings as of --set; a later one of the same key counts
     * @param varied as of ReadScenario
     * @return the scenario with its trace
     * @throws InputError
     */
    LoadedScenario Make(const std::vector<std::string>& settings,
                        const std::vector<Varied>& varied = {});

    /** Of runs that are asked for in numbers: simulation.max_cpu_time where nobody has set it. */
    void LimitCpuTime(std::uint64_t ps)
    {
        m_cpuPs = ps;
    }

    /** The named systems that the file brings along. */
    std::vector<System> Systems() const
    {
        return ParseSweep(m_text, m_name).systems;
    }

  private:
    std::string m_name;
    std::string m_text;
    std::optional<std::uint64_t> m_cpuPs; ///< empty: as of a run
    ReadTraces m_traces;
};

/** Warnings of keys that matter in none of several scenarios. */
class IdleInAll
{
  public:
    void Add(const LoadedScenario& loaded);

    /** Each once. */
    std::vector<std::string> Warnings() const;

  private:
    std::size_t m_scenarios{0};
    std::map<std::string, std::pair<std::size_t, std::vector<std::string>>>
        m_warnings; ///< by key, of how many scenarios
};

/** Adds those of @p more to @p all that are not there. */
void AddOnce(std::vector<std::string>& all, const std::vector<std::string>& more);

/** @return @p settings without those of keys that @p others set, too */
std::vector<std::string> WithoutKeysOf(const std::vector<std::string>& settings,
                                       const std::vector<std::string>& others);

/** What became of one run: a record, or why there is none. */
struct PointOutcome
{
    std::optional<RunRecord> record;
    std::string refusal; ///< one line; empty if there is a record
};

/**
 * Runs a scenario, and says what became of it: whether it was refused, or could not finish.
 * @throws Interrupted; InvariantError
 */
using PointRunner = std::function<PointOutcome(const Scenario&)>;

/** Runs it in this process. */
PointOutcome RunPoint(const Scenario& scenario);

} // namespace inca

#endif // INCA_SWEEP_SCENARIO_VARIANTS_H
