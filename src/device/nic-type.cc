/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The NIC's TypeId: its attributes and trace sources.
#include "device/nic.h"

#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(Nic);

namespace
{

constexpr const char* PACKET_SINK{"ns3::Packet::TracedCallback"};
constexpr const char* BYTES_SINK{"inca::Nic::BytesTracedCallback"};

} // namespace

ns3::TypeId
Nic::GetTypeId()
{
    static ns3::TypeId tid = AddTraceSources(AddAttributes(ns3::TypeId("inca::Nic")
                                                               .SetParent<ns3::NetDevice>()
                                                               .SetGroupName("Inca")
                                                               .AddConstructor<Nic>()));
    return tid;
}

ns3::TypeId
Nic::AddAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute("DataRate",
                      "of the wire, each way",
                      ns3::DataRateValue(ns3::DataRate("10Gbps")),
                      ns3::MakeDataRateAccessor(&Nic::m_rate),
                      ns3::MakeDataRateChecker())
        .AddAttribute("Mtu",
                      "the longest IP packet (bytes)",
                      ns3::UintegerValue(1500),
                      ns3::MakeUintegerAccessor(&Nic::SetMtu, &Nic::GetMtu),
                      ns3::MakeUintegerChecker<std::uint16_t>(MIN_MTU_BYTES))
        .AddAttribute("Buffer",
                      "of the queue before the wire (bytes, whole frames)",
                      ns3::UintegerValue(PortSettings{}.bufferBytes),
                      ns3::MakeUintegerAccessor(&Nic::m_bufferBytes),
                      ns3::MakeUintegerChecker<std::uint64_t>())
        .AddAttribute("PcapSide",
                      "the side of the engines on which sniffers and pcap look: host or wire",
                      ns3::StringValue("host"),
                      ns3::MakeStringAccessor(&Nic::SetPcapSide, &Nic::GetPcapSide),
                      ns3::MakeStringChecker());
}

ns3::TypeId
Nic::AddTraceSources(ns3::TypeId tid)
{
    return tid
        .AddTraceSource("MacTx",
                        "an IP packet came from the host",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macTx),
                        PACKET_SINK)
        .AddTraceSource("MacTxDrop",
                        "an IP packet from the host was dropped",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macTxDrop),
                        PACKET_SINK)
        .AddTraceSource("MacPromiscRx",
                        "an IP packet arrived, for whomever",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macPromiscRx),
                        PACKET_SINK)
        .AddTraceSource("MacRx",
                        "an IP packet for this host, a group or all arrived",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macRx),
                        PACKET_SINK)
        .AddTraceSource("PhyTxDrop",
                        "an IP packet was dropped before the wire",
                        ns3::MakeTraceSourceAccessor(&Nic::m_phyTxDrop),
                        PACKET_SINK)
        .AddTraceSource("Sniffer",
                        "Ethernet frames from and for this host",
                        ns3::MakeTraceSourceAccessor(&Nic::m_sniffer),
                        PACKET_SINK)
        .AddTraceSource("PromiscSniffer",
                        "all Ethernet frames",
                        ns3::MakeTraceSourceAccessor(&Nic::m_promiscSniffer),
                        PACKET_SINK)
        .AddTraceSource("WireTx",
                        "plain and wire bytes of a train that goes to the queue",
                        ns3::MakeTraceSourceAccessor(&Nic::m_wireTx),
                        BYTES_SINK)
        .AddTraceSource("WireRx",
                        "plain and wire bytes of a train that arrived",
                        ns3::MakeTraceSourceAccessor(&Nic::m_wireRx),
                        BYTES_SINK);
}

} // namespace inca
