/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/nic.h"

#include "device/simulated-time.h"
#include "device/stack-payload.h"
#include "device/train-packet.h"

#include "ns3/abort.h"
#include "ns3/node.h"

#include <utility>

namespace inca
{

bool
Nic::Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& destination, uint16_t protocol)
{
    return SendFrom(packet, m_address, destination, protocol);
}

bool
Nic::SendFrom(ns3::Ptr<ns3::Packet> packet,
              const ns3::Address& source,
              const ns3::Address& destination,
              uint16_t protocol)
{
    m_macTx(packet);
    auto train = MakeStackTrain(packet, protocol);
    train->source = ns3::Mac48Address::ConvertFrom(source);
    train->destination = ns3::Mac48Address::ConvertFrom(destination);
    train->compressible =
        m_compression && protocol == ETHERTYPE_IPV4 && IsMarkedForEngines(*packet);
    if (packet->GetSize() > m_mtu)
    {
        return Refuse(*train, DropReason::OVER_MTU);
    }
    return Dispatch(std::move(train)).has_value();
}

std::optional<std::int64_t>
Nic::SendTrain(ns3::Ptr<Train> train)
{
    train->source = m_address;
    if (!m_macTx.IsEmpty())
    {
        m_macTx(MakeIpPacket(*train));
    }
    return Dispatch(std::move(train));
}

std::optional<std::int64_t>
Nic::Dispatch(ns3::Ptr<Train> train)
{
    if (!m_link)
    {
        Refuse(*train, DropReason::NO_LINK);
        return std::nullopt;
    }
    Sniff(HOST, *train);
    const auto now = NowPs();
    const auto ready = m_compression ? m_compression->Process(*train, now) : now;
    if (!TxPort().Enqueue(*train, ready))
    {
        TraceDrop(*train);
        return std::nullopt;
    }
    m_wireTx(train->plainBytes, train->wireBytes);
    Sniff(WIRE, *train);
    const auto departure = train->lastDeparturePs;
    m_link->Transmit(m_linkSide, std::move(train));
    return departure;
}

bool
Nic::Refuse(const Train& train, DropReason reason)
{
    TxPort().Refuse(train, reason);
    TraceDrop(train);
    return false;
}

void
Nic::TraceDrop(const Train& train)
{
    if (!m_macTxDrop.IsEmpty() || !m_phyTxDrop.IsEmpty())
    {
        const auto packet = MakeIpPacket(train);
        m_macTxDrop(packet);
        m_phyTxDrop(packet);
    }
}

void
Nic::ReceiveTrain(ns3::Ptr<Train> train)
{
    Sniff(WIRE, *train);
    m_wireRx(train->plainBytes, train->wireBytes);
    const auto now = NowPs();
    const auto ready = m_decompression ? m_decompression->Process(*train, now) : now;
    const bool isStack = train->kind == TrainKind::STACK;
    // One that is through at once may still not overtake one whose event of this instant is to come.
    if (ready == now && m_passing == 0)
    {
        PassUp(train);
    }
    else if (isStack || IsWatched())
    {
        ++m_passing;
        ns3::Simulator::Schedule(Until(ready), &Nic::PassUpLater, this, train);
    }
    const auto& receiver = m_trainReceivers[static_cast<std::size_t>(train->kind)];
    if (train->destination == m_address && !receiver.IsNull())
    {
        receiver(std::move(train), ready);
    }
}

bool
Nic::IsWatched() const
{
    return !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty() || !m_macRx.IsEmpty() ||
           !m_macPromiscRx.IsEmpty();
}

void
Nic::PassUpLater(ns3::Ptr<Train> train)
{
    --m_passing;
    PassUp(std::move(train));
}

void
Nic::PassUp(ns3::Ptr<Train> train)
{
    Sniff(HOST, *train);
    const auto type = TypeOf(*train);
    if (train->kind == TrainKind::STACK || IsWatched())
    {
        PassPacketUp(*train, type);
    }
}

void
Nic::PassPacketUp(const Train& train, PacketType type)
{
    const auto packet = train.packet ? train.packet : MakeIpPacket(train);
    const bool isStack = train.kind == TrainKind::STACK;
    m_macPromiscRx(packet);
    if (isStack && !m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, train.etherType, train.source, train.destination, type);
    }
    if (type == PACKET_OTHERHOST)
    {
        return;
    }
    m_macRx(packet);
    if (isStack && !m_receive.IsNull())
    {
        m_receive(this, packet, train.etherType, train.source);
    }
}

ns3::NetDevice::PacketType
Nic::TypeOf(const Train& train) const
{
    if (train.destination == m_address)
    {
        return PACKET_HOST;
    }
    if (train.destination.IsBroadcast())
    {
        return PACKET_BROADCAST;
    }
    return train.destination.IsGroup() ? PACKET_MULTICAST : PACKET_OTHERHOST;
}

void
Nic::Sniff(PcapSide side, const Train& train)
{
    if (side != m_pcapSide || (m_sniffer.IsEmpty() && m_promiscSniffer.IsEmpty()))
    {
        return;
    }
    const auto packet = MakeEthernetPacket(train);
    m_promiscSniffer(packet);
    if (train.source == m_address || TypeOf(train) != PACKET_OTHERHOST)
    {
        m_sniffer(packet);
    }
}

Port&
Nic::TxPort()
{
    if (!m_port)
    {
        m_port.emplace(PortSettings{m_rate.GetBitRate(), m_bufferBytes, 0});
    }
    return *m_port;
}

const PortCounters&
Nic::TxCounters()
{
    return TxPort().CountersAt(NowPs());
}

void
Nic::Attach(ns3::Ptr<Link> link)
{
    NS_ABORT_MSG_IF(m_link, "a NIC has one link");
    m_link = link;
    m_linkSide = link->Attach(this);
    m_linkChanges();
}

void
Nic::SetEngines(ns3::Ptr<CompressionEngine> compression,
                ns3::Ptr<DecompressionEngine> decompression)
{
    m_compression = compression;
    m_decompression = decompression;
}

void
Nic::SetTrainReceiver(std::initializer_list<TrainKind> kinds, TrainReceiver receiver)
{
    for (const auto kind : kinds)
    {
        NS_ABORT_MSG_IF(kind == TrainKind::STACK, "ns-3's own stack gets its packets by itself");
        m_trainReceivers[static_cast<std::size_t>(kind)] = receiver;
    }
}

void
Nic::DoDispose()
{
    m_link = nullptr;
    m_node = nullptr;
    m_compression = nullptr;
    m_decompression = nullptr;
    m_trainReceivers = {};
    m_receive = ReceiveCallback();
    m_promiscReceive = PromiscReceiveCallback();
    ns3::NetDevice::DoDispose();
}

} // namespace inca
