/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_MODEL_AGGREGATION_CLIENT_H
#define INCA_MODEL_AGGREGATION_CLIENT_H

#include "exchange/program.h"

#include "ns3/mac48-address.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <string>

namespace inca
{

class Nic;

/** Values that a worker has added by the network. */
struct NetworkSumRequest
{
    std::uint64_t values{0}; ///< at least 1
    /** Writes @p range of the own values, counted from 0; empty when only sizes travel. May be asked again. */
    std::function<void(ElementRange range, float* out)> read;
    /** Gets @p range of the sum, each value once, in any order; empty when only sizes travel. */
    std::function<void(ElementRange range, const float* sum)> write;
    /** Called once, in an event of the last sum's arrival. */
    std::function<void()> done;
};

/** Where a worker stands among those whose values are added. */
struct ClientPlace
{
    std::uint32_t workers{0};
    std::uint32_t childNumber{0}; ///< of the switch's children
    ns3::Mac48Address switchAddress;
};

/**
 * A worker's side of an aggregation program: cuts values into packets, sends them, sends again what
 * is lost, and puts sums together. Aggregated to a node that has a Nic.
 */
class AggregationClient : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    /** Sends and receives over @p nic from now on; called once. */
    void Install(ns3::Ptr<Nic> nic, ClientPlace place);

    /** Queues a sum behind those asked for before; all workers ask for the same ones in the same order. */
    void Sum(NetworkSumRequest request);

    std::uint64_t SentFrames() const;          ///< first transmissions only
    std::uint64_t RetransmittedFrames() const; ///< sent again
    std::uint64_t ReceivedBytes() const;       ///< payload of sums, each once: grows with progress
    std::uint64_t ClampedValues() const; ///< did not fit their block's scale, or were no numbers

    /** For people, when a run stands still: "128 packets are on their way, the oldest, 384, was sent 12 times". */
    std::string State() const;
};

} // namespace inca

#endif // INCA_MODEL_AGGREGATION_CLIENT_H
