/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_POINTS_H
#define INCA_SWEEP_POINTS_H

#include "inca/record/run-record.h"
#include "inca/scenario/keys.h"
#include "inca/scenario/scenario.h"
#include "inca/scenario/sweep-spec.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** One of several parts of a sweep: every so many-th point. */
struct Shard
{
    std::uint64_t number{1}; ///< from 1
    std::uint64_t of{1};
};

/** What is asked for: a scenario, and what of it changes from point to point. */
struct SweepRequest
{
    std::string scenario;              ///< path of its file
    std::vector<std::string> settings; ///< of --set, the same for all points
    SweepSpec options;                 ///< beyond the file's own sweep (JoinSweeps)
    std::vector<std::string> only; ///< "LABEL,LABEL": the systems that run, and against; empty: all
    std::string against;           ///< the system whose times gains are over; empty: none
    std::uint32_t repeat{1};       ///< seeds of every point, from the scenario's own on
    bool strict{false};            ///< a point that is refused refuses all
    Shard shard;                   ///< which points are left
};

/** One run of a sweep. */
struct SweepPoint
{
    std::uint64_t number{0};           ///< from 1, in the order of the rows
    std::string label;                 ///< of its system
    std::vector<std::string> varied;   ///< "key=value" of what varies, but its system's
    std::vector<std::string> settings; ///< all that makes it of the scenario and --set
    Scenario scenario;
    std::string refusal; ///< why it cannot run; empty: it can, as far as is known
    std::string key;     ///< of its result (ResultKey)
    std::string against; ///< the same of the point that its gain is over; empty: there is none
};

/** A sweep that is ready to run: every point and every trace was read and checked, but not together. */
struct SweepPlan
{
    std::vector<SweepPoint> points;
    std::size_t all{0};                ///< points of all shards
    std::uint32_t repeat{1};           ///< seeds of every point
    std::string against;               ///< as of its request
    std::vector<std::string> warnings; ///< keys that matter at no point, each once
    std::vector<std::string> base;     ///< ResultInputs of the scenario as it stands
    std::vector<std::string> command;  ///< "inca", "run", scenario, its settings: a point's follow
};

/**
 * Makes a scenario for every point of its grid: what its file varies (ParseSweep), changed by the
 * command line (JoinSweeps), every point with each of its seeds, which vary fastest. The file is read once,
 * and so is each trace.
 * @throws InputError if nothing varies, or what varies is wrong by itself (ExpandGrid); with every complaint
 *         of every point, each once, if all of them are refused or one of a strict sweep is; nothing has run then
 */
SweepPlan PlanSweep(const SweepRequest& request);

/** @return @p words, and a --set for each of @p settings */
std::vector<std::string> WithSettings(std::vector<std::string> words,
                                      const std::vector<std::string>& settings);

/** "ring cluster.workers=4": how messages call a point. */
std::string NameOf(const SweepPoint& point);

/** Says what decides the results of scenarios; reads each file of values once. */
class ResultInputs
{
  public:
    /**
     * All that decides the results, a line each: "key=value" of every key and attribute, the seed among them,
     * instead of the trace's and the values' paths checksums of what they hold; INCA's version and build,
     * and ns-3's version.
     * @param scenario resolved, with its trace read, if there is one
     * @throws InputError if a file of values cannot be read
     */
    std::vector<std::string> Of(const Scenario& scenario);

  private:
    const std::vector<InputChecksum>& Values(const Scenario& scenario);

    std::map<std::pair<std::string, std::uint32_t>, std::vector<InputChecksum>> m_values;
};

/** The hash under which a result is kept: the name-based UUID (RFC 4122, version 5) of its inputs. */
std::string ResultKey(const std::vector<std::string>& inputs);

} // namespace inca

#endif // INCA_SWEEP_POINTS_H
