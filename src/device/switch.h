/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SWITCH_H
#define INCA_DEVICE_SWITCH_H

#include "inca/device/mac-hash.h"
#include "inca/device/switch-port.h"

#include "ns3/bridge-net-device.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * An output-queued store-and-forward Ethernet switch; aggregated to a node. A frame enters its
 * output queue Latency after its last bit arrived.
 *
 * What is for an address that Learn knows leaves by one of that address's ports. What is for one
 * unknown host, and came from below, goes up by one of the uplinks. All else is flooded: for a group,
 * for all, or unknown where there is nothing above. Flooding spares the port where the frame came
 * in, takes only ports that may flood, and takes nothing that came in at one that may not (the blocked
 * ports of a spanning tree).
 *
 * Of several ports, Routing says which one takes a frame. A flow is a pair of hosts, one way: all that one host sends to
 * another keeps to one path, and its order.
 * - ecmp: a hash of EcmpSeed, the switch's number and the flow. Switches that differ in number never have the same hash of
 *   a flow, so that a choice below does not decide the one above.
 * - d-mod-k: the number of the destination, without what switches below have decided by it, modulo the number of ports
 *   (Zahavi, D-Mod-K routing, 2010). It is static, as InfiniBand's: all that goes to a host takes one way down.
 *
 * To ns-3 it is a bridge on its node, whose ports are those that flood: global routing, which allows no circles,
 * takes the hosts of switches that are joined for one network.
 *
 * Who adds in a switch is its receiver, who takes frames of one kind out of the stream.
 */
class Switch : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /**
     * Plugs a port into a link.
     * @param port a new one, which is added to the switch's node
     * @param link with a free end
     * @param floods whether what is for everybody leaves by it
     * @return the port's number
     */
    std::size_t AddPort(ns3::Ptr<SwitchPort> port, ns3::Ptr<Link> link, bool floods = true);

    /** Frames for @p address leave by @p port from now on, or by any of @p ports, at least one. @{ */
    void Learn(ns3::Mac48Address address, std::size_t port);
    void Learn(ns3::Mac48Address address,
               std::vector<std::size_t> ports); ///< which ports lead to an address
    /** @} */

    /** The ports that lead up; none, as at first, at the top. */
    void SetUplinks(std::vector<std::size_t> ports);

    /**
     * Which of its topology's switches this is; 0 at first.
     * @param number goes into the hash of flows, so that switches choose differently
     * @param waysBelow how many ways up there are to it from a host, of which d-mod-k has chosen one by then
     */
    void SetNumber(std::uint32_t number, std::uint64_t waysBelow = 1);

    /**
     * Where a frame goes that came in at port @p from. @return a port; empty: it is for all, or nobody knows its
     * destination, so that it is flooded
     */
    std::optional<std::size_t> PortTowards(ns3::Mac48Address destination,
                                           ns3::Mac48Address source,
                                           std::size_t from) const;

    /** The attribute Latency. */
    std::int64_t LatencyPs() const
    {
        return m_latency.GetTimeStep();
    }

    /** Takes a frame that came in at port @p from. */
    using FrameReceiver = std::function<void(ns3::Ptr<Frame>, std::size_t from)>;

    /** Hands @p receiver every frame of @p kind that comes in from now on, instead of sending it on. */
    void SetFrameReceiver(FrameKind kind, FrameReceiver receiver);

    /** Sends a frame towards its destination; @p from is where it came in, which flooding spares. */
    void Forward(ns3::Ptr<Frame> frame, std::size_t from);

    /** Sends a frame by @p port, into whose queue it comes Latency from now. */
    void Send(ns3::Ptr<Frame> frame, std::size_t port);

    /** The port with that number. */
    ns3::Ptr<SwitchPort> GetPort(std::size_t port) const
    {
        return m_ports.at(port).port;
    }

    /** How many ports it has so far. */
    std::size_t PortCount() const
    {
        return m_ports.size();
    }

    /** Its ports; it holds nothing beside them. */
    void VisitState(StateVisitor& visitor); ///< shows its state

    /** Frames that were sent to every other port. */
    std::uint64_t FloodedFrames() const
    {
        return m_floodedFrames;
    }

    /** Frames for hosts that nobody knows which came in at a port that does not flood; dropped. */
    std::uint64_t UnknownFrames() const
    {
        return m_unknownFrames;
    }

  protected:
    void DoDispose() override;

  private:
    /** How one of several ports is chosen; attribute. */
    enum Routing
    {
        ECMP,
        D_MOD_K,
    };

    /** A port and what it is for. */
    struct Place
    {
        ns3::Ptr<SwitchPort> port; ///< the device at the end of the link
        bool floods{true};         ///< whether frames for everybody leave by it
        bool leadsUp{false};       ///< whether it is one of the uplinks
    };

    void Receive(ns3::Ptr<Frame> frame, std::size_t from); ///< a frame has come in at a port
    /** Picks one of several ports, by flow or by destination. */
    std::size_t Choose(const std::vector<std::size_t>& ports,
                       ns3::Mac48Address destination,
                       ns3::Mac48Address source) const;
    bool GoesUp(ns3::Mac48Address destination, std::size_t from) const;
    void Flood(const Frame& frame, std::size_t from); ///< sends a frame for everybody

    ns3::Time m_latency;                     ///< attribute Latency
    Routing m_routing{ECMP};                 ///< attribute Routing
    std::uint64_t m_ecmpSeed{0};             ///< attribute EcmpSeed
    std::uint32_t m_number{0};               ///< in the plan
    std::uint64_t m_waysBelow{1};            ///< among which the switches below choose
    std::vector<Place> m_ports;              ///< by number
    ns3::Ptr<ns3::BridgeNetDevice> m_bridge; ///< what ns-3 sees of it, once it has a port
    std::unordered_map<ns3::Mac48Address, std::vector<std::size_t>, MacHash>
        m_table;                                        ///< ports to a host
    std::vector<std::size_t> m_uplinks;                 ///< ports that lead up
    std::array<FrameReceiver, FRAME_KINDS> m_receivers; ///< by kind; null: sent on
    std::uint64_t m_floodedFrames{0};                   ///< sent to everybody
    std::uint64_t m_unknownFrames{0};                   ///< of which nobody knows the way
};

} // namespace inca

#endif // INCA_DEVICE_SWITCH_H
