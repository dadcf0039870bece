/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_LINK_H
#define INCA_DEVICE_LINK_H

#include "inca/base/ring-queue.h"
#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"
#include "inca/device/kept-event.h"

#include "ns3/channel.h"
#include "ns3/error-model.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <optional>

namespace inca
{

/**
 * Ends the program, saying why, if ns-3 is to simulate in several processes or threads (as MpiInterface::Enable
 *         has it): hosts share frames and jobs
 */
void RequireSequentialSimulator();

/** What can sit at an end of a link. */
class LinkEnd
{
  public:
    virtual ~LinkEnd() = default;

    /** The last bit of @p frame has arrived; the end owns it from now on. */
    virtual void ReceiveFrame(ns3::Ptr<Frame> frame) = 0;

    /** The link has two ends now, this one and @p other. */
    virtual void LinkIsUp(const LinkEnd& /*other*/)
    {
    }

    /** How fast it sends; 0: as fast as the other end. */
    virtual std::uint64_t BitsPerSecond() const
    {
        return 0;
    }

    /** The node whose context its events run in. */
    virtual std::uint32_t NodeId() const = 0;
};

/** What one direction of a link has done. (frames) */
struct LinkCounters
{
    std::uint64_t carriedFrames{0}; ///< given to the end at the other side
    std::uint64_t lostFrames{0};    ///< taken by the error model
};

/**
 * @ingroup inca
 *
 * A full-duplex cable between two ends: a frame arrives as a whole, Delay after its last bit left. What leaves first also arrives
 * first, whatever becomes of Delay meanwhile. Each direction may have an error model. A frame without a packet of ns-3's stack is
 * shown to it as a packet of the frame's size, so that ns3::ReceiveListErrorModel loses by ordinal; RandomLoss is shown none.
 */
class Link : public ns3::Channel
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** @param end lives as long as the link carries anything. @return its side, 0 or 1 */
    unsigned Attach(LinkEnd* end);

    /** Whether it has two ends: else it carries nothing. */
    bool IsUp() const
    {
        return m_ends == m_directions.size();
    }

    /** What it adds to the time at which a frame's last bit leaves. (ps) */
    std::int64_t DelayPs() const
    {
        return m_delay.GetTimeStep();
    }

    /** Takes over a frame whose departures are set, while it is up; later calls have later departures. */
    void Transmit(unsigned fromSide, ns3::Ptr<Frame> frame);

    /** Loses what @p model calls corrupt of that which @p fromSide transmits; it sees each frame. */
    void SetErrorModel(unsigned fromSide, ns3::Ptr<ns3::ErrorModel> model);

    /** The error model of what that side sends; null: nothing is lost. */
    ns3::Ptr<ns3::ErrorModel> GetErrorModel(unsigned fromSide) const
    {
        return m_directions.at(fromSide).errorModel;
    }

    /** What that side has sent so far. */
    const LinkCounters& Counters(unsigned fromSide) const
    {
        return m_directions.at(fromSide).counters;
    }

    /** What is in either direction. */
    void VisitState(StateVisitor& visitor); ///< shows its state

    std::size_t GetNDevices() const override;
    ns3::Ptr<ns3::NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /** A frame on its way. */
    struct Carried
    {
        ns3::Ptr<Frame> frame;     ///< its departures are set
        std::int64_t arrivalPs{0}; ///< at the other end, which gets it then
        PathEnd path;              ///< to that
    };

    /** One way: frames on the cable, and who gets them. The first of them has an event. */
    struct Direction
    {
        LinkEnd* to{nullptr};      ///< the end that gets them; null: nothing is plugged in there
        RingQueue<Carried> frames; ///< by arrival
        KeptEvent deliver;         ///< when the first of them arrives
        ns3::Ptr<ns3::ErrorModel> errorModel; ///< null: nothing is lost
        bool looksAtFrames{true};             ///< the error model; RandomLoss does not
        std::optional<std::uint32_t> node;    ///< of that end, once anything was carried
        LinkCounters counters;                ///< what it has done so far

        void ScheduleFirst();                  ///< sets the event of the first frame
        void DeliverFirst();                   ///< the first frame arrives, or is lost
        bool IsLost(const Frame& frame) const; ///< what the error model says of a frame
    };

    ns3::Time m_delay;                     ///< attribute Delay
    unsigned m_ends{0};                    ///< by side
    std::array<Direction, 2> m_directions; ///< by the side that transmits
};

} // namespace inca

#endif // INCA_DEVICE_LINK_H
