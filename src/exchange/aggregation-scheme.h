/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_AGGREGATION_SCHEME_H
#define INCA_EXCHANGE_AGGREGATION_SCHEME_H

#include "inca/base/key-complaint.h"
#include "inca/base/setting.h"
#include "inca/exchange/network-reduction.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Whose values the sums of switches are of; those inside nodes, which add for the GPUs of their own, may add besides. */
enum class SumScope : std::uint8_t
{
    NONE,    ///< No switch adds, but for those inside nodes.
    WORKERS, ///< those of all workers, who exchange in no other way
    HALF,    ///< those of all workers, or their weights, while the others go by messages
    RAILS,   ///< those of the GPUs at one place in each worker, by the switches between workers
};

/** The parameters of an aggregation scheme. */
struct SchemeSpec
{
    SettingValues values{}; ///< of its own settings; a missing one has its default
    Rank workers{2};        ///< whose words are added
    std::uint64_t mtu{1500};
    std::uint32_t sequences{1}; ///< of packets (SlotFormat)
    bool adds{true};            ///< what workers have; else it only hands on
    bool handsOn{false};        ///< what each worker has of its own
    bool wordsAsTheyAre{false}; ///< such as a sketch's are added; else fp32 values
};

/** What a worker sends and receives for reductions. (bytes on the wire, preamble to gap) */
struct SumTraffic
{
    std::uint64_t frames{0};    ///< sent, and as many received
    std::uint64_t wireBytes{0}; ///< sent
    std::uint64_t gotBytes{0};
};

/** The network whose switches add. */
struct SummingNetwork
{
    std::uint64_t bitsPerSecond{0}; ///< of the slowest worker's link: nobody is ahead of its worker
    std::int64_t linkLatencyPs{0};  ///< one way
    std::int64_t switchLatencyPs{0}; ///< last bit in to output queue
    std::uint32_t levels{1};         ///< of switches, from a worker to the root
    std::uint64_t bufferBytes{0};    ///< of a switch's port
    std::uint64_t mostChildren{0};   ///< of a switch: workers or switches
};

/** A switch whose pool was too small. */
struct FullSwitch
{
    std::string name;
    std::uint64_t droppedNoSlot{0}; ///< packets that found no slot
    std::uint64_t slots{0};
};

/** What switches add. */
struct SwitchNumbers
{
    WordSum adder{WordSum::FP32};
    std::optional<std::int16_t>
        fixedExponent{}; ///< of integers: values lie within 2^this; empty: by block
};

/** What a run observed of its reductions. */
struct SumStats
{
    std::vector<FullSwitch> fullSwitches{};
    std::uint64_t repeatedFrames{0}; ///< that clients sent again
    std::uint64_t lostFrames{0};     ///< anywhere
    std::uint64_t clampedValues{0};  ///< that did not fit their scale
    bool startedTogether{false};     ///< exchange.start
};

/**
 * How switches add with one choice of settings, without a clock: what is needed to check a scenario,
 * to replay its sums, to bound its time and to warn. The aggregation program and the client of the same
 * name (aggregation/) handle its packets.
 */
class AggregationScheme
{
  public:
    AggregationScheme() = default;
    virtual ~AggregationScheme() = default;
    AggregationScheme(const AggregationScheme&) = delete;
    AggregationScheme& operator=(const AggregationScheme&) = delete;

    /**
     * What its switches make of all workers' fp32 values, or of words that are added as they are.
     * @param words INT32 or OR: how these are added; empty: fp32 values
     */
    virtual NetworkReduction Reduction(const std::optional<WordSum>& words) const = 0;

    /** The numbers that its switches add, for a coding that makes such of values itself. */
    virtual SwitchNumbers Numbers() const
    {
        return {};
    }

    /** What a value may lose, for people: "2^-29 of a block's largest"; empty: no more than fp32 additions lose. */
    virtual std::string Loss() const
    {
        return "";
    }

    /** Which of these settings do not work together; {} = all do. */
    virtual std::vector<KeyComplaint> Complaints() const
    {
        return {};
    }

    /** Traffic of every worker for @p sums without losses; where workers differ, the least. */
    virtual SumTraffic TrafficOf(const ReductionCounts& sums) const = 0;

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

    /** Settings that make @p sums on @p network slower than need be, or lose packets: texts for people. */
    virtual std::vector<std::string> WarningsFor(const SummingNetwork& /*network*/,
                                                 const ReductionCounts& /*sums*/) const
    {
        return {};
    }

    /** Settings that a run proved bad: texts for people. */
    virtual std::vector<std::string> WarningsAfter(const SumStats& /*seen*/) const
    {
        return {};
    }
};

/**
 * The pure half of an aggregation program's row: its keys, and what they mean. The other half, of the
 * same name, makes programs and clients (aggregation/aggregation-catalog.h).
 */
struct AggregationSchemeEntry
{
    std::string name;
    /** Keys of the scenario that it reads, in the order of their columns; rows may share keys. */
    std::vector<Setting> settings;
    std::function<std::unique_ptr<AggregationScheme>(const SchemeSpec&)> make;
    bool isExtension{false}; ///< registered, no scheme of INCA's own
};

} // namespace inca

#endif // INCA_EXCHANGE_AGGREGATION_SCHEME_H
