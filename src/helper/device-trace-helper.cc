/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/device-trace-helper.h"

#include "device/link-port.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/simulator.h"

namespace inca
{

void
DeviceTraceHelper::EnablePcapInternal(std::string prefix,
                                      ns3::Ptr<ns3::NetDevice> device,
                                      bool promiscuous,
                                      bool explicitFilename)
{
    const auto port = ns3::DynamicCast<LinkPort>(device);
    if (!port)
    {
        return;
    }
    ns3::PcapHelper files;
    const auto name = explicitFilename ? prefix : files.GetFilenameFromDevice(prefix, device);
    const auto file = ns3::CreateObject<ns3::PcapFileWrapper>();
    file->SetAttribute("NanosecMode", ns3::BooleanValue(true));
    file->Open(name, std::ios::out | std::ios::binary);
    NS_ABORT_MSG_IF(file->Fail(), name << ": cannot be written");
    file->Init(ns3::PcapHelper::DLT_EN10MB);
    files.HookDefaultSink<LinkPort>(port, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void
DeviceTraceHelper::EnableAsciiInternal(ns3::Ptr<ns3::OutputStreamWrapper> stream,
                                       std::string prefix,
                                       ns3::Ptr<ns3::NetDevice> device,
                                       bool explicitFilename)
{
    const auto port = ns3::DynamicCast<LinkPort>(device);
    if (!port)
    {
        return;
    }
    ns3::AsciiTraceHelper files;
    if (!stream)
    {
        const auto name = explicitFilename ? prefix : files.GetFilenameFromDevice(prefix, device);
        stream = files.CreateFileStream(name);
    }
    const auto path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) + "/DeviceList/" +
                      std::to_string(device->GetIfIndex());
    using Shown = ns3::Callback<void, ns3::Ptr<const Frame>>;
    const std::pair<const char*, char> sources[] = {
        {"Enqueue", '+'}, {"Dequeue", '-'}, {"Receive", 'r'}, {"Drop", 'd'}};
    for (const auto& [source, sign] : sources) // a NIC's drops are of packets: MacTxDrop
    {
        port->TraceConnectWithoutContext(
            source, Shown([stream, path, letter = sign](ns3::Ptr<const Frame> frame) {
                *stream->GetStream() << letter << ' ' << ns3::Simulator::Now().GetSeconds() << ' '
                                     << path << ' ' << *frame << std::endl;
            }));
    }
}

} // namespace inca
