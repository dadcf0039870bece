/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_AGGREGATION_CLIENT_H
#define INCA_AGGREGATION_AGGREGATION_CLIENT_H

#include "inca/aggregation/per-job.h"
#include "inca/base/job-id.h"
#include "inca/base/state-visitor.h"
#include "inca/base/word-sum.h"
#include "inca/device/frame.h"
#include "inca/exchange/slot-format.h"
#include "inca/transport/with-users.h"

#include "ns3/mac48-address.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace inca
{

class HostPath;
class Nic;

/** An in-network reduction that a worker asks for: of fp32 values, or of other words. */
struct ReductionRequest
{
    /** At least a word. Of an all-gather, which adds nothing, a word may hold 2 values of 16 bits; the last one is padded. */
    ReductionSize size;
    /** WordSum::INT32 or OR: how switches combine the words as they are; empty: words are fp32 values. */
    std::optional<WordSum> words;
    /** Of words as they are: a number in each packet, of which switches keep the largest. */
    std::int16_t exponent{NO_EXPONENT};
    Rank worker{0}; ///< whose block (BlockOf) of what is not all-reduced is the own one
    /**
     * Writes the words of @p range of the own values, counted from 0, the same each time until done; empty when
     * only sizes travel.
     */
    std::function<void(ElementRange range, Word* out)> read;
    /** Gets the words of @p range of the sum, each once, in any order; empty when only sizes travel. */
    std::function<void(ElementRange range, const Word* sum)> write;
    /** Of words as they are: gets the largest exponent over all workers, before done; may be empty. */
    std::function<void(std::int16_t exponent)> writeExponent;
    /** Called once, in an event of the last sum's arrival. */
    std::function<void()> done;
};

/** A worker's place among those whose values are added. */
struct ClientPlace
{
    std::uint32_t workers{0};        ///< whose values are added, all together
    std::uint32_t childNumber{0};    ///< of the switch's children
    ns3::Mac48Address switchAddress; ///< to which it sends
    JobId job{};                     ///< whose values are added
    std::uint32_t worker{0};         ///< which one of them it is
    bool inNode{false}; ///< of the switch inside a node, whose GPUs read and write by themselves
};

/**
 * @ingroup inca
 *
 * A worker's side of an aggregation program: cuts values into packets, sends them, sends again what
 * is lost, and puts sums together. Of one job; it is among the HostClients of its NIC.
 */
class AggregationClient : public ns3::Object, public WithUsers
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    AggregationClient();
    ~AggregationClient() override;

    /**
     * Sends over @p nic, which is on a node, from now on; called once. What arrives it gets when it
     * is among the HostClients of the NIC.
     * Ends the program if a packet is too long for the NIC.
     */
    void Install(ns3::Ptr<Nic> nic, ClientPlace place);

    /**
     * Queues a reduction behind earlier ones. All workers ask for the same ones in one order; with GathersApart, in one
     * order of all-gathers and one of all others.
     */
    void Sum(ReductionRequest request);

    /** Its place, as it was installed. */
    const ClientPlace& Place() const
    {
        return m_place;
    }

    /** What its packets are. */
    SlotFormat Format() const
    {
        auto format = DoFormat();
        format.headerBytes = m_headerBytes;
        return format;
    }

    /** @return whether all-gathers (SumPhase::ALL_GATHER) are not queued behind sums, but go beside them */
    bool GathersApart() const
    {
        return DoGathersApart();
    }

    /** Counts so far; the trace sources of the same names tell every change. @{ */
    std::uint64_t SentFrames() const ///< first transmissions only
    {
        return m_sentFrames;
    }

    std::uint64_t RetransmittedFrames() const ///< sent again
    {
        return m_retransmittedFrames;
    }

    std::uint64_t ReceivedBytes() const ///< payload of sums, each once: grows with progress
    {
        return m_receivedBytes;
    }

    std::uint64_t ValueBytes() const ///< of a value in a sum
    {
        return DoFormat().adder.sum->bytes;
    }

    std::uint64_t ClampedValues() const ///< did not fit their block's scale, or were no numbers
    {
        return m_clampedValues;
    }

    /** @} */

    /** Takes an aggregation frame of its job; only sums are its business. */
    void Receive(ns3::Ptr<Frame> frame, std::int64_t readyPs);

    /** What its longest timeout doubles to at most. (ps) */
    std::int64_t LongestTimeoutPs() const
    {
        return DoLongestTimeoutPs();
    }

    void VisitState(StateVisitor& visitor); ///< shows its state

    /** For people: "128 packets are on the way, the oldest, 384, was sent 12 times". */
    std::string State() const
    {
        return DoState();
    }

    /** Whether it is installed: attributes that it reads then stay as they are. */
    bool IsInUse() const
    {
        return m_nic != nullptr;
    }

  protected:
    void DoDispose() override;

    /** What its frames cost its host. */
    HostPath& Path() const
    {
        return *m_path;
    }

    /**
     * Sends a frame to the switch; the addresses and the job are set here.
     * @return when its last bit leaves the NIC, or now if the NIC dropped it (ps)
     */
    std::int64_t Send(ns3::Ptr<Frame> frame);

    /** Why the frame that was sent last leaves when it does. */
    const PathEnd& DeparturePath() const;

    /** Counts values that did not fit. */
    void CountClamped(std::uint64_t values)
    {
        m_clampedValues += values;
    }

    /** Counts frames that are sent without Send. */
    void CountSent(std::uint64_t frames)
    {
        m_sentFrames += frames;
    }

    /** Counts the payload of a sum that came for the first time. */
    void CountReceived(std::uint64_t bytes)
    {
        m_receivedBytes += bytes;
    }

    /**
     * To be called when a sum has arrived after which the pattern of packets repeats: the detector of the steady state
     * looks at the network then.
     */
    void NotifyPeriodEnd()
    {
        m_goesOnTrace();
    }

  private:
    /** Reads the settings. */
    virtual void DoInstall() = 0;

    /** @return what its packets are but for their headers, called after DoInstall; the longest must fit the NIC */
    virtual SlotFormat DoFormat() const = 0;

    virtual void DoSum(ReductionRequest request) = 0; ///< queues what Sum asks for

    /** What GathersApart says. */
    virtual bool DoGathersApart() const
    {
        return false;
    }

    /** Takes a sum that arrived, which the host can have at @p readyPs, not before now. */
    virtual void DoReceive(ns3::Ptr<Frame> frame, std::int64_t readyPs) = 0;
    virtual std::string DoState() const = 0; ///< what State says to people

    /** Overridden by clients with timeouts. */
    virtual std::int64_t DoLongestTimeoutPs() const
    {
        return 0;
    }

    /** Walks what its next packets depend on; a client that does not is simulated packet by packet. */
    virtual void DoVisitState(StateVisitor& visitor)
    {
        visitor.Aperiodic();
    }

    void CheckPacket() const; ///< ends the program if a packet is too long for the NIC

    ns3::Ptr<Nic> m_nic;                                      ///< sends and receives
    ns3::Ptr<HostPath> m_path;                                ///< of the host
    ClientPlace m_place;                                      ///< as it was installed
    std::uint32_t m_headerBytes;                              ///< attribute HeaderBytes
    ns3::TracedValue<std::uint64_t> m_sentFrames{0};          ///< trace source SentFrames
    ns3::TracedValue<std::uint64_t> m_retransmittedFrames{0}; ///< trace source RetransmittedFrames
    ns3::TracedValue<std::uint64_t> m_receivedBytes{0};       ///< trace source ReceivedBytes
    ns3::TracedValue<std::uint64_t> m_clampedValues{0};       ///< trace source ClampedValues
    ns3::TracedCallback<> m_goesOnTrace;                      ///< trace source GoesOn
};

/**
 * @ingroup inca
 *
 * The aggregation clients of a NIC, one for each job; aggregated to it. Each gets the frames of its job.
 * A frame of a job without a client here is dropped.
 */
class HostClients : public PerJob<AggregationClient>
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    HostClients();

    /** @return those of @p nic; made if there are none yet */
    static ns3::Ptr<HostClients> Of(const ns3::Ptr<Nic>& nic);

    using PerJob::Find;

    /** @return that of @p job, or of the first of its groups, whose place is inside a node, or not; null if it has none */
    ns3::Ptr<AggregationClient> Find(JobId job, bool inNode) const;

  private:
    void Receive(ns3::Ptr<Frame> frame, std::int64_t readyPs); ///< gives it to its job's client
};

} // namespace inca

#endif // INCA_AGGREGATION_AGGREGATION_CLIENT_H
