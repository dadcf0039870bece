/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_ENGINE_H
#define INCA_DEVICE_ENGINE_H

#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"

#include "inca/codec/codec.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace inca
{

/** A payload's two sizes. (bytes) */
struct PayloadSizes
{
    std::uint64_t plainBytes{0}; ///< as the host sees it
    std::uint64_t wireBytes{0};  ///< as the wire carries it
};

/**
 * The stream's size by statistics: after a message's first m values it has
 * floor(m * meanBits / 8 + 1/128) bytes, and a payload gets the difference between its ends. Exact and the same on any machine.
 * @param meanBits of a value in the stream
 * @param begin where the payload begins in its message, on a value (plain bytes)
 * @param plainBytes of the payload
 */
std::uint64_t ExpectedStreamBytes(double meanBits, std::uint64_t begin, std::uint64_t plainBytes);

/** What an engine has done so far. */
struct EngineCounters
{
    std::uint64_t frames{0};     ///< worked on
    std::uint64_t plainBytes{0}; ///< of the payloads that were worked on
    std::uint64_t wireBytes{0};  ///< may be more: INCEPTIONN's worst case adds 1/16
    std::uint64_t busyPs{0};     ///< for which its datapath was occupied
    std::uint64_t passed{0};     ///< frames, as they were
};

/**
 * @ingroup inca
 *
 * A pipeline in the NIC: Width bits per cycle of Clock, and PipelineLatency cycles from the last
 * bits in to the last bits out. It takes one frame after the other. A frame that is not worked on
 * takes no cycles but never overtakes one before it.
 *
 * The codec may be shared by any number of engines; it has no state.
 */
class Engine : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    void SetCodec(std::shared_ptr<const Codec> codec); ///< null: everything passes as it is

    /** A clock frequency such as "100MHz"; above 0. */
    void SetClock(std::string text);

    std::string GetClock() const; ///< as a text

    /**
     * Works on a frame, or lets it pass.
     * @param frame gets another payload, and another size, if it is worked on
     * @param enterPs when the frame is here with its last bit; never earlier than at the last call
     * @return when its last bit is out (ps)
     */
    std::int64_t Process(Frame& frame, std::int64_t enterPs);

    /** How long its datapath works on a payload; 0 without a codec. (ps) */
    std::int64_t WorkOnPs(const PayloadSizes& sizes) const
    {
        return m_codec ? CyclesPs(DoCycles(sizes)) : 0;
    }

    /** What PipelineLatency takes; 0 without a codec. (ps) */
    std::int64_t LatencyPs() const
    {
        return m_codec ? CyclesPs(m_latencyCycles) : 0;
    }

    /** Null: everything passes as it is. */
    const std::shared_ptr<const Codec>& Coding() const
    {
        return m_codec;
    }

    void VisitState(StateVisitor& visitor); ///< shows its state

    /** What it has done so far. */
    const EngineCounters& Counters() const
    {
        return m_counters;
    }

    /** What a Work sink looks like. (bytes of one payload) */
    typedef void (*WorkTracedCallback)(std::uint64_t plainBytes, std::uint64_t wireBytes);

    /** What a Busy sink looks like. (ps) */
    typedef void (*BusyTracedCallback)(std::int64_t beginPs, std::int64_t endPs);

  protected:
    /** Declares the attributes on a subclass, for ns-3 sets defaults where they are declared only. */
    static ns3::TypeId AddAttributes(ns3::TypeId tid);

    /** Its codec, which is there. */
    const Codec& GetCodec() const
    {
        return *m_codec;
    }

    /** What codes a frame of a message. */
    const Codec& CodecOf(const Frame& frame) const
    {
        return frame.segment.codec != nullptr ? *frame.segment.codec : *m_codec;
    }

    /** Cycles that @p bytes occupy the datapath. */
    std::uint64_t Cycles(std::uint64_t bytes) const;

  private:
    virtual PathKind DoPathKind() const = 0; ///< what its work is called on paths

    /** Changes the payload and says its sizes; empty: it lets the frame, which is marked, pass. */
    virtual std::optional<PayloadSizes> DoTransform(Frame& frame) = 0;
    virtual std::uint64_t DoCycles(
        const PayloadSizes& sizes) const = 0; ///< that the datapath is occupied by a payload

    std::int64_t CyclesPs(std::uint64_t cycles) const; ///< how long so many cycles take

    std::shared_ptr<const Codec> m_codec;                     ///< null: everything passes as it is
    std::uint32_t m_widthBits;                                ///< attribute Width
    std::uint32_t m_latencyCycles;                            ///< attribute PipelineLatency
    std::uint64_t m_clockHertz{1};                            ///< attribute Clock
    std::int64_t m_freePs{0};                                 ///< the datapath takes the next frame
    std::int64_t m_lastOutPs{0};                              ///< the frame before was out
    PathEnd m_freePath;                                       ///< to when the datapath is free
    PathEnd m_lastOutPath;                                    ///< to when the frame before was out
    EngineCounters m_counters;                                ///< what it has done so far
    ns3::TracedCallback<std::uint64_t, std::uint64_t> m_work; ///< trace source Work
    ns3::TracedCallback<std::int64_t, std::int64_t> m_busy;   ///< trace source Busy
};

/**
 * The engine between host and queue: ceil(plain bytes / width) cycles whatever the ratio
 * (INCEPTIONN, section V). With values each payload becomes a stream of its own; without, the stream
 * after a message's first m values has floor(m * mean bits / 8) bytes and a frame gets the
 * difference between its ends.
 */
class CompressionEngine : public Engine
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

  private:
    PathKind DoPathKind() const override
    {
        return PathKind::COMPRESSION;
    }

    std::optional<PayloadSizes> DoTransform(Frame& frame) override;
    /** Works on a packet of ns-3's stack. Empty: it has no payload of whole values, and passes. */
    std::optional<PayloadSizes> TransformPacket(Frame& frame);
    std::uint64_t DoCycles(
        const PayloadSizes& sizes) const override; ///< that the datapath is occupied by a payload
};

/**
 * The engine between link and host: max(ceil(wire / width), ceil(plain / width)) cycles from when
 * the last byte has arrived. The host gets what the wire carried: a lossy codec's loss is real.
 */
class DecompressionEngine : public Engine
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

  private:
    PathKind DoPathKind() const override
    {
        return PathKind::DECOMPRESSION;
    }

    std::optional<PayloadSizes> DoTransform(Frame& frame) override;
    /** Restores the payload of a packet of ns-3's stack, which another NIC's engine compressed. */
    PayloadSizes TransformPacket(Frame& frame);
    std::uint64_t DoCycles(
        const PayloadSizes& sizes) const override; ///< that the datapath is occupied by a payload
};

} // namespace inca

#endif // INCA_DEVICE_ENGINE_H
