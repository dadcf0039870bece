/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A ring whose worker 0 loses its third frame, with a capture of every NIC.
#include "ns3/inca-module.h"

#include <iostream>

int
main()
{
    inca::SetPicosecondResolution();
    inca::ExchangeSpec exchange;
    exchange.workers = 4;
    const auto job = inca::MakeTensorJob(exchange, 100'000);

    ns3::Config::SetDefault("inca::Switch::Latency", ns3::StringValue("500ns"));
    inca::StarHelper star;
    star.SetTransportAttribute("Window", ns3::UintegerValue(32));
    const auto cluster = star.Install(inca::HostsNeeded(exchange));

    const auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
    losses->SetList({2});                       // counted from 0
    cluster.links[0]->SetErrorModel(0, losses); // what host 0 (side 0) sends
    inca::NicPcapHelper().EnablePcap("ring", cluster.Devices());

    const auto ranks = inca::InstallJob(cluster, job);
    ns3::Simulator::Run();
    std::cout << "sent again: " << cluster.transports[0]->RetransmittedFrames()
              << ", lost: " << cluster.links[0]->Counters(0).lostFrames << "\n";
    ns3::Simulator::Destroy();
}
