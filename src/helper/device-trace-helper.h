/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_DEVICE_TRACE_HELPER_H
#define INCA_HELPER_DEVICE_TRACE_HELPER_H

#include "ns3/trace-helper.h"

#include <string>

namespace inca
{

/**
 * @ingroup inca
 *
 * Captures what NICs and ports of switches see, with ns-3's usual EnablePcap and EnableAscii calls; other devices are passed
 * over, as they have their own helpers.
 *
 * Pcap files are of Ethernet. Stamps are whole nanoseconds, rounded down (magic number 0xa1b23c4d), as frames on fast links
 * are closer than microseconds. The NIC's attribute PcapSide says on which side of the engines it looks; a port shows a frame
 * when its last bit has come, or leaves. ns3::PcapFileWrapper::CaptureSize sets how much of each frame is kept.
 *
 * Ascii lines begin with +, - or r for a frame that comes into the queue, leaves it or has arrived, or with d for one that a
 * port drops; then come the time in seconds, the name of the device, and the frame.
 */
class DeviceTraceHelper : public ns3::PcapHelperForDevice, public ns3::AsciiTraceHelperForDevice
{
  private:
    void EnablePcapInternal(std::string prefix,
                            ns3::Ptr<ns3::NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(ns3::Ptr<ns3::OutputStreamWrapper> stream,
                             std::string prefix,
                             ns3::Ptr<ns3::NetDevice> device,
                             bool explicitFilename) override;
};

} // namespace inca

#endif // INCA_HELPER_DEVICE_TRACE_HELPER_H
