/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_NIC_H
#define INCA_DEVICE_NIC_H

#include "inca/device/engine.h"
#include "inca/device/frame.h"
#include "inca/device/link-port.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>

namespace inca
{

/**
 * @ingroup inca
 *
 * A host's full-duplex Ethernet NIC: host -> compression engine -> queue -> link, and link ->
 * decompression engine -> host. A real ns-3 device: ns-3's own stack, ARP, UDP and TCP run over it
 * unchanged and get their packets back at their plain size; a NetDeviceQueueInterface that is aggregated
 * holds ns-3's traffic control back while the queue has no room. INCA's transport uses SendFrame.
 *
 * At any time, for plain and for wire bytes: in = out + held + dropped (PortCounters). Plain bytes
 * are the transport's payload and ns-3's IP packets; wire bytes are whole frames, preamble to gap.
 *
 * Captures show frames on the host's side of the engines (PcapSide host) or on the wire's.
 */
class Nic : public LinkPort
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** Gets INCA's own frames, and when they are out of the engine (not before now). */
    using FrameReceiver = std::function<void(ns3::Ptr<Frame>, std::int64_t readyPs)>;

    /** Puts engines with @p codec, which is not null, into the path, if it has none. With another codec that ends the program. */
    void SetCodec(std::shared_ptr<const Codec> codec);

    /** Puts engines of one's own into the path; null, or an engine without a codec, takes no time. */
    void SetEngines(ns3::Ptr<CompressionEngine> compression,
                    ns3::Ptr<DecompressionEngine> decompression);

    /**
     * Sends a frame of INCA's own, the transport's or an aggregation client's; its source is set here.
     * @return when its last bit leaves the NIC (ps), or empty if it was dropped
     */
    std::optional<std::int64_t> SendFrame(ns3::Ptr<Frame> frame);

    /**
     * Who gets the frames of @p kinds that are for this host; STACK frames go to ns-3's own stack.
     */
    void SetFrameReceiver(std::initializer_list<FrameKind> kinds, const FrameReceiver& receiver);

    /** Its queue and its engines. */
    void VisitState(StateVisitor& visitor); ///< shows its state

    /** The engine of that direction; null: there is none. */
    ns3::Ptr<CompressionEngine> Compression() const
    {
        return m_compression;
    }

    /** The engine of that direction; null: there is none. */
    ns3::Ptr<DecompressionEngine> Decompression() const
    {
        return m_decompression;
    }

    // -- LinkEnd
    void ReceiveFrame(ns3::Ptr<Frame> frame) override;

    // -- ns3::NetDevice
    bool SetMtu(const uint16_t mtu) override;
    bool SendFrom(ns3::Ptr<ns3::Packet> packet,
                  const ns3::Address& source,
                  const ns3::Address& destination,
                  uint16_t protocol) override;

    /** What a WireTx sink looks like: plain and wire bytes of a frame that goes to the queue. */
    typedef void (*BytesTracedCallback)(std::uint64_t plainBytes, std::uint64_t wireBytes);

  protected:
    void NotifyNewAggregate() override;
    void DoDispose() override;

  private:
    /** Tells of a packet. */
    using PacketTrace = ns3::TracedCallback<ns3::Ptr<const ns3::Packet>>;

    /** Of the engines. */
    enum PcapSide
    {
        HOST,
        WIRE,
    };

    static ns3::TypeId AddAttributes(ns3::TypeId tid);   ///< declares them
    static ns3::TypeId AddTraceSources(ns3::TypeId tid); ///< declares them

    std::optional<std::int64_t> Dispatch(
        ns3::Ptr<Frame> frame);         ///< sends a frame through engine and queue
    void TraceDrop(const Frame& frame); ///< tells of a packet that was dropped
    bool IsWatched() const;             ///< whether somebody looks at what arrives
    void Refuse(const Frame& frame,
                DropReason reason); ///< counts a frame that never comes to the queue
    void HoldBack();
    void WakeWhenRoom(); ///< lets ns-3's traffic control go on when there is room
    void SniffAt(PcapSide side,
                 const Frame& frame);      ///< shows a frame if that is the side to be shown
    void PassUp(const Frame& frame);       ///< gives a frame to those who look, and to the stack
    void PassPacketUp(const Frame& frame); ///< the same as a packet

    // -- read for every frame that is sent
    PacketTrace m_macTx;                                        ///< trace source MacTx
    ns3::TracedCallback<std::uint64_t, std::uint64_t> m_wireTx; ///< trace source WireTx
    ns3::Ptr<CompressionEngine> m_compression;                  ///< null: there is none

    // -- read for every frame that is sent, or that arrives
    PcapSide m_pcapSide{HOST}; ///< attribute PcapSide

    // -- read for every frame that arrives
    ns3::Ptr<DecompressionEngine> m_decompression; ///< null: there is none
    std::uint64_t m_passing{0}; ///< frames between the decompression engine and the host
    ns3::TracedCallback<std::uint64_t, std::uint64_t> m_wireRx; ///< trace source WireRx
    PacketTrace m_macPromiscRx;                                 ///< trace source MacPromiscRx
    PacketTrace m_macRx;                                        ///< trace source MacRx
    std::array<FrameReceiver, FRAME_KINDS> m_frameReceivers;    ///< by kind

    ns3::Ptr<ns3::NetDeviceQueue> m_txQueue; ///< of ns-3's traffic control; null: none
    PacketTrace m_macTxDrop;                 ///< trace source MacTxDrop
    PacketTrace m_phyTxDrop;                 ///< trace source PhyTxDrop
};

} // namespace inca

#endif // INCA_DEVICE_NIC_H
