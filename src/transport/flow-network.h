/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_FLOW_NETWORK_H
#define INCA_TRANSPORT_FLOW_NETWORK_H

#include "inca/base/path-log.h"
#include "inca/base/ring-queue.h"
#include "inca/device/kept-event.h"
#include "inca/device/lazy-timer.h"
#include "inca/device/link-port.h"
#include "inca/transport/fair-rates.h"

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace inca
{

/** What a flow passes, as a critical path names it. */
struct FlowPlace
{
    PathKind kind{PathKind::LINK}; ///< what it is
    std::uint32_t node{0};         ///< ns-3's number
    std::uint32_t detail{0};       ///< of a link: its port on the node

    /** Has the present path go on with it until then. */
    void ExtendPath(std::int64_t endPs) const
    {
        PathLog::Extend(kind, node, endPs, detail);
    }
};

/**
 * One direction of a link: the port before it, and what passes after its last bit has left until it is at the next
 * port.
 */
struct FlowLink
{
    ns3::Ptr<LinkPort> port;   ///< of the sending device, which counts what passes
    std::int64_t latencyPs{0}; ///< of the cable, and of the switch behind it
    std::int64_t switchPs{0};  ///< of that the switch's
    FlowPlace place{};         ///< of the port; a network finds it

    /** How long the link is busy with a byte, by the rate of its port. (ps) */
    double PsPerByte() const
    {
        constexpr double psOfSecond = 1e12;
        return 8 * psOfSecond / static_cast<double>(port->BitsPerSecond());
    }
};

/** A round trip for which a flow waits, as its window or slots let no more go. */
class FlowTrip
{
  public:
    /** What is passed next takes @p ps, and the way behind it @p thenPs. @param link whose way that is; null: its own */
    void Add(const FlowPlace& place, double ps, double thenPs, const FlowLink* link = nullptr);

    /**
     * Has the present path go on until then by such trips, one after the other: what is passed in one has its share of all. Does
     * nothing if nothing is passed.
     * @param waits WINDOW or SLOTS
     * @param endPs when that is
     */
    void ExtendPath(PathKind waits, std::int64_t endPs) const;

  private:
    std::vector<std::pair<FlowPlace, double>> m_parts; ///< in their order, and what each takes (ps)
    double m_switchPs{0}; ///< of the switch that is passed before what comes next
};

/** Adds what a unit passes next: of one resource, what follows each other is as slow as the slowest of it. */
void AddUse(std::vector<ResourceUse>& uses, const ResourceUse& next);

/** What a flow takes of a network for each of its units. */
struct FlowLoad
{
    std::vector<ResourceUse> sending; ///< what its host sends with, its link included
    std::vector<ResourceUse>
        queues; ///< behind that, in their order: links, and what the receiver does with what comes
    std::vector<ResourceUse> acks; ///< links that acknowledgements take
    double most{1};                ///< units per ps, in any case
    double window{0};              ///< units that may have been sent and not acknowledged
    double acked{0};               ///< units that are acknowledged together; 0: each by itself
    double roundTripPs{0};         ///< until what was sent is acknowledged, where nothing waits

    /** So many of a window's units are acknowledged in a round trip, and others may be sent: only whole acknowledgements. */
    double PerTrip() const
    {
        return Answered(window);
    }

    /** Of so many units. */
    double Answered(double units) const;

    /** Unless they take nearly the same of the same. */
    bool operator!=(const FlowLoad& other) const;
};

/** What was sent of a window together, until it is acknowledged. */
struct Unacked
{
    double units{0};         ///< of the window
    std::int64_t untilPs{0}; ///< when the first acknowledgement of it is there
};

/** A part of a flow: a message. */
class FlowPart
{
  public:
    FlowPart() = default;
    FlowPart(const FlowPart&) = delete;
    FlowPart& operator=(const FlowPart&) = delete;
    virtual ~FlowPart() = default;

    /** Its host has sent it. */
    virtual void Sent() = 0;

    /** Called then or later: its end is in the last queue, where it waits so long from now on. (ps) */
    virtual void Carried(double waitPs) = 0;

    double units{0};              ///< above 0
    std::vector<Unacked> unacked; ///< by parts before it, when it begins; the earliest first
    PathEnd path;                 ///< to when it could begin; then to when it was sent
};

/**
 * A network that carries flows instead of frames. A host sends its flows at fair rates (FairRates), as connections
 * take turns frame by frame; rates are made anew when flows begin or end, once for all that do at one time. Behind it
 * each link is a queue that serves in order what comes, as a fluid: while more comes than it can take, what waits
 * grows; what comes then waits for what came before, and leaves in the mixture in which it came. Once a
 * flow has sent a window, the next one goes when the first acknowledgement of it is there; or, where anything waits, at
 * a window in each round trip, with all that waits on the ways there and back.
 *
 * Its resources are directions of links, two of each link, those of host h being 2 h and 2 h + 1, towards it; then
 * what hosts send with beside their links.
 */
class FlowNetwork : public ns3::SimpleRefCount<FlowNetwork>
{
  public:
    /** Appends the links, by their numbers, on the way from a host to another. */
    using Route = std::function<void(
        std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links)>;

    using FlowId = std::uint32_t; ///< the number of a flow

    /**
     * Makes a network whose @p links stand at their numbers; @p route finds ways between its @p
     * hosts.
     */
    FlowNetwork(std::vector<FlowLink> links, std::uint32_t hosts, Route route);

    FlowNetwork(const FlowNetwork&) = delete; // its events know where it is
    FlowNetwork& operator=(const FlowNetwork&) = delete;

    /** The link of that number. */
    const FlowLink& Link(std::uint32_t link) const
    {
        return m_links[link];
    }

    /** A host's link to its switch. */
    static std::uint32_t LinkOf(std::uint32_t host)
    {
        return 2 * host;
    }

    /** Whether @p link is between switches. */
    bool IsTrunk(std::uint32_t link) const
    {
        return link >= LinkOf(m_hosts);
    }

    /** The link that @p place is; null: it is another thing that takes time of @p resource. */
    const FlowLink* LinkAt(const FlowPlace& place, std::uint32_t resource) const
    {
        return place.kind == PathKind::LINK || place.kind == PathKind::TRUNK ? &m_links[resource]
                                                                             : nullptr;
    }

    /** A link as a critical path names it. */
    const FlowPlace& PlaceOf(std::uint32_t link) const
    {
        return m_links[link].place;
    }

    /** Has a critical path go on until @p endPs: with what has taken a flow longest, then with the latencies of its @p links. */
    void ExtendPath(const FlowPlace& slowest,
                    const std::vector<std::uint32_t>& links,
                    std::int64_t endPs) const;

    /** What a host sends with before its link: the lane of its path, and the engine of its NIC. @{ */
    std::uint32_t LaneOf(std::uint32_t host) const
    {
        return static_cast<std::uint32_t>(m_links.size()) + 2 * host;
    }

    /** The engine of the host's NIC. */
    std::uint32_t EngineOf(std::uint32_t host) const
    {
        return LaneOf(host) + 1;
    }

    /** @} */

    /** The way from a host to another; valid until the next call. */
    const std::vector<std::uint32_t>& WayOf(std::uint32_t from, std::uint32_t to);

    /**
     * Begins a flow now, which ends when all its parts have been carried: its number may be given to another one
     * then.
     */
    FlowId Begin(std::shared_ptr<const FlowLoad> load, std::shared_ptr<FlowPart> first);

    /** Has a flow carry one more part behind the others; while it has not ended. */
    void Append(FlowId flow, std::shared_ptr<FlowPart> part);

    /** Whether a link of a host, or what else it sends with, is at work all of the time. */
    bool IsFull(std::uint32_t resource) const
    {
        constexpr double nearlyAll = 0.99;
        return m_rates.BusyShare(resource) > nearlyAll;
    }

    /** Counts frames that a flow was, on a link. */
    void Count(std::uint32_t link, std::uint64_t frames, const ByteCounts& bytes);

    /** How long until something happens to a flow; 0: there is none. (ps) */
    std::int64_t NextEventPs() const;

    /** Forgets all flows. */
    void Dispose();

  private:
    /** A part of a flow that has not been carried. */
    struct Part
    {
        double end{0};                ///< units of the flow up to its end
        std::shared_ptr<FlowPart> is; ///< told when it is sent and when it is carried
    };

    /** How a flow passes one of its queues. (units per ps) */
    struct Passage
    {
        double rate{0};     ///< at which it comes
        double headRate{0}; ///< the same of what leaves now, when it came
    };

    /** A flow, from Begin until all its parts have been carried; then its number is unused. */
    struct Flow
    {
        std::shared_ptr<const FlowLoad> load; ///< what each of its units takes
        RingQueue<Part> parts;                ///< that are not carried
        std::size_t sentParts{0};             ///< of them
        bool isSending{false}; ///< some of it is left to send; it may wait for acknowledgements
        FairRates::FlowId sending{0}; ///< its number in m_rates, while it sends
        double sent{0};               ///< units, at sincePs
        double sendRate{0};           ///< units per ps, from then on
        std::int64_t sincePs{0};      ///< when `sent` was reckoned last
        std::int64_t nextPs{0};       ///< when a part is sent, or a window
        double windows{0};            ///< that it may send from when it was looked at last
        double windowEnd{0};          ///< units up to the end of these
        std::int64_t ackedPs{0};      ///< when the first acknowledgement of these is there
        RingQueue<Unacked>
            unacked;          ///< of a window that parts before have begun, the earliest first
        double unanswered{0}; ///< of this flow's own since then, too little for an acknowledgement
        std::vector<Passage> passages; ///< by queue
    };

    /** A flow in one of its queues. */
    struct Member
    {
        FlowId flow{0};         ///< its number
        std::uint32_t place{0}; ///< of the queue among the flow's
    };

    /** What passes a queue: a change of a flow's rate, or the end of its part. */
    struct Passing
    {
        Member member{};   ///< whose
        bool isEnd{false}; ///< of a part
        double rate{0};    ///< else at which the flow came to the queue (units per ps)
        double inflow{0};  ///< and Queue::inflow when it came
    };

    /** A link as a queue. */
    struct Queue
    {
        double waitPs{0};        ///< of what comes at sincePs
        double inflow{0};        ///< share of its time that what comes takes
        std::int64_t sincePs{0}; ///< when `waitPs` was reckoned last
        double mostWaitPs{0};    ///< so far
        // -- of one behind which there are others
        RingQueue<Passing> passing;  ///< what has come and not left
        std::int64_t leavesPs{0};    ///< the last of it leaves then
        std::vector<Member> leaving; ///< flows
        std::vector<Member> changed; ///< of them, whose part of the mixture that leaves is another
        double headInflow{0};        ///< the inflow when that came which leaves now
        double speed{1};             ///< at which it leaves, beside that at which it came
        std::uint64_t changes{0};    ///< of the inflow
    };

    /** What an event is. */
    enum class What : std::uint8_t
    {
        FLOW,   ///< something of a flow is sent
        WINDOW, ///< an acknowledgement lets a flow go on
        LEAVE,  ///< the first of what passes a queue leaves it
        EMPTY,  ///< nothing waits in a queue any more
    };

    /** Something that will happen to a flow or in a queue. */
    struct Event
    {
        std::int64_t timePs{0};   ///< when it happens
        std::uint64_t number{0};  ///< in the order in which they were made
        std::uint64_t changes{0}; ///< EMPTY: void if Queue::changes is another one by then
        std::uint32_t of{0};      ///< a flow, or a queue
        What what{What::FLOW};    ///< what happens

        /** Whether @p other happens before this one. */
        bool operator<(
            const Event& other) const // the earliest is the first of a std::priority_queue
        {
            return timePs != other.timePs ? timePs > other.timePs : number > other.number;
        }
    };

    void Happen(std::int64_t timePs,
                What what,
                std::uint32_t of,
                std::uint64_t changes = 0); ///< adds an event, and numbers it
    bool Wait(std::uint32_t number, const Passing& what);
    void ChangeSoon();
    void ChangeRates();                           ///< makes rates anew for flows that changes reach
    void SetSendRates();                          ///< as m_rates has them after all changes
    void SetSendRate(FlowId number, double rate); ///< from now on, at the host
    void TakeAcks(const Flow& flow, double rateChange);
    static void Advance(Flow& flow, std::int64_t nowPs);
    static void Advance(Queue& queue, std::int64_t nowPs);
    /** Whether it is a host's link to its switch, which is no queue. */
    bool IsFromHost(std::uint32_t link) const
    {
        return link % 2 == 0 && link < 2 * m_hosts;
    }

    double WaitPs(std::uint32_t link, std::int64_t nowPs); ///< of what comes to the link now
    void FindNext(FlowId number);
    void OnTime();                    ///< does all that is due
    void OnEvent(const Event& event); ///< does one thing that is due
    void TakeStock(FlowId number);
    void StartSending(FlowId number);
    void StopSending(FlowId number); ///< its host sends nothing of it until StartSending
    void LookAtWindow(FlowId number);
    bool TakeAcked(Flow& flow);
    static void Await(Flow& flow, double units, std::int64_t ackedPs);
    void GoOn(Flow& flow); ///< acknowledgements are there
    double WaitsPs(const Flow& flow);
    void BeginWindows(Flow& flow, double windows, double units, double waitPs);
    void Leave(std::uint32_t number);
    void EndPart(Member member);
    void SetRate(Member member, double rate);
    void SetHead(std::uint32_t number, Member member, double rate, double inflow);
    void Emit(std::uint32_t number);
    void EmitAll(); ///< empties m_emitting

    std::vector<FlowLink> m_links;         ///< by their numbers
    Route m_route;                         ///< finds the way from a host to another
    std::vector<std::uint32_t> m_way;      ///< what WayOf returned last
    FairRates m_rates;                     ///< at which hosts send
    std::vector<Queue> m_queues;           ///< by link; those from hosts are none
    std::uint32_t m_hosts;                 ///< how many there are
    std::vector<Flow> m_flows;             ///< by their numbers, also those that are over
    std::vector<FlowId> m_unused;          ///< numbers of flows that are over
    std::vector<FlowId> m_owners;          ///< flows, by their numbers among rates
    std::priority_queue<Event> m_events;   ///< what will happen; the earliest is first
    std::uint64_t m_eventCount{0};         ///< how many were made so far
    std::vector<std::uint32_t> m_emitting; ///< queues
    LazyTimer m_timer;                     ///< of the earliest event
    bool m_isOnTime{false};                ///< events are happening
    bool m_changes{false};                 ///< rates are to be made anew at this time
    /** Calls ChangeRates; pending while m_changes. */
    KeptEvent m_change{KeptEvent::Of<&FlowNetwork::ChangeRates>(this)};
};

} // namespace inca

#endif // INCA_TRANSPORT_FLOW_NETWORK_H
