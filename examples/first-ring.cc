/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Four workers around one switch all-reduce 10 MB in a ring, at 10 Gb/s.
#include "ns3/inca-module.h"

#include <iostream>

void
PrintEnd(inca::Rank worker, std::uint32_t /*exchange*/)
{
    std::cout << "worker " << worker << " has the sum at "
              << ns3::Simulator::Now().As(ns3::Time::MS) << "\n";
}

int
main()
{
    inca::SetPicosecondResolution(); // before anything else of ns-3

    inca::ExchangeSpec exchange;
    exchange.algorithm = "ring";
    exchange.workers = 4;
    const auto job = inca::MakeTensorJob(exchange, 2'500'000); // fp32 values

    inca::StarHelper star;
    star.SetNicAttribute("DataRate", ns3::StringValue("10Gbps"));
    star.SetLinkAttribute("Delay", ns3::StringValue("1us"));
    const auto ranks = inca::InstallJob(star.Install(inca::HostsNeeded(exchange)), job);

    for (const auto& rank : ranks)
    {
        rank->TraceConnectWithoutContext("ExchangeEnd", ns3::MakeCallback(&PrintEnd));
    }
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}
