/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology of one's own: two switches with two workers each, joined by a slower trunk.
#include "ns3/inca-module.h"

#include <array>
#include <iostream>

namespace
{

constexpr std::uint32_t g_workers = 4;

ns3::Ptr<inca::SwitchPort>
MakePort(const std::string& rate)
{
    auto port = ns3::CreateObject<inca::SwitchPort>();
    port->SetAttribute("DataRate", ns3::StringValue(rate));
    return port;
}

/** Two switches; each knows the way to every host. */
inca::Cluster
BuildTwoRacks(const std::string& hostRate, const std::string& trunkRate)
{
    inca::Cluster cluster;
    cluster.hosts.Create(g_workers);
    std::array<ns3::Ptr<inca::Switch>, 2> racks;
    std::array<std::size_t, 2> trunkPort{};
    const auto trunk = ns3::CreateObject<inca::Link>();
    for (std::size_t rack = 0; rack < racks.size(); ++rack)
    {
        racks[rack] = ns3::CreateObject<inca::Switch>();
        ns3::CreateObject<ns3::Node>()->AggregateObject(racks[rack]);
        trunkPort[rack] = racks[rack]->AddPort(MakePort(trunkRate), trunk);
    }
    for (std::uint32_t host = 0; host < g_workers; ++host)
    {
        const auto nic = ns3::CreateObject<inca::Nic>();
        nic->SetAttribute("DataRate", ns3::StringValue(hostRate));
        nic->SetAddress(inca::HostAddress(host));
        const auto link = ns3::CreateObject<inca::Link>();
        nic->Attach(link);
        cluster.hosts.Get(host)->AddDevice(nic);

        const auto transport = ns3::CreateObject<inca::Transport>();
        transport->SetNic(nic);
        cluster.hosts.Get(host)->AggregateObject(transport);
        cluster.nics.push_back(nic);
        cluster.transports.push_back(transport);

        const std::size_t home = host / 2;
        racks[home]->Learn(inca::HostAddress(host), racks[home]->AddPort(MakePort(hostRate), link));
        racks[1 - home]->Learn(inca::HostAddress(host), trunkPort[1 - home]);
    }
    return cluster;
}

void
PrintEnd(inca::Rank worker, std::uint32_t /*exchange*/)
{
    std::cout << "worker " << worker << " has the sum of 10 MB at "
              << ns3::Simulator::Now().As(ns3::Time::MS) << "\n";
}

} // namespace

int
main()
{
    inca::SetPicosecondResolution();
    inca::ExchangeSpec exchange;
    exchange.workers = g_workers;
    const auto job = inca::MakeTensorJob(exchange, 2'500'000);
    const auto ranks = inca::InstallJob(job, BuildTwoRacks("10Gbps", "2.5Gbps"));
    for (const auto& rank : ranks)
    {
        rank->TraceConnectWithoutContext("ExchangeEnd", ns3::MakeCallback(&PrintEnd));
    }
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}
