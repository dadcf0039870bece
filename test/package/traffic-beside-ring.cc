/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A program of scratch/ in an ns-3 tree (tools/test-in-ns3): four workers all-reduce 10 MB in a ring while one of their hosts
// sends 3 MB to another by ns-3's TCP. Whoever shares a network is not faster than alone, and not slower than one after the other.
#include "ns3/applications-module.h"
#include "ns3/inca-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <iostream>

namespace
{

constexpr std::uint64_t BULK_BYTES{3'000'000};
constexpr std::uint16_t PORT{5000};

/** When each of the two has ended; 0: it has not. */
struct Ends
{
    ns3::Time exchange;
    ns3::Time bulk;
};

void
InstallBulk(const inca::Cluster& cluster, ns3::Time& end)
{
    ns3::InternetStackHelper().Install(cluster.hosts);
    ns3::Ipv4AddressHelper addresses("10.1.0.0", "255.255.0.0");
    const ns3::InetSocketAddress to(addresses.Assign(cluster.Devices()).GetAddress(1), PORT);
    ns3::BulkSendHelper sender("ns3::TcpSocketFactory", to);
    sender.SetAttribute("MaxBytes", ns3::UintegerValue(BULK_BYTES));
    sender.Install(cluster.hosts.Get(0));
    ns3::PacketSinkHelper receiver("ns3::TcpSocketFactory", to);
    const auto sink = receiver.Install(cluster.hosts.Get(1)).Get(0)->GetObject<ns3::PacketSink>();
    using Received = ns3::Callback<void, ns3::Ptr<const ns3::Packet>, const ns3::Address&>;
    sink->TraceConnectWithoutContext(
        "Rx", Received([&end, raw = ns3::PeekPointer(sink)](auto, const auto&) {
            if (raw->GetTotalRx() == BULK_BYTES)
            {
                end = ns3::Simulator::Now();
            }
        }));
}

void
InstallRing(const inca::Cluster& cluster, ns3::Time& end)
{
    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue("tensor:10MB"));
    for (const auto& rank : inca::RanksOf(training.Install(cluster.hosts)))
    {
        using Ended = ns3::Callback<void, inca::Rank, std::uint32_t>;
        rank->TraceConnectWithoutContext("ExchangeEnd", Ended([&end](inca::Rank, std::uint32_t) {
                                             end = ns3::Simulator::Now();
                                         }));
    }
}

Ends
Run(bool withRing, bool withBulk)
{
    Ends ends;
    const auto cluster = inca::StarHelper().Install(4);
    if (withRing)
    {
        InstallRing(cluster, ends.exchange);
    }
    if (withBulk)
    {
        InstallBulk(cluster, ends.bulk);
    }
    ns3::Simulator::Stop(ns3::Seconds(1));
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    return ends;
}

} // namespace

int
main()
{
    inca::SetPicosecondResolution();
    ns3::Config::SetDefault(
        "ns3::ArpL3Protocol::RequestJitter", // else of up to 10 ms: the ring would be over
        ns3::StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    const auto ring = Run(true, false).exchange;
    const auto bulk = Run(false, true).bulk;
    const auto both = Run(true, true);
    std::cout << "alone: " << ring.As(ns3::Time::MS) << " and " << bulk.As(ns3::Time::MS)
              << "; both: " << both.exchange.As(ns3::Time::MS) << " and "
              << both.bulk.As(ns3::Time::MS) << "\n";
    const bool isRight = ring.IsStrictlyPositive() && bulk.IsStrictlyPositive() &&
                         both.exchange >= ring && both.bulk >= bulk &&
                         std::max(both.exchange, both.bulk) <= ring + bulk;
    return isRight ? 0 : 1;
}
