/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_MESSAGE_COST_H
#define INCA_PLAN_MESSAGE_COST_H

#include "exchange/critical-path.h"
#include "job/training-job.h"
#include "plan/bound-time.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

#include <array>
#include <cstdint>

namespace inca
{

/** What of a host, its NIC and its link works at the same time as the others. */
enum class Resource : std::uint8_t
{
    SENDING_HOST,
    COMPRESSION,
    UPLINK,
    DOWNLINK,
    DECOMPRESSION,
    RECEIVING_HOST,
    CODEC, ///< of the host
    ADDER, ///< of the host
    UPDATE,
};

constexpr std::size_t RESOURCES{9};

/** How long each resource works. (ps) */
using BusyTimes = std::array<double, RESOURCES>;

/** @p ps of @p resource, as what limits it is told: both engines, where either is nearly as slow. */
BoundTime BoundOf(const BusyTimes& busy, Resource resource);

/** What moving bytes takes at least in a scenario: whole frames, with their headers, and whole cycles of engines. */
class MessageCost
{
  public:
    /** All must outlive it. */
    MessageCost(const Scenario& scenario, const TrainingJob& job, const NetworkSpeed& network);

    /** What @p messages of together @p elements are to a resource of the six that move them, at a link of that rate. */
    double BusyPs(Resource resource,
                  PayloadKind kind,
                  double bitsPerElement,
                  std::uint64_t messages,
                  std::uint64_t elements,
                  std::uint64_t bitsPerSecond) const;

    /** Mean size of an element of a chunk as its gradients travel. */
    double BitsOf(const JobChunk& chunk) const;

    /** Rounds of a chunk's exchange. */
    BoundTime Of(const Rounds& rounds, const JobChunk& chunk) const;

    double HostPs(std::uint64_t elements, std::uint64_t bytesPerSecond) const; ///< at 0: none

  private:
    BusyTimes OneMessage(const Rounds& rounds,
                         double bits,
                         std::uint64_t elements,
                         std::uint64_t bitsPerSecond) const;
    BoundTime Moving(const Rounds& rounds, double bits) const;
    BoundTime Pipeline(const Rounds& rounds, double bits) const;
    BoundTime InTurn(const Rounds& rounds, double bits) const;
    double Windowed(std::uint64_t frames, double framePs, double tripPs) const;
    std::uint64_t PlainBytes(PayloadKind kind, double bits, std::uint64_t elements) const;

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    std::uint64_t m_payload; ///< of a full frame
    std::uint64_t m_fastest; ///< link of a worker (bits per second)
    double m_latencyPs;      ///< from one host to another on the same switch
};

} // namespace inca

#endif // INCA_PLAN_MESSAGE_COST_H
