/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC alone: what its compression engine makes of a message's frames, at 10 and at 100 Gb/s.
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
    star.SetCodec(inca::MakeCodec(codec));
    const auto cluster = star.Install(2);

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
main()
{
    inca::SetPicosecondResolution();
    const std::uint64_t bytes = 10'000'000;
    for (const auto* rate : {"10Gbps", "100Gbps"})
    {
        const auto left = TimeToLeave(rate, bytes);
        std::cout << rate << ": 10 MB have left after " << left.As(ns3::Time::MS) << ", "
                  << static_cast<double>(bytes) * 8 / left.GetSeconds() / 1e9
                  << " Gb/s of plain gradients\n";
    }
}
