/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Eight workers over ns-3's own devices and stacks: two LANs, a point-to-point bottleneck with RED between them, and a bulk
// transfer beside the training. FlowMonitor sees every connection. Where ns-3 is built with logs, try
//   LogComponentEnable("IncaTcpTransport", LOG_LEVEL_FUNCTION), or one of ns-3's own, such as RedQueueDisc.
#include "ns3/applications-module.h"
#include "ns3/bridge-module.h"
#include "ns3/csma-module.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/inca-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <iostream>

namespace
{

/** Four workers, and a host with other traffic, before a router: on one bus, or each on a port of a bridge. */
ns3::Ipv4InterfaceContainer
MakeLan(const ns3::NodeContainer& nodes, bool isBridged, const char* network)
{
    ns3::CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", ns3::StringValue("1Gbps"));
    csma.SetChannelAttribute("Delay", ns3::StringValue("1us"));
    ns3::NetDeviceContainer ends;
    if (!isBridged)
    {
        ends = csma.Install(nodes);
    }
    else
    {
        const auto bridge = ns3::CreateObject<ns3::Node>();
        ns3::NetDeviceContainer ports;
        for (std::uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto both = csma.Install(ns3::NodeContainer(nodes.Get(i), bridge));
            ends.Add(both.Get(0));
            ports.Add(both.Get(1));
        }
        ns3::BridgeHelper().Install(bridge, ports);
    }
    return ns3::Ipv4AddressHelper(network, "255.255.255.0").Assign(ends);
}

} // namespace

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    bool isBridged = false;
    bool hasBulk = true;
    std::string exchange = "ring";
    std::string bottleneck = "500Mbps";
    ns3::CommandLine command(__FILE__);
    command.AddValue("bridged", "whether LANs are bridges; else each is one bus", isBridged);
    command.AddValue("bulk", "whether other traffic crosses the bottleneck", hasBulk);
    command.AddValue("exchange", "how gradients are added", exchange);
    command.AddValue("bottleneck", "rate between the LANs", bottleneck);
    command.Parse(argc, argv);

    ns3::NodeContainer routers(2);
    ns3::NodeContainer workers(8);
    ns3::NodeContainer others(2);
    ns3::InternetStackHelper().Install(ns3::NodeContainer(routers, workers, others));
    ns3::PointToPointHelper cable;
    cable.SetDeviceAttribute("DataRate", ns3::StringValue(bottleneck));
    cable.SetChannelAttribute("Delay", ns3::StringValue("50us"));
    const auto between = cable.Install(routers);
    ns3::TrafficControlHelper queues;
    queues.SetRootQueueDisc("ns3::RedQueueDisc",
                            "LinkBandwidth",
                            ns3::StringValue(bottleneck),
                            "LinkDelay",
                            ns3::StringValue("50us"));
    queues.Install(between);
    ns3::Ipv4AddressHelper("10.1.3.0", "255.255.255.0").Assign(between);
    ns3::Ipv4Address sink;
    for (const auto lan : {0U, 1U})
    {
        ns3::NodeContainer nodes(routers.Get(lan), others.Get(lan));
        for (std::uint32_t i = 0; i < 4; ++i)
        {
            nodes.Add(workers.Get(4 * lan + i));
        }
        sink = MakeLan(nodes, isBridged, lan == 0 ? "10.1.1.0" : "10.1.2.0").GetAddress(1);
    }
    ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    if (hasBulk)
    {
        const ns3::InetSocketAddress to(sink, 9);
        ns3::PacketSinkHelper("ns3::TcpSocketFactory", to).Install(others.Get(1));
        ns3::BulkSendHelper bulk("ns3::TcpSocketFactory", to);
        bulk.SetAttribute("MaxBytes", ns3::UintegerValue(20'000'000));
        bulk.Install(others.Get(0));
    }

    inca::UseLinuxTcpDefaults();
    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue("tensor:4MB"));
    training.SetAttribute("Exchange", ns3::StringValue(exchange));
    const auto ranks =
        training.Install(workers); // nodes with an Internet stack: nothing else is needed
    using Ended = ns3::Callback<void, inca::Rank, std::uint32_t>;
    ns3::Time end;
    std::uint32_t ended = 0;
    for (auto rank = ranks.Begin(); rank != ranks.End(); ++rank)
    {
        (*rank)->TraceConnectWithoutContext("ExchangeEnd", Ended([&](inca::Rank, std::uint32_t) {
                                                end = ns3::Simulator::Now();
                                                ++ended;
                                            }));
    }
    ns3::FlowMonitorHelper monitors;
    const auto monitor = monitors.InstallAll();
    ns3::Simulator::Stop(ns3::Seconds(60));
    ns3::Simulator::Run();
    std::uint64_t lost = 0;
    for (const auto& [flow, seen] : monitor->GetFlowStats())
    {
        lost += seen.lostPackets;
    }
    std::cout << ended << " workers have the sum of 4 MB, the last at " << end.As(ns3::Time::MS)
              << "; " << monitor->GetFlowStats().size() << " flows lost " << lost << " packets\n";
    ns3::Simulator::Destroy();
    return ended == workers.GetN() ? 0 : 1;
}
