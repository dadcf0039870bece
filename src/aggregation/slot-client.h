/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_SLOT_CLIENT_H
#define INCA_AGGREGATION_SLOT_CLIENT_H

#include "aggregation/aggregation-client.h"
#include "aggregation/slot-stream.h"
#include "exchange/slot-sender.h"
#include "exchange/slot-timeouts.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * A worker of a pool of slots (SwitchML, section 3): sends one packet per slot, and the next one
 * for a slot when its sum is there. What is not answered within Timeout of its departure is sent
 * again, made anew from the worker's values.
 *
 * int32 adders get values by BlockScale, with exponents one window ahead (Scaling block) or with
 * FixedExponent (fixed); fp32 adders get them as they are. Words are left as they are, too, and no
 * exponents go ahead of them.
 *
 * All packets that may go are handed to the NIC at once: its buffer holds up to Slots frames.
 *
 * The host works on one frame after the other, in pipeline with the wire, sending and receiving
 * independently: plain bytes / HostByteRate + HostFrameCost each, and HostMessageCost before a
 * sum's first frame leaves, as with Transport. A sum counts as arrived when the host is done with
 * it.
 */
class SlotClient : public AggregationClient
{
  public:
    static ns3::TypeId GetTypeId();

  protected:
    void DoDispose() override;

  private:
    static constexpr std::int64_t NEVER_PS{std::numeric_limits<std::int64_t>::max()};

    /** A sum that arrived, and when the host is done with it. */
    struct Arrived
    {
        ns3::Ptr<Train> train;
        std::int64_t donePs;
    };

    static ns3::TypeId AddPoolAttributes(ns3::TypeId tid);
    static ns3::TypeId AddHostAttributes(ns3::TypeId tid);

    void DoInstall() override;
    std::uint32_t DoValuesPerPacket() const override;
    void DoSum(NetworkSumRequest request) override;
    void DoReceive(ns3::Ptr<Train> train, std::int64_t readyPs) override;
    std::string DoState() const override;

    // -- sending
    void Pump();
    std::optional<SlotTurn> NextAgain();
    void Work(const SlotTurn& turn, bool repeated);
    void HostDone(SlotTurn turn, bool repeated);
    void Transmit(const SlotTurn& turn, bool repeated);
    ns3::Ptr<Train> MakeTrain(const SlotTurn& turn, bool repeated);
    std::int64_t FrameCostPs(std::uint64_t plainBytes) const;
    void WakeAt(std::int64_t timePs);
    void Timeout();

    // -- receiving
    void ScheduleFirst();
    void HandleFirst();
    void Handle(const SlotPacket& sum);
    void End(std::uint64_t stream);
    SlotStream& Stream(std::uint64_t stream);

    // -- attributes
    std::uint32_t m_slots;
    std::uint32_t m_valuesPerPacket;
    std::string m_adder;
    std::string m_scaling;
    std::int16_t m_fixedExponent;
    ns3::Time m_timeout;
    std::uint32_t m_doubleAfter;
    std::uint64_t m_hostBytesPerSecond;
    ns3::Time m_hostFrameCost;
    ns3::Time m_hostMessageCost;

    std::optional<SlotSender> m_sender;
    std::optional<SlotTimeouts> m_timeouts;
    std::shared_ptr<const SlotCoding> m_coding;
    std::deque<SlotStream> m_streams; ///< the first has number m_firstStream
    std::uint64_t m_firstStream{0};
    std::vector<std::uint32_t> m_timesSent; ///< by slot, of the packet that is on its way

    std::deque<std::uint64_t> m_again; ///< packets whose timeout has passed
    bool m_hostSends{false};           ///< the sending host works on a frame
    ns3::EventId m_timer;
    std::int64_t m_timerPs{NEVER_PS}; ///< when it wakes

    std::int64_t m_hostReceivesUntilPs{0};
    std::deque<Arrived> m_arrived; ///< by time; at most one event is pending
};

} // namespace inca

#endif // INCA_AGGREGATION_SLOT_CLIENT_H
