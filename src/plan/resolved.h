/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RESOLVED_H
#define INCA_PLAN_RESOLVED_H

#include "inca/codec/codec-catalog.h"
#include "inca/exchange/aggregation-scheme.h"
#include "inca/exchange/exchange-entry.h"
#include "inca/exchange/transport-catalog.h"
#include "inca/job/bucket-plan.h"
#include "inca/job/gradient-type.h"
#include "inca/job/training-catalog.h"
#include "inca/plan/network-speed.h"
#include "inca/scenario/scenario.h"
#include "inca/topology/topology-plan.h"
#include "inca/trace/gradient-trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Values of ns-3's attributes, as it reads them, by their paths: "inca::Link::Delay". */
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;

/** What codes messages of one kind. */
struct CodecOfGroup
{
    const CodecEntry* entry{nullptr};
    std::shared_ptr<const Codec> codec; ///< of frames or messages; null: none, or sketches
};

/** What switches of one kind add: those inside nodes, or all others. */
struct SwitchSums
{
    const ExchangeEntry* adding{nullptr};            ///< that has them do it; null: they do not @{
    std::shared_ptr<const AggregationScheme> scheme; ///< @}
    Rank together{0};                                ///< workers whose values a sum is of
    bool areSums{false};                             ///< else they only hand on what workers have
};

/** Where a job's ranks sit in a network. */
struct HostPlacement
{
    std::uint32_t hostCount{0};       ///< of the network
    std::vector<std::uint32_t> hosts; ///< by rank
};

/**
 * What a scenario comes to once its trace is read: the rows that its names stand for, and what several of its keys decide
 * together. Resolve makes it, once for each job of a plan. The plan is made of it, and what runs the plan asks it.
 */
struct Resolved
{
    Scenario scenario; ///< as it was given; below plan/ only the record prints it
    SimulationSettings simulation;
    bool picksBySize{false}; ///< a library picks the exchange of each size (PicksBySize)

    // -- what is trained
    GradientType
        gradientType;        ///< as GPUs compute gradients; traces here have what these are cast to
    GradientType weightType; ///< as weights travel
    std::shared_ptr<const GradientTrace> gpuTrace; ///< what one GPU computes
    std::shared_ptr<const GradientTrace>
        workerTrace; ///< the gradients of a worker, all its GPUs added up
    std::shared_ptr<const GradientTrace> trace; ///< the same as they are encoded: sparsified
    std::vector<std::size_t> cycleBegins;       ///< layers that cycles take first; empty: not known
    BucketPlan buckets;
    const TrainingEntry* training{nullptr}; ///< what makes the workers' programs
    double fastestScale{1};      ///< of the trace's compute times: the least of all workers'
    std::uint32_t concurrent{1}; ///< exchanges in flight per rank: one, where there is no other

    // -- how it is exchanged
    const ExchangeEntry* exchange{nullptr};
    Rank otherRanks{0}; ///< aggregators or servers
    SumScope sumScope{SumScope::NONE};
    std::array<SwitchSums, 2> sums; ///< of switches between nodes, or for all; and inside nodes
    const TransportEntry* transport{nullptr};
    std::array<CodecOfGroup, 2> codecs; ///< of messages within groups, and between them

    // -- over which network
    TopologyPlan topology;
    std::vector<std::uint32_t> hosts; ///< of it, by rank
    double lossRate{0};               ///< of every link, each way
    NetworkSpeed network;
    std::uint64_t headerBytes{0};       ///< before the payload in an IP packet
    std::uint64_t framePayloadBytes{0}; ///< the most
    std::uint32_t window{0};            ///< frames in flight from a host to another
    std::uint64_t windowNeeded{0};      ///< frames that fill the fastest link over the longest path

    AttributeTexts
        keyAttributes; ///< what keys, alone or several together, make of ns-3's attributes
    AttributeTexts ownAttributes; ///< [attributes], which ns-3 may refuse

    bool IsPacketLevel() const
    {
        return scenario.simulation.mode == SimulationMode::PACKET;
    }

    bool IsFlowLevel() const
    {
        return scenario.simulation.mode == SimulationMode::FLOW;
    }

    /** Whether hosts send to switches alone, which add for all of them. */
    bool AddsForAll() const
    {
        return sumScope == SumScope::WORKERS;
    }

    /** What switches do somewhere, whose settings are those of both kinds; null: nothing. */
    const AggregationScheme* Scheme() const
    {
        return sums[0].scheme ? sums[0].scheme.get() : sums[1].scheme.get();
    }

    /** ns-3's name of what carries messages. */
    std::string TransportType() const
    {
        return IsFlowLevel() ? "inca::FlowTransport" : transport->type;
    }

    bool IsOverTcp() const
    {
        return transport->isTcp;
    }
};

/**
 * @param placement in a network that others share; empty: rank i is alone on host i of a network of as many hosts
 * @param cycleBegins layers that cycles take first; empty: buckets are cut as by their bytes alone
 * @throws InputError if the trace cannot be read, or cannot answer what the scenario needs; or if there are not as many
 *         hosts as ranks
 */
std::shared_ptr<const Resolved> Resolve(const Scenario& scenario,
                                        const std::optional<HostPlacement>& placement = {},
                                        const std::vector<std::size_t>& cycleBegins = {});

/** How the tensors of @p trace become buckets, and these chunks. @param cycleBegins as of Resolve */
BucketPlan BucketsOf(const Scenario& scenario,
                     const GradientTrace& trace,
                     const std::vector<std::size_t>& cycleBegins = {});

/** @return where each bucket of @p buckets begins in the model, as backward finishes them (elements) */
std::vector<std::uint64_t> BeginsOf(const BucketPlan& buckets);

} // namespace inca

#endif // INCA_PLAN_RESOLVED_H
