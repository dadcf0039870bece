/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RUN_RECORD_H
#define INCA_RECORD_RUN_RECORD_H

#include "inca/base/aggregation-counters.h"
#include "inca/base/port-counters.h"
#include "inca/base/setting.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** A file that the run has read. */
struct InputChecksum
{
    std::string path;
    std::uint32_t crc32{0};
};

/** Where a run comes from: enough to do it again. */
struct RunOrigin
{
    std::string incaVersion;
    std::string ns3Version;
    std::uint64_t seed{1};
    std::optional<std::uint32_t> traceCrc32; ///< empty for a trace that is no file
    std::vector<InputChecksum> inputs;
};

/**
 * Where the time of the worker that ends last went, over all measured iterations (design: Words).
 * Identity: the parts add up to TotalPs, to the picosecond, and that is the measured time.
 */
struct TimeShares
{
    std::int64_t forwardPs{0};
    std::int64_t backwardPs{0};
    std::int64_t copyPs{0};
    std::int64_t codecPs{0};
    std::int64_t sumPs{0};
    std::int64_t updatePs{0};
    std::int64_t communicationPs{0};

    std::int64_t TotalPs() const
    {
        return forwardPs + backwardPs + copyPs + codecPs + sumPs + updatePs + communicationPs;
    }
};

/** Lossless homomorphic compression, per iteration. */
struct SketchResults
{
    std::uint64_t exchanges{0};
    std::uint64_t coded{0};      ///< exchanges of which something is coded
    std::optional<double> ratio; ///< rows per counter row, over all; empty: nothing is coded
    double load{0};              ///< expected, of the fullest: set values per lane / counter rows
    double rounds{0};            ///< of peeling, expected, of the one that takes most
    double markedValues{0};      ///< set on some worker; counted when values travel, else expected
    double estimatedValues{0};   ///< of them, alike
    bool counted{false};
};

/** How RunResults::iterationTimeRange begins where there is none; then comes why. */
constexpr std::string_view NO_RANGE{"none: "};

/** Between what an iteration time stands: itself alone without a calibrated preset, anything where that has no range. (ps) */
struct TimeRange
{
    std::int64_t lowPs{0};
    std::int64_t highPs{std::numeric_limits<std::int64_t>::max()};
};

/** What a run has found; an empty figure does not apply to it. */
struct RunResults
{
    std::uint32_t measuredIterations{1};            ///< iterations - warm-up, at least 1
    std::int64_t iterationTimePs{0};                ///< mean over the measured iterations
    std::vector<std::int64_t> iterationEndsPs;      ///< of all iterations, from the run's start
    std::optional<std::int64_t> iterationTimeLowPs; ///< by a calibrated preset
    std::optional<std::int64_t> iterationTimeHighPs;
    std::string
        iterationTimeRange; ///< what that rests on: "between sizes"; empty without such a preset

    TimeRange Range() const
    {
        return iterationTimeRange.empty() ? TimeRange{iterationTimePs, iterationTimePs}
               : iterationTimeLowPs       ? TimeRange{*iterationTimeLowPs, *iterationTimeHighPs}
                                          : TimeRange{};
    }

    /** Whether measurements leave open which of two is faster, as their ranges overlap. */
    bool MayBeAsFast(const RunResults& other) const
    {
        const auto [low, high] = Range();
        const auto [otherLow, otherHigh] = other.Range();
        const bool isKnown = iterationTimeRange.empty() && other.iterationTimeRange.empty();
        const bool isSame =
            iterationTimePs == other.iterationTimePs && low == otherLow && high == otherHigh;
        return !isKnown && !isSame && low <= otherHigh && otherLow <= high;
    }

    std::optional<std::int64_t> iterationTimeMinPs;
    std::optional<std::int64_t> iterationTimeP50Ps;
    std::optional<std::int64_t> iterationTimeP99Ps;
    std::optional<double> samplesPerSecond; ///< of all workers; empty without a batch size
    TimeShares shares;
    std::optional<std::int64_t> exchangeTimePs; ///< mean, first start to last end
    std::uint64_t buckets{0};                   ///< of an iteration
    std::string picked; ///< by a library: "ring (LL) 2, ring (Simple) 5"; empty without one
    std::optional<double> aggregationThroughputGbps; ///< gradient bits over exchange time
    std::optional<double> algbwGbps;                 ///< as nccl-tests, in Gbit/s
    std::optional<double> busbwGbps;                 ///< as nccl-tests, in Gbit/s
    std::uint64_t plainBytes{0};                     ///< payload handed to the transport
    std::uint64_t wireBytes{0};                      ///< whole frames on the wire
    std::optional<double> achievedRatio;             ///< plain over encoded gradient payload
    std::optional<double> scalingEfficiency;         ///< against one worker, 0..1
    std::optional<std::int64_t> lowerBoundPs;        ///< of one iteration, closed form
    std::string
        limitedBy; ///< what the critical path spends most on: "link", "compute", ...; empty: nobody asked
    std::string communicationLimitedBy; ///< the same beside computing; never "compute"
    std::uint64_t drops{0};
    std::uint64_t retransmitted{0};                 ///< frames
    std::uint64_t largestQueueBytes{0};             ///< of any switch port
    std::optional<std::uint64_t> slotsPeak;         ///< of a switch that aggregates, in use at once
    std::optional<std::uint64_t> slotsNeeded;       ///< with which no worker waits for one
    std::optional<std::uint64_t> switchMemoryBytes; ///< what the slots of a switch take
    std::optional<SketchResults> sketch;
    std::optional<double> sumErrorMax; ///< from a sum in fp64; with values only
    std::optional<double> sumErrorMean;
    std::string loses; ///< what keeps sums from being those of fp32 additions, or "none"
    std::optional<double> sumVnmse;             ///< squared errors over squared sums
    std::optional<double> sumCosine;            ///< between what workers hold and the sums
    std::optional<double> replicaDifferenceMax; ///< between any two workers' sums
    std::string sumsDependOnOrder; ///< "yes" or "no": another order of arrival gives other bits
    std::string sumOrderReason;    ///< why, for people
    /** Whether frames carried the values; else these were replayed beside the simulation. With values only. */
    std::optional<bool> valuesInFrames;
    /** Of all frames, those that were simulated one by one; what others do was known from them. */
    double packetLevelShare{1};
    bool exact{true};                ///< all results are those of packet level, to the picosecond
    std::uint32_t simulatedRanks{0}; ///< of the job
    std::uint32_t ranks{0};          ///< of the job
};

/** What one worker saw of one layer's exchange in the last iteration, times from the run's start. */
struct LayerRow
{
    std::uint32_t worker{0};
    std::string layer;
    std::uint64_t elements{0};
    std::uint32_t firstBucket{0}; ///< that it lies in, from 1, as backward finishes them
    std::uint32_t lastBucket{0};
    std::int64_t readyPs{0}; ///< its gradient is there
    std::int64_t startPs{0}; ///< its exchange begins
    std::int64_t endPs{0};   ///< its exchange ends
    std::int64_t exposedCommunicationPs{0};
    std::int64_t weightsWaitPs{0}; ///< its passes waited for its weights to be gathered
    std::uint64_t plainBytes{0};
    std::uint64_t wireBytes{0};
};

/** From where to where one direction of a link leads. */
enum class LinkKind
{
    FROM_HOST,
    TO_HOST,
    TRUNK ///< between switches
};

/** How one direction of a link is called, and whose it is. */
struct LinkEnds
{
    std::string name; ///< "worker 0 -> switch", "leaf 0 -> spine 1"
    std::string from;
    std::string to;
    LinkKind kind{LinkKind::FROM_HOST};
};

/** One direction of one link over the whole run. */
struct LinkRow
{
    LinkEnds ends;
    std::uint64_t bitsPerSecond{0};
    PortCounters port; ///< of the port before it; its drops are also those on the link
    std::uint64_t wireBytesByEnd{0}; ///< of frames that had left the port when the run ended
    double utilisation{0}; ///< share of the time until the run's end in which it was busy, 0..1
    std::uint64_t bufferBytes{0}; ///< that the port before it can hold
};

/** One switch that adds, over the whole run. */
struct SwitchRow
{
    std::string name; ///< "switch", "leaf 3"
    AggregationCounters packets;
    std::uint64_t slotsPeak{0};   ///< in use at once
    std::uint64_t slots{0};       ///< that it has
    std::uint64_t memoryBytes{0}; ///< what they take
};

/** What one step of an exchange made of gradient payload. */
struct StepRatio
{
    std::uint32_t step{0}; ///< from 0
    std::uint64_t plainBytes{0};
    std::uint64_t wireBytes{0};
};

/** How far values of a bucket are from what they should be, over all that hold or get them. */
struct ErrorRow
{
    std::size_t bucket{1}; ///< as backward finishes them, from 1 on
    /** 0: sums, at the end, beside sums in fp64. From 1 on: of a lossy codec, on a sample, beside what it has not touched. */
    std::size_t hop{0};
    std::uint64_t values{0}; ///< finite ones
    double vnmse{0};
    double cosine{1};
    double largest{0};
};

/** Everything that one run leaves behind. Nothing in it depends on the wall clock. */
/** What the critical path spends on one thing in one place, in all measured iterations together. */
struct PathRow
{
    std::string kind;  ///< "link", "propagation", "backward"
    std::string place; ///< "worker 0", "worker 0 -> switch"
    std::int64_t ps{0};
    std::uint64_t pieces{0};
};

/** What a key does to the critical path. */
struct KeyEffect
{
    std::string key;
    std::string
        unit; ///< of its value: "bit/s", "B/s", "s", "Hz", "values/s"; empty: a factor, or a number
    double value{0};
    bool isRate{false};      ///< what it decides takes 1 / value of the time; else a multiple of it
    bool isLinear{true};     ///< all of ps is as long as value says; else some of it, or in steps
    bool isSetting{true};    ///< a scenario can set it; else a trace does
    std::int64_t ps{0};      ///< of the path that it decides, in all measured iterations together
    std::uint64_t pieces{0}; ///< in so many parts, each of which is rounded to a whole picosecond
    // -- of an iteration, simulated again
    std::optional<double> savedPs; ///< by a value that is a tenth better
    bool isOffAtOnce{
        false}; ///< a thousandth more of it changes the time otherwise: the path changes, or rounding does
    std::optional<double>
        holdsUntil; ///< the value as far as which the time changes as ps says; value itself: it does not

    /** What a value that is better by @p factor saves of ps, if the path stays the longest: at most so much. */
    double SavesPs(double factor) const
    {
        return static_cast<double>(ps) * (1 - 1 / factor);
    }

    /** The value that is better by a factor above 1: a rate that is higher, a cost that is lower. */
    double Better(double factor) const
    {
        return isRate ? value * factor : value / factor;
    }

    /** By how much the path's length changes with the value, in seconds per unit. */
    double SecondsPerUnit() const
    {
        constexpr double psOfSecond = 1e12;
        return value == 0 ? 0 : (isRate ? -1 : 1) * static_cast<double>(ps) / psOfSecond / value;
    }
};

/** How much better a value is of which a run says what it would save. */
constexpr double BETTER{1.1};

struct RunRecord
{
    std::vector<SettingColumn> settings;
    std::vector<ResolvedSetting> scenario;
    RunResults results;
    RunOrigin origin;
    std::vector<LayerRow> layers;
    std::vector<LinkRow> links;
    std::vector<SwitchRow> switches;   ///< those that add; empty where none does
    std::vector<StepRatio> steps;      ///< with values only
    std::vector<ErrorRow> errors;      ///< by bucket, then by hop; with values only
    std::vector<PathRow> path;         ///< what takes longest first; empty: nobody asked
    std::vector<KeyEffect> effects;    ///< of keys, and of layers; what takes longest first
    std::vector<std::string> warnings; ///< of what was run
    std::vector<std::string> idle;     ///< of settings without effect, with their places

    /** @return the text of that setting's column, empty if there is none */
    std::string Setting(const std::string& column) const;
};

/** All that its user should know: of settings first, then of what was run. */
std::vector<std::string> AllWarnings(const RunRecord& record);

} // namespace inca

#endif // INCA_RECORD_RUN_RECORD_H
