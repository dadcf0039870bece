/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/stack-payload.h"

#include "base/wire-format.h"
#include "device/gradient-tag.h"

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
    return header.IsIpv4() && header.Tos() == COMPRESSIBLE_TOS;
}

std::variant<StackPayload, BypassReason>
LocatePayload(const ns3::Packet& packet)
{
    const HeaderBytes header(packet);
    if (header.IsFragment())
    {
        return BypassReason::FRAGMENT;
    }
    const auto inner = header.UdpOrTcpLength();
    const auto before = header.Ipv4Length() + inner;
    if (inner == 0 || before > header.TotalLength() || before > packet.GetSize())
    {
        return BypassReason::NOT_UDP_OR_TCP;
    }
    const StackPayload payload{before, header.TotalLength() - before};
    if (payload.plainBytes == 0)
    {
        return BypassReason::NO_PAYLOAD;
    }
    if (payload.plainBytes % VALUE_BYTES != 0)
    {
        return BypassReason::NOT_WHOLE_VALUES;
    }
    return payload;
}

std::optional<TaggedPayload>
ReadGradientTag(const ns3::Packet& packet, std::uint32_t headerBytes)
{
    auto tags = packet.GetByteTagIterator();
    while (tags.HasNext())
    {
        const auto item = tags.Next();
        const bool covers = item.GetStart() <= headerBytes && headerBytes < item.GetEnd();
        if (!covers || item.GetTypeId() != GradientTag::GetTypeId())
        {
            continue;
        }
        GradientTag tag;
        item.GetTag(tag);
        const std::uint64_t visible = item.GetEnd() - headerBytes;
        // the piece's end is known if all of it is here, or if something follows it
        const bool endKnown = visible == tag.Bytes() || item.GetEnd() < packet.GetSize();
        const auto begin = tag.Offset() + tag.Bytes() - visible;
        return TaggedPayload{endKnown && begin % VALUE_BYTES == 0, begin, tag.MeanBits()};
    }
    return std::nullopt;
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

const char*
BypassReasonName(BypassReason reason)
{
    static constexpr std::array<const char*, BYPASS_REASONS> names{"not-marked",
                                                                   "no-payload",
                                                                   "not-compressed",
                                                                   "not-udp-or-tcp",
                                                                   "fragment",
                                                                   "not-whole-values",
                                                                   "not-on-a-value"};
    return names[static_cast<std::size_t>(reason)];
}

} // namespace inca
