/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_FRAME_PACKET_H
#define INCA_DEVICE_FRAME_PACKET_H

#include "inca/device/frame.h"

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"

namespace inca
{

/** @return 10.x.y.z after the last three bytes; 128 added to x where the second byte is odd */
ns3::Ipv4Address Ipv4Of(ns3::Mac48Address mac);

/**
 * A frame as the IP packet that it stands for, made only when somebody looks: IPv4 (addresses
 * by Ipv4Of; ToS 0x28 if compressible), the headers of its kind, and the payload as it is now (zeros where
 * only sizes travel, or words are fewer bytes in a packet). Its headers are whole even where a frame is reckoned with shorter
 * ones (inca::AggregationProgram::HeaderBytes). The IPv4 total length stays the plain one. The transport's frames have a
 * TransportHeader, an aggregation program's UDP (port AGGREGATION_UDP_PORT, without a checksum) and
 * an AggregationHeader, or its program's own fields.
 */
ns3::Ptr<ns3::Packet> MakeIpPacket(const Frame& frame);

/** MakeIpPacket's packet behind its Ethernet header; without preamble, padding and check sequence. */
ns3::Ptr<ns3::Packet> MakeEthernetPacket(const Frame& frame);

} // namespace inca

#endif // INCA_DEVICE_FRAME_PACKET_H
