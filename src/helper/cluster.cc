/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster.h"

#include "device/mac-hash.h"
#include "device/set-up-error.h"

#include <array>
#include <set>
#include <string>

namespace inca
{

namespace
{

/** 02:kk:nn:nn:nn:nn: locally administered, after @p kind and @p number. */
ns3::Mac48Address
LocalAddress(std::uint8_t kind, std::uint32_t number)
{
    constexpr std::uint8_t LOCALLY_ADMINISTERED{2};
    const std::array<std::uint8_t, 6> bytes{LOCALLY_ADMINISTERED,
                                            kind,
                                            static_cast<std::uint8_t>(number >> 24U),
                                            static_cast<std::uint8_t>(number >> 16U),
                                            static_cast<std::uint8_t>(number >> 8U),
                                            static_cast<std::uint8_t>(number)};
    ns3::Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

} // namespace

std::vector<const JobAggregation*>
Cluster::AggregationsOf(JobId job) const
{
    std::vector<const JobAggregation*> all;
    for (const auto& [of, aggregation] : aggregations)
    {
        if (of.IsOf(job))
        {
            all.push_back(&aggregation);
        }
    }
    return all;
}

std::vector<SwitchAdder>
Cluster::AddersOf(JobId job) const
{
    std::vector<SwitchAdder> adders;
    for (const auto& [of, aggregation] : aggregations)
    {
        const auto group = of.GroupNumber();
        for (std::size_t i = group > 0 ? plan.nodes : 0;
             of.IsOf(job) && i < aggregation.programs.size();
             ++i)
        {
            if (const auto& program = aggregation.programs[i])
            {
                adders.push_back(
                    {i, group > 0 ? ", rail " + std::to_string(group - 1) : "", program});
            }
        }
    }
    return adders;
}

const JobAggregation&
Cluster::AggregationOf(JobId job) const
{
    static const JobAggregation nothing;
    const auto found = aggregations.find(job);
    return found == aggregations.end() ? nothing : found->second;
}

void
Cluster::RequireHosts(const std::vector<std::uint32_t>& numbers) const
{
    std::set<std::uint32_t> seen;
    for (const auto number : numbers)
    {
        INCA_ABORT_MSG_IF(number >= hosts.GetN(),
                          "there is no host " + std::to_string(number) + ": the cluster has " +
                              std::to_string(hosts.GetN()) + " hosts");
        INCA_ABORT_MSG_IF(!seen.insert(number).second,
                          "host " + std::to_string(number) + " is named twice");
    }
}

ns3::Mac48Address
Cluster::Address(std::uint32_t i) const
{
    return ns3::Mac48Address::ConvertFrom(nics.at(i)->GetAddress());
}

ns3::Ptr<Switch>
Cluster::SwitchOf(std::uint32_t i) const
{
    return switches.at(plan.hostSwitch.at(i));
}

ns3::Ptr<SwitchPort>
Cluster::PortTo(std::uint32_t i) const
{
    return SwitchOf(i)->GetPort(hostPorts.at(i));
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

ns3::NetDeviceContainer
Cluster::Devices(const std::vector<std::uint32_t>& ofHosts) const
{
    RequireHosts(ofHosts);
    ns3::NetDeviceContainer devices;
    for (const auto host : ofHosts)
    {
        devices.Add(nics[host]);
    }
    return devices;
}

ns3::Mac48Address
HostAddress(std::uint32_t host)
{
    return LocalAddress(0, host + 1); // the last three bytes become an IPv4 host, which is never 0
}

std::uint32_t
HostAt(ns3::Mac48Address address)
{
    return static_cast<std::uint32_t>(MacNumber(address)) - 1; // its last four bytes
}

ns3::Mac48Address
SwitchAddress(std::uint32_t number)
{
    return LocalAddress(1, number);
}

} // namespace inca
