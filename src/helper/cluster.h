/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_CLUSTER_H
#define INCA_HELPER_CLUSTER_H

#include "model/link.h"
#include "model/nic.h"
#include "model/switch.h"
#include "model/transport.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** What a topology helper has built; entry i of each list belongs to host i. */
struct Cluster
{
    ns3::NodeContainer hosts;
    std::vector<ns3::Ptr<Nic>> nics;
    std::vector<ns3::Ptr<Transport>> transports;
    std::vector<ns3::Ptr<Link>> links; ///< from host i; the host is on side 0

    ns3::Ptr<ns3::Node> switchNode;
    ns3::Ptr<Switch> hub; ///< its port i leads to host i

    /** The MAC address of host @p i. */
    ns3::Mac48Address Address(std::uint32_t i) const;

    /** All NICs, for ns-3's own helpers. */
    ns3::NetDeviceContainer Devices() const;
};

/** @return 02:00:hh:hh:hh:hh (locally administered) after the host's number */
ns3::Mac48Address HostAddress(std::uint32_t host);

} // namespace inca

#endif // INCA_HELPER_CLUSTER_H
