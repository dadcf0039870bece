/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/stack-payload.h"

#include "base/wire-format.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/node.h"

#include <array>

namespace inca
{

namespace
{

constexpr std::uint8_t PROTOCOL_TCP{6};
constexpr std::uint8_t PROTOCOL_UDP{17};
constexpr std::uint32_t UDP_HEADER_BYTES{8};
constexpr std::uint32_t TCP_MIN_HEADER_BYTES{20};
constexpr std::uint32_t WORD_BYTES{4}; ///< unit of IHL and of TCP's data offset
constexpr std::uint32_t MOST_HEADER_BYTES{60 + 60};
constexpr unsigned ECN_BITS{3}; ///< of the ToS
constexpr std::uint16_t ETHERTYPE_IPV6{0x86dd};
constexpr unsigned MORE_FRAGMENTS_AND_OFFSET{0x3fff};

/** The first bytes of an IPv4 packet, read at the offsets of RFC 791, 768 and 9293. */
class HeaderBytes
{
  public:
    explicit HeaderBytes(const ns3::Packet& packet)
        : m_count(packet.CopyData(m_bytes.data(), MOST_HEADER_BYTES))
    {
    }

    bool IsIpv4() const
    {
        return m_count >= IPV4_HEADER_BYTES && m_bytes[0] >> 4U == 4;
    }

    std::uint8_t Tos() const
    {
        return m_bytes[1];
    }

    std::uint32_t TotalLength() const
    {
        return Word(2);
    }

    bool IsFragment() const
    {
        return (Word(6) & MORE_FRAGMENTS_AND_OFFSET) != 0;
    }

    std::uint8_t Protocol() const
    {
        return m_bytes[9];
    }

    std::uint32_t Ipv4Length() const
    {
        return (m_bytes[0] & 0xfU) * WORD_BYTES;
    }

    /** @return 0 if the protocol is another, or the header is cut off */
    std::uint32_t UdpOrTcpLength() const
    {
        if (Protocol() == PROTOCOL_UDP)
        {
            return UDP_HEADER_BYTES;
        }
        const auto begin = Ipv4Length();
        if (Protocol() != PROTOCOL_TCP || begin + TCP_MIN_HEADER_BYTES > m_count)
        {
            return 0;
        }
        return (static_cast<std::uint32_t>(m_bytes[begin + 12]) >> 4U) * WORD_BYTES;
    }

  private:
    std::uint32_t Word(std::size_t at) const
    {
        return static_cast<std::uint32_t>(m_bytes[at]) << 8U | m_bytes[at + 1];
    }

    std::array<std::uint8_t, MOST_HEADER_BYTES> m_bytes{};
    std::uint32_t m_count;
};

} // namespace

bool
IsMarkedForEngines(const ns3::Packet& packet)
{
    const HeaderBytes header(packet);
    return header.IsIpv4() && (header.Tos() & ~ECN_BITS) == COMPRESSIBLE_TOS;
}

std::optional<StackPayload>
LocatePayload(const ns3::Packet& packet)
{
    const HeaderBytes header(packet);
    const auto inner = header.UdpOrTcpLength();
    const auto before = header.Ipv4Length() + inner;
    if (header.IsFragment() || inner == 0 || before >= header.TotalLength() ||
        before > packet.GetSize() || (header.TotalLength() - before) % VALUE_BYTES != 0)
    {
        return std::nullopt;
    }
    return StackPayload{before, header.TotalLength() - before};
}

Bytes
CopyPayload(const ns3::Packet& packet, std::uint32_t headerBytes)
{
    const auto size = packet.GetSize();
    Bytes all(size);
    packet.CopyData(all.data(), size);
    return {all.begin() + headerBytes, all.end()};
}

ns3::Ptr<ns3::Packet>
ReplacePayload(const ns3::Packet& packet, std::uint32_t headerBytes, const Bytes& payload)
{
    auto replaced = packet.CreateFragment(0, headerBytes);
    const auto size = static_cast<std::uint32_t>(payload.size());
    replaced->AddAtEnd(ns3::Create<ns3::Packet>(payload.data(), size));
    return replaced;
}

namespace
{

template <typename Header>
ns3::Ptr<ns3::Packet>
WithCongestionIn(Header header, const ns3::Ptr<ns3::Packet>& packet)
{
    auto marked = packet->Copy();
    marked->RemoveHeader(header);
    if (header.GetEcn() == Header::ECN_NotECT || header.GetEcn() == Header::ECN_CE)
    {
        return packet;
    }
    header.SetEcn(Header::ECN_CE);
    marked->AddHeader(header);
    return marked;
}

} // namespace

ns3::Ptr<ns3::Packet>
WithCongestion(const ns3::Ptr<ns3::Packet>& packet, std::uint16_t etherType)
{
    if (etherType == ETHERTYPE_IPV6)
    {
        return WithCongestionIn(ns3::Ipv6Header(), packet);
    }
    if (etherType != ETHERTYPE_IPV4)
    {
        return packet;
    }
    ns3::Ipv4Header header;
    if (ns3::Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    return WithCongestionIn(header, packet);
}

} // namespace inca
