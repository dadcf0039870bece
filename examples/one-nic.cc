/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC alone: what its compression engine makes of a message's frames, at 10 and at 100 Gb/s. Where ns-3 is built with
// logs, try LogComponentEnable("IncaEngine", LOG_LEVEL_INFO), or IncaNic.
#include "ns3/inca-module.h"

#include <iostream>

namespace
{

/** When a message of @p bytes has left a NIC with an INCEPTIONN engine. */
ns3::Time
TimeToLeave(const std::string& rate, std::uint64_t bytes)
{
    inca::CodecSpec codec;
    codec.name = "inceptionn";
    inca::StarHelper star;
    star.SetNicAttribute("DataRate", ns3::StringValue(rate));
    const auto cluster = star.Install(2);
    cluster.nics[0]->SetCodec(inca::MakeCodec(codec));
    cluster.nics[1]->SetCodec(inca::MakeCodec(codec));

    inca::Message message;
    message.to = cluster.Address(1);
    message.plainBytes = bytes;
    message.compressible = true; // for the engines
    message.meanBits = 5.72;     // AlexNet's gradients at 2^-10, tags included
    ns3::Time left;
    cluster.transports[0]->Send(message, [&left] { left = ns3::Simulator::Now(); });
    cluster.transports[1]->SetReceiver(inca::JobId(), [](inca::ReceivedMessage) {});
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    return left;
}

} // namespace

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    std::uint64_t bytes = 10'000'000;
    ns3::CommandLine command(__FILE__);
    command.AddValue("bytes", "of the message", bytes);
    command.Parse(argc, argv);
    for (const auto* rate : {"10Gbps", "100Gbps"})
    {
        const auto left = TimeToLeave(rate, bytes);
        std::cout << rate << ": " << static_cast<double>(bytes) / 1e6 << " MB have left after "
                  << left.As(ns3::Time::MS) << ", "
                  << static_cast<double>(bytes) * 8 / left.GetSeconds() / 1e9
                  << " Gb/s of plain gradients\n";
    }
}
