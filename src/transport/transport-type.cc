/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport's TypeId: its attributes and trace sources.
#include "device/nic.h"
#include "transport/transport.h"

#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(Transport);

namespace
{

constexpr const char* COUNT_SINK{"ns3::TracedValueCallback::Uint64"};

} // namespace

ns3::TypeId
Transport::GetTypeId()
{
    static ns3::TypeId tid =
        AddTraceSources(AddHostAttributes(AddProtocolAttributes(ns3::TypeId("inca::Transport")
                                                                    .SetParent<ns3::Object>()
                                                                    .SetGroupName("Inca")
                                                                    .AddConstructor<Transport>())));
    return tid;
}

ns3::TypeId
Transport::AddProtocolAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute("Window",
                      "frames sent and not acknowledged, per connection",
                      ns3::UintegerValue(64),
                      ns3::MakeUintegerAccessor(&Transport::m_window),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("AckEvery",
                      "data frames per acknowledgement; at most Window counts",
                      ns3::UintegerValue(16),
                      ns3::MakeUintegerAccessor(&Transport::m_ackEvery),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("TxRing",
                      "own frames that may wait in the NIC",
                      ns3::UintegerValue(8),
                      ns3::MakeUintegerAccessor(&Transport::m_txRing),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("MinTimeout",
                      "the shortest timeout; else 4 smoothed round trips",
                      ns3::TimeValue(ns3::MilliSeconds(1)),
                      ns3::MakeTimeAccessor(&Transport::m_minTimeout),
                      ns3::MakeTimeChecker(ns3::Time(1)))
        .AddAttribute("InitialTimeout",
                      "the timeout until a round trip was measured",
                      ns3::TimeValue(ns3::MilliSeconds(10)),
                      ns3::MakeTimeAccessor(&Transport::m_initialTimeout),
                      ns3::MakeTimeChecker(ns3::Time(1)));
}

ns3::TypeId
Transport::AddHostAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute("HostByteRate",
                      "plain bytes that a host moves per second, each way; 0 = free",
                      ns3::UintegerValue(0),
                      ns3::MakeUintegerAccessor(&Transport::m_hostBytesPerSecond),
                      ns3::MakeUintegerChecker<std::uint64_t>())
        .AddAttribute("HostFrameCost",
                      "what each data frame costs a host, sending and receiving",
                      ns3::TimeValue(ns3::Time(0)),
                      ns3::MakeTimeAccessor(&Transport::m_hostFrameCost),
                      ns3::MakeTimeChecker(ns3::Time(0)))
        .AddAttribute("HostMessageCost",
                      "what a message costs its sender before its first frame",
                      ns3::TimeValue(ns3::Time(0)),
                      ns3::MakeTimeAccessor(&Transport::m_hostMessageCost),
                      ns3::MakeTimeChecker(ns3::Time(0)));
}

ns3::TypeId
Transport::AddTraceSources(ns3::TypeId tid)
{
    return tid
        .AddTraceSource("SentFrames",
                        "data frames, first transmissions only",
                        ns3::MakeTraceSourceAccessor(&Transport::m_sentFrames),
                        COUNT_SINK)
        .AddTraceSource("RetransmittedFrames",
                        "data frames sent again",
                        ns3::MakeTraceSourceAccessor(&Transport::m_retransmittedFrames),
                        COUNT_SINK)
        .AddTraceSource("DeliveredBytes",
                        "plain payload, each byte once",
                        ns3::MakeTraceSourceAccessor(&Transport::m_deliveredBytes),
                        COUNT_SINK)
        .AddTraceSource("DuplicateFrames",
                        "frames that arrived again and were dropped",
                        ns3::MakeTraceSourceAccessor(&Transport::m_duplicateFrames),
                        COUNT_SINK)
        .AddTraceSource("AcksSent",
                        "acknowledgements",
                        ns3::MakeTraceSourceAccessor(&Transport::m_acksSent),
                        COUNT_SINK)
        .AddTraceSource("ProbesSent",
                        "timeouts, each of which asks for an acknowledgement",
                        ns3::MakeTraceSourceAccessor(&Transport::m_probesSent),
                        COUNT_SINK);
}

} // namespace inca
