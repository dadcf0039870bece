/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_FLOW_SUMS_H
#define INCA_AGGREGATION_FLOW_SUMS_H

#include "inca/aggregation/aggregation-program.h"
#include "inca/exchange/network-reduction.h"
#include "inca/exchange/slot-format.h"
#include "inca/exchange/step-plan.h"
#include "inca/transport/flow-network.h"
#include "inca/transport/host-path.h"

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/**
 * The sums of one job's switches as flows, without packets. A sum is one flow of all workers: they send and get its
 * packets at the same rate, that of the slowest link, host or adder that packets pass on their way up the tree and
 * down again. Its window are the slots, over the round trip of a packet. It begins when the last worker asks for it,
 * behind the one before; with two sequences of packets (SlotFormat), two are under way. Nothing is lost.
 */
class FlowSums : public ns3::SimpleRefCount<FlowSums>
{
  public:
    /** A worker of the job, who asks for sums. */
    struct Worker
    {
        /** Its sum has come: the stream as it was asked for, packets, and bytes of words that it got. */
        std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)> onSum;
        ns3::Ptr<HostPath> path; ///< of its host
        std::uint32_t host{0};   ///< number of its host in the network
        std::uint32_t node{0};   ///< ns-3's number of it
    };

    /** A switch that adds, and the links between it and the one above. */
    struct Adder
    {
        ns3::Ptr<AggregationProgram> program; ///< counts what it would have added
        std::uint32_t node{0};                ///< ns-3's number of the switch's
        std::vector<Rank> below;              ///< workers
        std::optional<std::uint32_t> up;      ///< the link to the switch above; empty: the root
        std::optional<std::uint32_t> down;    ///< the link from there; empty: the root
        std::uint64_t addedPerSecond{0}; ///< values, as the program says; 0: as fast as they come
    };

    /**
     * @param network what carries the sums
     * @param format of the packets that they stand for, the same on all workers and switches
     * @param workers by their numbers in the job
     * @param adders parents after their children, the root last
     * @param sparesHosts what packets and sums cost hosts they do not pay
     */
    FlowSums(ns3::Ptr<FlowNetwork> network,
             SlotFormat format,
             std::vector<Worker> workers,
             std::vector<Adder> adders,
             bool sparesHosts);

    FlowSums(const FlowSums&) = delete; // its sums know where it is
    FlowSums& operator=(const FlowSums&) = delete;

    /**
     * A worker asks for its next sum of a sequence, whose onSum is called when it has it.
     * @param worker who asks
     * @param stream the client's name for it
     * @param size what is asked for, the same by all workers
     * @param blocks packets with values
     * @param prologue packets without values that go ahead
     */
    void Ask(Rank worker,
             std::uint64_t stream,
             const ReductionSize& size,
             std::uint64_t blocks,
             std::uint64_t prologue);

    /** Forgets its workers and switches. */
    void Dispose();

  private:
    /** A sum that a worker has asked for. */
    struct Sum : FlowPart
    {
        /** A sum of @p owner, which is told when it is sent and carried. */
        explicit Sum(FlowSums& owner)
            : of(owner)
        {
        }

        void Sent() override
        {
            of.Sent(*this);
        }

        void Carried(double /*waitPs*/) override
        {
            of.Carried(*this);
        }

        FlowSums& of;                         ///< is told when it is sent, and when it is carried
        std::uint32_t sequence{0};            ///< in which its packets are
        ReductionSize size;                   ///< as it was asked for
        std::uint64_t blocks{0};              ///< packets with values
        std::uint64_t prologue{0};            ///< packets without values that go ahead
        std::uint64_t packets{0};             ///< that are part of the flow
        std::vector<std::uint64_t> streams;   ///< by worker
        std::uint32_t asked{0};               ///< workers
        std::int64_t firstAskedPs{0};         ///< when the first worker asked for it
        FlowPlace slowest;                    ///< what its packets take longest for
        std::vector<std::int64_t> untilGotPs; ///< by worker, from when the flow was carried
        FlowTrip trip; ///< of a packet, if slots let no more go, and a path is asked for
        std::vector<std::vector<std::uint32_t>>
            links; ///< by worker, up from the slowest one and down; none: no path is asked for

        /** All of them, with those that go ahead. */
        std::uint64_t Packets() const
        {
            return prologue + blocks;
        }
    };

    /** Sums that go one after the other. */
    struct Sequence
    {
        std::deque<std::shared_ptr<Sum>> sums; ///< that are not sent
        std::uint64_t sentSums{0};             ///< how many there were before the first of these
        std::vector<std::uint64_t> asked;      ///< sums, by worker
        bool isUnderWay{false};                ///< the first of them
        FlowNetwork::FlowId flow{0};           ///< that is, or the last one
        std::shared_ptr<const FlowLoad> load;  ///< its
        std::int64_t beganPs{0};               ///< its last sum
        PathEnd carriedPath;                   ///< to when the last one was carried
    };

    /** A part of the way of a worker's packets. */
    struct Stage
    {
        std::uint32_t resource{0}; ///< of the network
        double totalPs{0};         ///< that all packets take of it
        double onePs{0};           ///< and a packet with values
        double emptyPs{0};         ///< and one without
        double otherPs{0};         ///< and one that has values for, or of, other workers
        double thenPs{0};          ///< until the next part
        FlowPlace place;           ///< of its work
    };

    using Stages = std::vector<Stage>; ///< what packets pass, in their order

    /** Packets with values, of all, that some workers send or get, and what these values are. */
    struct Packets
    {
        std::uint64_t values{0};       ///< packets with values
        const WordType* type{nullptr}; ///< of each value
    };

    /** What a packet takes. (ps) */
    struct Trip
    {
        double allPs{0};          ///< of one with values, up and down
        double turnPs{0};         ///< until its slot is free for the next one, in the mean
        double emptyPs{0};        ///< the same of one without
        double slowestPs{0};      ///< the mean of the slowest part
        double slowestEmptyPs{0}; ///< of one without values
        double hostPs{0};         ///< the host's, of all packets
    };

    void BeginNext(Sequence& sequence, bool isIdle);
    void Begin(Sum& sum, bool isIdle); ///< all workers have asked for it
    void ExtendPath(Sum& sum, std::int64_t delayPs) const;
    void Announce(const Sum& sum, double packetPs);
    void Sent(const Sum& sum);    ///< workers have sent it: the next one may begin
    void Carried(const Sum& sum); ///< tells workers when each has got it
    void Count(const Sum& sum);
    Trip TripOf(Sum& sum) const;
    double ShareInTurn(const Sum& sum) const;
    void NoteLinks(const Stages& stages, Sum& sum) const; ///< if a path is asked for
    void NoteTrip(const Stages& stages, Sum& sum) const;  ///< likewise
    const Worker& Dearest() const;                        ///< whose messages cost most
    double MessagePs() const;
    std::int64_t IdlePs(const Sum& sum, const Trip& trip) const;
    std::int64_t BehindPs(const Sum& sum, const Trip& trip, double slots) const;
    FlowLoad LoadOf(const Sum& sum) const;
    Packets Upwards(const Sum& sum, const std::vector<Rank>& from, bool isSum) const;
    Packets Downwards(const Sum& sum, const std::vector<Rank>& to) const;
    std::uint64_t Owned(const Sum& sum, const std::vector<Rank>& by) const;
    std::uint64_t For(const Sum& sum,
                      const std::vector<Rank>& workers,
                      std::uint64_t packets) const;
    /** A part of the way on which a packet takes @p onePs with values, and @p emptyPs without. */
    static Stage StageOf(const Sum& sum,
                         std::uint32_t resource,
                         const Packets& packets,
                         double onePs,
                         double emptyPs);
    /** A link as a part of the way. */
    Stage OnLink(const Sum& sum, std::uint32_t link, const Packets& packets) const;
    Stage OnTrunk(const Sum& sum, std::uint32_t link, const Packets& packets) const;
    /**
     * The host of @p worker as a part of the way: by what packets cost on its path. They take time of @p resource.
     */
    Stage OnLane(const Sum& sum,
                 std::uint32_t resource,
                 const Worker& worker,
                 const Packets& packets) const;
    Stages Up(const Sum& sum, Rank worker) const;
    Stages Down(const Sum& sum, Rank worker) const; ///< from the root
    std::int64_t AdderPs(const Adder& adder, const Sum& sum) const;

    bool m_sparesHosts;              ///< they pay nothing
    ns3::Ptr<FlowNetwork> m_network; ///< carries sums
    std::vector<Worker> m_workers;   ///< by rank
    std::vector<Adder> m_adders;     ///< parents after their children, the root last
    std::vector<std::vector<std::size_t>> m_addersOf; ///< by worker: on its way up
    SlotFormat m_format;                              ///< of packets
    std::vector<Sequence> m_sequences;                ///< as many as the format says
};

} // namespace inca

#endif // INCA_AGGREGATION_FLOW_SUMS_H
