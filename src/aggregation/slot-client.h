/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_SLOT_CLIENT_H
#define INCA_AGGREGATION_SLOT_CLIENT_H

#include "inca/aggregation/aggregation-client.h"
#include "inca/aggregation/slot-stream.h"
#include "inca/device/lazy-timer.h"
#include "inca/exchange/slot-sender.h"
#include "inca/transport/host-path.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

class FlowSums;

/**
 * A worker of a pool of slots (SwitchML, section 3): sends one packet per slot, and the next one
 * for a slot when its sum is there. What is not answered within Timeout of its departure is sent
 * again, made anew from the worker's values. The timeout doubles as long as it may be too short:
 * a sum that says that a packet was lost sets it back.
 *
 * Integer adders get values by IntegerScale, with exponents one window ahead (Scaling block) or with
 * FixedExponent (fixed); fp32 adders get them as they are, other floats rounded. Words are left as they are, too, and no
 * exponents go ahead of them; nor of what is gathered, which nobody adds.
 *
 * With two Sequences, what is gathered has its own, and packets of both alternate.
 *
 * All packets that may go are handed to the NIC at once: its buffer holds up to Slots frames.
 *
 * The host works on frames as its HostPath says; a sum costs what a message does before its first
 * frame. A sum counts as arrived when the host is done with it.
 */
class SlotClient : public AggregationClient
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    SlotClient();
    ~SlotClient() override;

    /** Its sums are those of @p flows from now on, without packets; it is @p worker there. */
    void SetFlows(ns3::Ptr<FlowSums> flows, Rank worker);

    /** A sum has come as a flow. @param stream as it was asked for @param packets that it was @param bytes of words */
    void EndFlow(std::uint64_t stream, std::uint64_t packets, std::uint64_t bytes);

  protected:
    void DoDispose() override;

  private:
    static ns3::TypeId AddAttributes(ns3::TypeId tid); ///< declares them

    void DoInstall() override;
    SlotFormat DoFormat() const override;
    bool DoGathersApart() const override;          ///< with two sequences
    void DoSum(ReductionRequest request) override; ///< begins a stream of packets
    void DoReceive(ns3::Ptr<Frame> frame, std::int64_t readyPs) override;
    std::string DoState() const override; ///< what it waits for
    std::int64_t DoLongestTimeoutPs() const override;
    void DoRest() override;
    void DoVisitState(StateVisitor& visitor) override;

    // -- sending
    void Pump();                             ///< sends what may be sent while it is its turn
    std::optional<StreamPacket> NextAgain(); ///< the next packet that is sent again
    std::optional<StreamPacket> NextOfAll();
    void Work(const StreamPacket& packet, bool repeated);     ///< has the host work on a packet
    std::int64_t FrameCostPs(std::uint64_t plainBytes) const; ///< what its host takes for it
    std::int64_t MessageCostPs() const;                       ///< the same of a sum
    void HostDone();                                          ///< the host has worked on a packet
    void Transmit(const StreamPacket& packet, bool repeated); ///< gives a packet to the NIC
    ns3::Ptr<Frame> MakeFrame(const StreamPacket& packet, bool repeated); ///< of a packet
    void WakeForNext(); ///< sets the timer to the next timeout
    void Timeout();     ///< queues what is to be sent again

    // -- receiving
    void Handle(const SlotPacket& sum);               ///< takes a sum
    void End(std::uint64_t stream);                   ///< a stream has all its sums
    SlotStream& Stream(std::uint64_t stream);         ///< by its number
    SlotSender& SenderOf(const StreamPacket& packet); ///< of a packet, by its sequence
    static std::string StateOf(const SlotSender& sender, std::uint64_t oldest); ///< of one sequence
    bool SetsThePace(const SlotSender& sender) const;

    // -- attributes
    std::uint32_t m_slots;           ///< attribute Slots
    std::uint32_t m_sequences;       ///< attribute Sequences
    std::uint32_t m_valuesPerPacket; ///< attribute ValuesPerPacket
    int m_adder;                     ///< its place
    int m_scaling;                   ///< its place among SCALING_NAMES
    std::int16_t m_fixedExponent;    ///< attribute FixedExponent
    ns3::Time m_timeout;             ///< attribute Timeout
    std::uint32_t m_doubleAfter;     ///< attribute DoubleAfter

    std::vector<SlotSender>
        m_senders; ///< by sequence, each of which has its own numbers and slots (SlotFormat)
    std::size_t m_nextSender{0};      ///< the first that is asked for a packet
    SlotFormat m_format;              ///< of the attributes, from DoInstall on
    std::deque<SlotStream> m_streams; ///< the first has number m_firstStream
    std::uint64_t m_firstStream{0};   ///< number of the first of m_streams

    HostPath::Sender m_turn;                  ///< on the host
    StreamPacket m_working;                   ///< with which the host is at work, if it is
    std::uint32_t m_workingSequence{0};       ///< of the packet that the host works on
    bool m_workingAgain{false};               ///< whether the packet was sent before
    LazyTimer m_timer{[this] { Timeout(); }}; ///< of the next timeout

    ArrivalQueue m_arrivals; ///< sums that the host works on

    ns3::Ptr<FlowSums> m_flows; ///< null: there are packets
    Rank m_worker{0};           ///< of these
};

} // namespace inca

#endif // INCA_AGGREGATION_SLOT_CLIENT_H
