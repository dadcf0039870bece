/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nic-pcap-helper.h"

#include "base/errors.h"
#include "device/nic.h"

#include "ns3/boolean.h"
#include "ns3/pcap-file-wrapper.h"

#include <fstream>

namespace inca
{

void
NicPcapHelper::EnablePcapInternal(std::string prefix,
                                  ns3::Ptr<ns3::NetDevice> device,
                                  bool promiscuous,
                                  bool explicitFilename)
{
    const auto nic = device->GetObject<Nic>();
    if (!nic)
    {
        return; // of a node's devices, others have their own helpers
    }
    ns3::PcapHelper files;
    const auto name = explicitFilename ? prefix : files.GetFilenameFromDevice(prefix, device);
    if (!std::ofstream(name, std::ios::out | std::ios::binary)) // ns-3 itself would abort
    {
        throw RunError(name + ": cannot be written");
    }
    const auto file = ns3::CreateObject<ns3::PcapFileWrapper>();
    file->SetAttribute("NanosecMode", ns3::BooleanValue(true));
    file->Open(name, std::ios::out | std::ios::binary);
    file->Init(ns3::PcapHelper::DLT_EN10MB);
    files.HookDefaultSink<Nic>(nic, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

} // namespace inca
