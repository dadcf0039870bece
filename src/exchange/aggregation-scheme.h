/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_AGGREGATION_SCHEME_H
#define INCA_EXCHANGE_AGGREGATION_SCHEME_H

#include "base/key-complaint.h"
#include "base/setting.h"
#include "exchange/network-reduction.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What an aggregation scheme is told. */
struct SchemeSpec
{
    SettingValues values{}; ///< of its own settings; what is missing has its default
    Rank workers{2};        ///< whose words are added
    std::uint64_t mtu{1500};
    /** Of packets: 2 where sums are shared out, and exchanges go on at the same time (slot-sequences.h). */
    std::uint32_t sequences{1};
    /** Words are added as they are, such as a sketch's; else fp32 values are. */
    bool wordsAsTheyAre{false};
};

/** What a worker sends for sums, and gets: as many frames, and bytes on the wire (preamble to gap). */
struct SumTraffic
{
    std::uint64_t frames{0};
    std::uint64_t wireBytes{0}; ///< sent
    std::uint64_t gotBytes{0};  ///< on the wire, too
};

/**
 * Packets of a worker of which each waits for the sum of the one before it: the longest such line, when
 * nothing is lost. (bytes on the wire, preamble to gap)
 */
struct SumChain
{
    std::uint64_t frames{0}; ///< with values
    std::uint64_t frameWireBytes{0};
    std::uint64_t frameValues{0};
    std::uint64_t emptyFrames{0}; ///< before them
    std::uint64_t emptyWireBytes{0};
};

/** The network whose switches add. */
struct SummingNetwork
{
    std::uint64_t bitsPerSecond{0}; ///< of the slowest worker's link: nobody is ahead of its worker
    std::int64_t linkLatencyPs{0};  ///< one way
    std::int64_t switchLatencyPs{0}; ///< last bit in to output queue
    std::uint32_t levels{1};         ///< of switches, from a worker to the root
    std::uint64_t bufferBytes{0};    ///< of a switch's port
};

/** A switch whose pool was too small. */
struct FullSwitch
{
    std::string name;
    std::uint64_t droppedNoSlot{0}; ///< packets that found no slot
    std::uint64_t slots{0};
};

/** What a run has shown of its sums. */
struct SumsSeen
{
    std::vector<FullSwitch> fullSwitches{};
    std::uint64_t repeatedFrames{0}; ///< that clients have sent again
    std::uint64_t lostFrames{0};     ///< anywhere
    std::uint64_t clampedValues{0};  ///< that did not fit their scale
    bool startedTogether{false};     ///< exchange.start
};

/**
 * How switches add with one choice of settings, without a clock: what is needed to check a scenario,
 * to replay its sums, to bound its time and to warn. Its packets on switches and hosts are the
 * business of the aggregation program and the client of the same name (aggregation/).
 */
class AggregationScheme
{
  public:
    AggregationScheme() = default;
    virtual ~AggregationScheme() = default;
    AggregationScheme(const AggregationScheme&) = delete;
    AggregationScheme& operator=(const AggregationScheme&) = delete;

    /** What its switches make of fp32 values, or of words as they are if those are asked for. */
    virtual ReductionSpec SumSpec() const = 0;

    /** What keeps these settings from working together; {} = nothing. */
    virtual std::vector<KeyComplaint> Complaints() const
    {
        return {};
    }

    /** What every worker sends, and gets, for @p sums when nothing is lost; if some do more, what the others do. */
    virtual SumTraffic TrafficOf(const ReductionCounts& sums) const = 0;

    /**
     * What crosses a switch's way up to the next one for @p sums, likewise.
     * @param below workers below it
     */
    virtual SumTraffic TrunkTraffic(const ReductionCounts& sums, std::uint64_t /*below*/) const
    {
        return TrafficOf(sums);
    }

    /** What follows each other in @p sums that go at the same time. */
    virtual SumChain LongestChain(const ReductionCounts& sums) const = 0;

    /** Values that one switch adds per second; 0: as fast as they come. */
    virtual std::uint64_t AddedValuesPerSecond() const
    {
        return 0;
    }

    /**
     * Slots with which no worker ever waits for one: those of a round trip on @p network, or of all @p sums of an
     * iteration if they have fewer packets. A switch may have fewer in use at once, as it holds one only while
     * contributions are missing. @return empty if there are no slots
     */
    virtual std::optional<std::uint64_t> SlotsNeeded(const SummingNetwork& /*network*/,
                                                     const ReductionCounts& /*sums*/) const
    {
        return std::nullopt;
    }

    /** Of a switch's pool; 0: there are none. */
    virtual std::uint64_t Slots() const
    {
        return 0;
    }

    /** What is slower, or may be lost, without need when @p sums go over @p network: texts for people. */
    virtual std::vector<std::string> WarningsFor(const SummingNetwork& /*network*/,
                                                 const ReductionCounts& /*sums*/) const
    {
        return {};
    }

    /** What a run has shown to be set badly: texts for people. */
    virtual std::vector<std::string> WarningsAfter(const SumsSeen& /*seen*/) const
    {
        return {};
    }
};

} // namespace inca

#endif // INCA_EXCHANGE_AGGREGATION_SCHEME_H
