/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_STORED_SWEEP_H
#define INCA_SWEEP_STORED_SWEEP_H

#include "record/database.h"
#include "sweep/point-result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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
Row RowOf(const StoredPoint& point);

/** What a store has of its last sweep (docs/formats.md, "results.sqlite"). Reads, and changes nothing. */
class StoredSweep
{
  public:
    /** @param database with the tables of a store; must outlive it */
    explicit StoredSweep(Database& database);

    /** The words that a point's arguments follow: "inca", "run", ...; none: there is no sweep. */
    std::vector<std::string> Command();

    /** What decides the results of the scenario as it stands, "name=text" each; none: there is no sweep. */
    std::vector<std::string> Base();

    /** How many points it has, those of other shards too. */
    std::int64_t AllPoints();

    /** The system whose times gains are over; empty: none. */
    std::string Against();

    /** @return whether it repeats its points with other seeds */
    bool IsRepeated();

    /** Every point, in their order. */
    void ForEachPoint(const std::function<void(const StoredPoint&)>& take);

    /** @return the result without its layers and links; empty if it is not there */
    std::optional<PointResult> Find(const std::string& key);

    /** The layers of a result, worker by worker. @throws InvariantError if there are more than MOST_DETAILS */
    std::vector<LayerRow> Layers(const std::string& key);

  private:
    std::string Last(const char* column);

    Database& m_database;
};

/** The version of stores that this program reads and writes. */
constexpr std::int64_t STORE_VERSION = 6;

/** @param schema "main", or what an attached store is called */
std::int64_t StoreVersion(Database& database, const std::string& schema);

/** The file of a store in @p directory. */
std::string StorePath(const std::string& directory);

/** Opens a store to read it, as it is now; others wait with what they write. @throws InputError if it is none, or of another version */
Database OpenStore(const std::string& path);

} // namespace inca

#endif // INCA_SWEEP_STORED_SWEEP_H
