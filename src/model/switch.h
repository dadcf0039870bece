/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_MODEL_SWITCH_H
#define INCA_MODEL_SWITCH_H

#include "model/switch-port.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace inca
{

/**
 * An output-queued store-and-forward Ethernet switch; aggregated to a node. It forwards by the
 * table that Learn fills and floods what is for a group, for all, or unknown. A train enters its
 * output queue Latency after its last bit arrived.
 */
class Switch : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    /** Plugs @p port into @p link. @return the port's number */
    std::size_t AddPort(ns3::Ptr<SwitchPort> port, ns3::Ptr<Link> link);

    /** Trains for @p address leave by @p port from now on. */
    void Learn(ns3::Mac48Address address, std::size_t port);

    /** Sends a train towards its destination; @p from is where it came in, which flooding spares. */
    void Forward(ns3::Ptr<Train> train, std::size_t from);

    ns3::Ptr<SwitchPort> GetPort(std::size_t port) const
    {
        return m_ports.at(port);
    }

    std::size_t PortCount() const
    {
        return m_ports.size();
    }

    /** Frames that were sent to every other port. */
    std::uint64_t FloodedFrames() const
    {
        return m_floodedFrames;
    }

  protected:
    void DoDispose() override;

  private:
    void Flood(const Train& train, std::size_t from, std::int64_t readyPs);

    ns3::Time m_latency;
    std::vector<ns3::Ptr<SwitchPort>> m_ports;
    std::map<ns3::Mac48Address, std::size_t> m_table;
    std::uint64_t m_floodedFrames{0};
};

} // namespace inca

#endif // INCA_MODEL_SWITCH_H
