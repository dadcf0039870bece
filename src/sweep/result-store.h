/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RESULT_STORE_H
#define INCA_SWEEP_RESULT_STORE_H

#include "record/database.h"
#include "sweep/live-sweeps.h"
#include "sweep/point-result.h"
#include "sweep/points.h"
#include "sweep/stored-sweep.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

/** Whose a result is to be. */
enum class Claim
{
    MINE,   ///< ours, from here on
    OTHERS, ///< another sweep is at it
    DONE,   ///< it is there
};

/**
 * The results of sweeps, in DIR/results.sqlite (docs/formats.md, "results.sqlite"), by the hash of what decides
 * them (ResultKey). Several sweeps may work on it at once; a claim says which of them runs what, and ends with
 * the process that has made it.
 */
class ResultStore
{
  public:
    /**
     * Opens it, or makes it, with its directory.
     * @throws InputError if @p directory is no place for one, or holds the store of another version
     */
    explicit ResultStore(const std::string& directory);

    /**
     * Begins a sweep: takes down its points, forgets those of sweeps that are over, and the results of
     * its points that have failed, so that they run again. Points that are refused have their results at once.
     * @return how the plan's base differs from that of the store's last sweep: "cluster.latency is 1us, was 2us"
     */
    std::vector<std::string> Begin(const SweepPlan& plan);

    /**
     * Takes what the last sweep of another store has, points and results: shards of one sweep.
     * @throws InputError if it is none, or of another sweep than what was taken before
     */
    void Merge(const std::string& directory);

    /** The last sweep that has begun. */
    StoredSweep& Last();

    /** Takes results of this sweep's points from another store. @return how many @throws InputError */
    std::int64_t TakeFrom(const std::string& directory);

    /** Puts and claims within are on the disk together, or not at all. */
    void Together(const std::function<void()>& steps);

    Claim TryClaim(const std::string& key);

    /** The result of a claimed key. */
    void Put(const std::string& key, const PointResult& result);

    /** @return it without its layers and links; empty if it is not there */
    std::optional<PointResult> Find(const std::string& key);

  private:
    void MakeTables();
    std::set<std::int64_t> SweepsAtWork();
    void EnterSweep(const SweepPlan& plan);
    void ForgetOthers();
    void PutPoints(const std::vector<SweepPoint>& points);
    void PutDetails(const std::string& key, const PointResult& result);
    void PutLayers(const std::string& key, const std::vector<LayerRow>& layers);
    void PutLinks(const std::string& key, const std::vector<LinkRow>& links);
    void Attach(const std::string& directory);
    void RequireSameSweep(const std::string& directory);

    std::string m_directory;
    Database m_database;
    StoredSweep m_last;
    LiveSweeps m_live;
    std::int64_t m_sweep{0};
};

} // namespace inca

#endif // INCA_SWEEP_RESULT_STORE_H
