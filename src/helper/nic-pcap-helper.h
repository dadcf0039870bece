/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_NIC_PCAP_HELPER_H
#define INCA_HELPER_NIC_PCAP_HELPER_H

#include "ns3/trace-helper.h"

#include <string>

namespace inca
{

/**
 * Captures what NICs see as Ethernet pcap files, with ns-3's usual EnablePcap calls. Stamps are whole
 * nanoseconds, rounded down (magic number 0xa1b23c4d), as frames on fast links are closer than
 * microseconds. The NIC's attribute PcapSide says on which side of the engines;
 * ns3::PcapFileWrapper::CaptureSize sets how much of each frame is kept.
 * @throws RunError if the file cannot be written
 */
class NicPcapHelper : public ns3::PcapHelperForDevice
{
  private:
    void EnablePcapInternal(std::string prefix,
                            ns3::Ptr<ns3::NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
};

} // namespace inca

#endif // INCA_HELPER_NIC_PCAP_HELPER_H
