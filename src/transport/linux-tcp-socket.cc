/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/linux-tcp-socket.h"

#include "ns3/config.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-cubic.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** A congestion control whose window grows only while it is what limits. */
template <class Control>
class WhileLimited : public Control
{
  public:
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> state, std::uint32_t segments) override
    {
        const auto segmentBytes = state->m_segmentSize;
        const auto inFlight = state->m_bytesInFlight + segments * segmentBytes; // before this ACK
        const bool isSlowStart = state->m_cWnd < state->m_ssThresh;
        if (state->m_cWnd < (isSlowStart ? 2 * inFlight : inFlight + segmentBytes))
        {
            Control::IncreaseWindow(state, segments);
        }
    }
};

ns3::Ptr<ns3::TcpCongestionOps>
MakeCongestionControl(const ns3::TypeId& type)
{
    if (type == ns3::TcpCubic::GetTypeId())
    {
        return ns3::CreateObject<WhileLimited<ns3::TcpCubic>>();
    }
    if (type == ns3::TcpDctcp::GetTypeId())
    {
        return ns3::CreateObject<WhileLimited<ns3::TcpDctcp>>();
    }
    if (type == ns3::TcpNewReno::GetTypeId())
    {
        return ns3::CreateObject<WhileLimited<ns3::TcpNewReno>>();
    }
    return ns3::ObjectFactory(type.GetName()).Create<ns3::TcpCongestionOps>();
}

} // namespace

void
LinuxTcpSocket::ShrinkAfterIdle()
{
    const auto timeout = m_rto.Get();
    auto idle = ns3::Simulator::Now() - m_lastSent;
    if (idle <= timeout || BytesInFlight() > 0)
    {
        return;
    }
    auto window = m_tcb->m_cWnd.Get();
    m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), window / 4 * 3);
    const auto least = std::min(window, m_tcb->m_initialCWnd * m_tcb->m_segmentSize);
    for (; idle > timeout && window > least; idle -= timeout)
    {
        window = std::max(window / 2, least);
    }
    m_tcb->m_cWnd = window;
    m_tcb->m_cWndInfl = window;
}

ns3::Ptr<ns3::Packet>
LinuxTcpSocket::Recv(std::uint32_t mostBytes, std::uint32_t flags)
{
    auto packet = ns3::TcpSocketBase::Recv(mostBytes, flags);
    const auto& buffer = *m_tcb->m_rxBuffer;
    const auto next = buffer.NextRxSequence();
    const auto known = static_cast<std::uint32_t>(m_highTxAck + m_advWnd - next);
    const auto room = static_cast<std::uint32_t>(buffer.MaxRxSequence() - next);
    if (known <= buffer.MaxBufferSize() / 2 && room / 2 >= known)
    {
        SendEmptyPacket(ns3::TcpHeader::ACK);
    }
    return packet;
}

ns3::Ptr<ns3::TcpSocketBase>
LinuxTcpSocket::Fork()
{
    return ns3::CopyObject<LinuxTcpSocket>(this);
}

/** At the end of the receiver's window ns-3 would look for a segment without a byte, and read what is not there. */
std::uint32_t
LinuxTcpSocket::AvailableWindow() const
{
    ns3::SequenceNumber32 begin;
    ns3::SequenceNumber32 end(1);
    if (UnAckDataCount() == m_rWnd)
    {
        const bool isRecovery = m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY;
        m_txBuffer->NextSeg(&begin, &end, isRecovery);
    }
    return begin == end ? 0 : ns3::TcpSocketBase::AvailableWindow();
}

std::uint32_t
LinuxTcpSocket::SendDataPacket(ns3::SequenceNumber32 sequence,
                               std::uint32_t mostBytes,
                               bool withAck)
{
    m_lastSent = ns3::Simulator::Now();
    if (mostBytes == 0) // what ns-3 finds to repeat at the end of the receiver's window
    {
        sequence = m_txBuffer->HeadSequence();
        mostBytes = m_tcb->m_segmentSize;
    }
    if (sequence < m_tcb->m_highTxMark)
    {
        onRepeat();
    }
    return ns3::TcpSocketBase::SendDataPacket(sequence, mostBytes, withAck);
}

void
LinuxTcpSocket::EstimateRtt(const ns3::TcpHeader& header)
{
    ns3::TcpHeader withoutTimestamp;
    withoutTimestamp.SetAckNumber(header.GetAckNumber());
    ns3::TcpSocketBase::EstimateRtt(withoutTimestamp);
}

ns3::Ptr<LinuxTcpSocket>
MakeLinuxTcpSocket(const ns3::Ptr<ns3::Node>& node)
{
    const auto tcp = node->GetObject<ns3::TcpL4Protocol>();
    ns3::TypeIdValue congestion;
    tcp->GetAttribute("SocketType", congestion);
    auto socket = ns3::CreateObject<LinuxTcpSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(ns3::CreateObject<ns3::RttMeanDeviation>());
    socket->SetCongestionControlAlgorithm(MakeCongestionControl(congestion.Get()));
    socket->SetRecoveryAlgorithm(ns3::CreateObject<ns3::TcpPrrRecovery>());
    return socket;
}

void
UseLinuxTcpDefaults()
{
    const std::pair<const char*, const char*> values[] = {
        {"ns3::TcpSocket::SndBufSize", "4194304"},
        {"ns3::TcpSocket::RcvBufSize", "6291456"},
        {"ns3::TcpSocket::DelAckTimeout", "40ms"},
        {"ns3::TcpSocket::ConnTimeout", "1s"},
        {"ns3::TcpSocket::DataRetries", "15"},
        {"ns3::TcpSocketBase::MinRto", "200ms"},
    };
    for (const auto& [path, value] : values)
    {
        ns3::Config::SetDefault(path, ns3::StringValue(value));
    }
}

} // namespace inca
