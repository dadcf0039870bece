/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-bytes.h"

#include "base/errors.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace nlohmann
{

/** An empty one is null. */
template <class T>
struct adl_serializer<std::optional<T>>
{
    static void to_json(json& to, const std::optional<T>& value)
    {
        to = value ? json(*value) : json();
    }

    static void from_json(const json& from, std::optional<T>& value)
    {
        value = from.is_null() ? std::nullopt : std::optional(from.get<T>());
    }
};

} // namespace nlohmann

namespace inca
{

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    TimeShares, forwardPs, backwardPs, copyPs, codecPs, sumPs, updatePs, communicationPs)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    SketchResults, exchanges, coded, ratio, load, rounds, markedValues, estimatedValues, counted)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunResults,
                                   measuredIterations,
                                   iterationTimePs,
                                   iterationEndsPs,
                                   iterationTimeMinPs,
                                   iterationTimeP50Ps,
                                   iterationTimeP99Ps,
                                   samplesPerSecond,
                                   shares,
                                   exchangeTimePs,
                                   buckets,
                                   aggregationThroughputGbps,
                                   algbwGbps,
                                   busbwGbps,
                                   plainBytes,
                                   wireBytes,
                                   achievedRatio,
                                   scalingEfficiency,
                                   lowerBoundPs,
                                   limitedBy,
                                   communicationLimitedBy,
                                   drops,
                                   retransmitted,
                                   largestQueueBytes,
                                   slotsPeak,
                                   slotsNeeded,
                                   switchMemoryBytes,
                                   sketch,
                                   sumErrorMax,
                                   sumErrorMean,
                                   replicaDifferenceMax,
                                   valuesInFrames,
                                   packetLevelShare,
                                   exact,
                                   simulatedRanks,
                                   ranks)

std::string
BytesOf(const RunResults& results)
{
    std::string bytes;
    nlohmann::json::to_msgpack(nlohmann::json(results), bytes);
    return bytes;
}

RunResults
ResultsOf(std::string_view bytes)
{
    try
    {
        return nlohmann::json::from_msgpack(bytes).get<RunResults>();
    }
    catch (const nlohmann::json::exception& error)
    {
        throw InvariantError(std::string("no results of a run: ") + error.what());
    }
}

} // namespace inca
