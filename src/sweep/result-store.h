/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RESULT_STORE_H
#define INCA_SWEEP_RESULT_STORE_H

#include "inca/base/text.h"
#include "inca/record/database.h"
#include "inca/sweep/point-result.h"
#include "inca/sweep/points.h"

#include <boost/interprocess/sync/file_lock.hpp>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** A point as it stands in a store. */
struct StoredPoint
{
    std::uint64_t number{0};
    std::string label;
    std::vector<std::string> arguments; ///< "key=value", all that makes it of the scenario
    Row settings;
    std::string key; ///< of its result
    /** Without layers and links; empty: it is not there yet */
    std::optional<PointResult> result;
};

/** The row of a point that has a result. */
inline Row
RowOf(const StoredPoint& point)
{
    return RowOf(point.label, point.number, point.settings, point.result.value());
}

/** What a store has of its last sweep (docs/formats.md, "results.sqlite"). Reads, and changes nothing. */
class StoredSweep
{
  public:
    /** @param database with the tables of a store */
    explicit StoredSweep(Database database)
        : m_database(std::move(database))
    {
    }

    /** The words that a point's arguments follow: "inca", "run", ...; none: there is no sweep. */
    std::vector<std::string> Command();

    /** What decides the results of the scenario as it stands, "name=text" each; none: there is no sweep. */
    std::vector<std::string> Base()
    {
        return Lines(Last("base"));
    }

    /** How many points it has, those of other shards too. */
    std::int64_t AllPoints()
    {
        return std::strtoll(Last("points").c_str(), nullptr, 10);
    }

    /** The system whose times gains are over; empty: none. */
    std::string Against()
    {
        return Last("against");
    }

    /** @return whether it repeats its points with other seeds */
    bool IsRepeated()
    {
        return std::strtoll(Last("repeat").c_str(), nullptr, 10) > 1;
    }

    /** Every point, in their order. */
    void ForEachPoint(const std::function<void(const StoredPoint&)>& take);

    /** @return the result; empty if it is not there */
    std::optional<PointResult> Find(const std::string& key);

  protected:
    Database m_database;

  private:
    std::string Last(const char* column);
};

/** The file of a store in @p directory. */
inline std::string
StorePath(const std::string& directory)
{
    return directory + "/results.sqlite";
}

/** Opens a store to read it, as it is now; others wait with what they write. @throws InputError if it is none, or of another version */
StoredSweep OpenStore(const std::string& path);

/**
 * The results of sweeps, in DIR/results.sqlite (docs/formats.md, "results.sqlite"), by the hash of what decides
 * them (ResultKey). One sweep works on it at a time.
 */
class ResultStore : public StoredSweep
{
  public:
    /**
     * Opens it, or makes it, with its directory.
     * @throws InputError if @p directory is no place for one, or holds the store of another version
     */
    explicit ResultStore(const std::string& directory);

    /**
     * Begins a sweep, which ends with this object: takes down its points instead of those of the last one, and forgets the
     * results of its points that have failed, so that they run again. Points that are refused have their results at once.
     * @return how the plan's base differs from that of the store's last sweep: "cluster.latency is 1us, was 2us"
     * @throws InputError if another process is at a sweep here
     */
    std::vector<std::string> Begin(const SweepPlan& plan);

    /**
     * Takes what the last sweep of another store has, points and results: shards of one sweep.
     * @throws InputError if it is none, or of another sweep than what was taken before
     */
    void Merge(const std::string& directory);

    /** What is put within is on the disk together, or not at all. */
    void Together(const std::function<void()>& steps)
    {
        m_database.Together(steps);
    }

    void Put(const std::string& key, const PointResult& result);

  private:
    void Lock();
    void PutPlan(const SweepPlan& plan);
    void Attach(const std::string& directory);

    std::string m_directory;
    boost::interprocess::file_lock m_lock; ///< of DIR/sweep.lock: a process is at a sweep here
    std::int64_t m_sweep{0};
};

} // namespace inca

#endif // INCA_SWEEP_RESULT_STORE_H
