/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_NIC_H
#define INCA_DEVICE_NIC_H

#include "device/compression-engine.h"
#include "device/decompression-engine.h"
#include "device/ethernet-device.h"
#include "device/link.h"
#include "device/port.h"
#include "device/train.h"

#include "ns3/data-rate.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

namespace inca
{

/**
 * A host's full-duplex Ethernet NIC: host -> compression engine -> queue -> link, and link ->
 * decompression engine -> host. A real ns-3 device: ns-3's own stack, ARP, UDP and TCP run over it
 * unchanged and get their packets back at their plain size. INCA's transport uses SendTrain.
 *
 * At any time, for plain and for wire bytes: in = out + held + dropped (PortCounters). Plain bytes
 * are the transport's payload and ns-3's IP packets; wire bytes are whole frames, preamble to gap.
 *
 * Captures show frames on the host's side of the engines (PcapSide host) or on the wire's.
 */
class Nic : public EthernetDevice, public LinkEnd
{
  public:
    static ns3::TypeId GetTypeId();

    /** Gets INCA's own trains, and when they are out of the engine (not before now). */
    using TrainReceiver = std::function<void(ns3::Ptr<Train>, std::int64_t readyPs)>;

    /** Plugs into a link; once. */
    void Attach(ns3::Ptr<Link> link);

    /** Puts engines into the path; null, or an engine without a codec, takes no time. */
    void SetEngines(ns3::Ptr<CompressionEngine> compression,
                    ns3::Ptr<DecompressionEngine> decompression);

    /**
     * Sends a train of INCA's own, the transport's or an aggregation client's; its source is set here.
     * @return when its last bit leaves the NIC (ps), or empty if it was dropped
     */
    std::optional<std::int64_t> SendTrain(ns3::Ptr<Train> train);

    /**
     * Who gets the trains of @p kinds that are for this host; STACK trains go to ns-3's own stack.
     */
    void SetTrainReceiver(std::initializer_list<TrainKind> kinds, const TrainReceiver& receiver);

    /** On which side of the engines sniffers and pcap look, "host" or "wire". @throws InputError else @{ */
    void SetPcapSide(std::string side);
    std::string GetPcapSide() const;
    /** @} */

    /** What was sent, as of now. Dropped includes what never came to the queue. */
    const PortCounters& TxCounters();

    /** Its queue and its engines. */
    void Walk(StateWalk& walk);

    std::uint64_t BitsPerSecond() const
    {
        return m_rate.GetBitRate();
    }

    ns3::Ptr<CompressionEngine> Compression() const
    {
        return m_compression;
    }

    ns3::Ptr<DecompressionEngine> Decompression() const
    {
        return m_decompression;
    }

    /** The link, or null, and this NIC's side of it. @{ */
    ns3::Ptr<Link> GetLink() const
    {
        return m_link;
    }

    unsigned LinkSide() const
    {
        return m_linkSide;
    }
    /** @} */

    // -- LinkEnd
    void ReceiveTrain(ns3::Ptr<Train> train) override;
    std::uint32_t NodeId() const override;
    ns3::Ptr<ns3::NetDevice> Device() override;

    // -- ns3::NetDevice
    ns3::Ptr<ns3::Channel> GetChannel() const override;
    bool IsLinkUp() const override;
    bool SendFrom(ns3::Ptr<ns3::Packet> packet,
                  const ns3::Address& source,
                  const ns3::Address& destination,
                  uint16_t protocol) override;

    /** What a WireTx sink looks like: plain and wire bytes of a train that goes to the queue. */
    typedef void (*BytesTracedCallback)(std::uint64_t plainBytes, std::uint64_t wireBytes);

    /** What an Enqueue sink looks like. */
    typedef void (*TrainTracedCallback)(ns3::Ptr<const Train> train);

  protected:
    void DoDispose() override;

  private:
    using PacketTrace = ns3::TracedCallback<ns3::Ptr<const ns3::Packet>>;

    enum PcapSide
    {
        HOST,
        WIRE,
    };

    static ns3::TypeId AddAttributes(ns3::TypeId tid);
    static ns3::TypeId AddTraceSources(ns3::TypeId tid);

    Port& TxPort();
    std::optional<std::int64_t> Dispatch(ns3::Ptr<Train> train);
    void TraceDrop(const Train& train);
    bool IsWatched() const;
    bool Refuse(const Train& train, DropReason reason);
    void Sniff(PcapSide side, const Train& train);
    void PassUp(const Train& train);
    void PassPacketUp(const Train& train);

    ns3::DataRate m_rate;
    std::uint64_t m_bufferBytes;
    PacketTrace m_macTxDrop;
    PacketTrace m_phyTxDrop;

    // -- read for every train that is sent
    std::optional<Port> m_port; ///< made when first used, after all attributes were set
    PacketTrace m_macTx;
    ns3::TracedCallback<std::uint64_t, std::uint64_t> m_wireTx;
    ns3::TracedCallback<ns3::Ptr<const Train>> m_enqueue;
    ns3::Ptr<Link> m_link;
    ns3::Ptr<CompressionEngine> m_compression;
    unsigned m_linkSide{0};

    // -- read for every train that is sent, or that arrives
    PcapSide m_pcapSide{HOST};
    PacketTrace m_sniffer;
    PacketTrace m_promiscSniffer;

    // -- read for every train that arrives
    ns3::Ptr<DecompressionEngine> m_decompression;
    std::uint64_t m_passing{0}; ///< trains between the decompression engine and the host
    ns3::TracedCallback<std::uint64_t, std::uint64_t> m_wireRx;
    PacketTrace m_macPromiscRx;
    PacketTrace m_macRx;
    std::array<TrainReceiver, TRAIN_KINDS> m_trainReceivers; ///< by kind
};

} // namespace inca

#endif // INCA_DEVICE_NIC_H
