/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Four workers around one switch all-reduce 10 MB in a ring, at 10 Gb/s. Where ns-3 is built with logs, try
//   LogComponentEnable("IncaRank", LOG_LEVEL_INFO), or NS_LOG=IncaRank=info in the environment.
#include "ns3/inca-module.h"

#include <iostream>

void
PrintEnd(inca::Rank worker, std::uint32_t /*exchange*/)
{
    std::cout << "worker " << worker << " has the sum at "
              << ns3::Simulator::Now().As(ns3::Time::MS) << "\n";
}

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution(); // before anything else of ns-3
    std::uint32_t workers = 4;
    std::string trace = "tensor:10MB";
    std::string exchange = "ring";
    std::string codec = "none";
    ns3::CommandLine command(__FILE__);
    command.AddValue("workers", "how many workers exchange", workers);
    command.AddValue(
        "trace", "what is trained: a tensor, a shipped trace such as resnet-50, or a file", trace);
    command.AddValue("exchange", "how gradients are added", exchange);
    command.AddValue("codec", "what NICs code them with", codec);
    command.Parse(argc, argv);

    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue(trace));
    training.SetAttribute("Exchange", ns3::StringValue(exchange));
    training.SetCodec(codec);
    inca::StarHelper star;
    star.SetNicAttribute("DataRate", ns3::StringValue("10Gbps"));
    star.SetLinkAttribute("Delay", ns3::StringValue("1us"));
    const auto cluster = star.Install(training.HostsNeeded(workers));
    const auto ranks = training.Install(cluster.hosts);

    for (auto rank = ranks.Begin(); rank != ranks.End(); ++rank)
    {
        (*rank)->TraceConnectWithoutContext("ExchangeEnd", ns3::MakeCallback(&PrintEnd));
    }
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
}
