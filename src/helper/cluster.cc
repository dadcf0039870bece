/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster.h"

#include <array>

namespace inca
{

ns3::Mac48Address
Cluster::Address(std::uint32_t i) const
{
    return ns3::Mac48Address::ConvertFrom(nics.at(i)->GetAddress());
}

ns3::NetDeviceContainer
Cluster::Devices() const
{
    ns3::NetDeviceContainer devices;
    for (const auto& nic : nics)
    {
        devices.Add(nic);
    }
    return devices;
}

ns3::Mac48Address
HostAddress(std::uint32_t host)
{
    constexpr std::uint8_t LOCALLY_ADMINISTERED{2};
    const auto number = host + 1; // the last three bytes become an IPv4 host, which is never 0
    const std::array<std::uint8_t, 6> bytes{LOCALLY_ADMINISTERED,
                                            0,
                                            static_cast<std::uint8_t>(number >> 24U),
                                            static_cast<std::uint8_t>(number >> 16U),
                                            static_cast<std::uint8_t>(number >> 8U),
                                            static_cast<std::uint8_t>(number)};
    ns3::Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

} // namespace inca
