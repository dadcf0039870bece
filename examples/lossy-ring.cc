/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A ring whose worker 0 loses its third frame, with a capture of every NIC. Where ns-3 is built with logs, try
//   LogComponentEnable("IncaTransport", LOG_LEVEL_INFO), or IncaTransportSender.
#include "ns3/inca-module.h"

#include <iostream>

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    std::uint32_t window = 32;
    ns3::CommandLine command(__FILE__);
    command.AddValue("window", "frames that a host sends unacknowledged", window);
    command.Parse(argc, argv);
    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue("tensor:400kB"));

    ns3::Config::SetDefault("inca::Switch::Latency", ns3::StringValue("500ns"));
    inca::StarHelper star;
    star.SetTransportAttribute("Window", ns3::UintegerValue(window));
    const auto cluster = star.Install(4);

    const auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
    losses->SetList({2});                       // counted from 0
    cluster.links[0]->SetErrorModel(0, losses); // what host 0 (side 0) sends
    inca::DeviceTraceHelper().EnablePcap("ring", cluster.Devices());

    training.Install(cluster.hosts);
    ns3::Simulator::Run();
    std::cout << "sent again: " << cluster.transports[0]->RetransmittedFrames()
              << ", lost: " << cluster.links[0]->Counters(0).lostFrames << "\n";
    ns3::Simulator::Destroy();
}
