/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/engine.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "device/set-up-error.h"
#include "device/simulated-time.h"
#include "device/stack-payload.h"

#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaEngine");

namespace
{

constexpr std::uint64_t PS_PER_SECOND{1'000'000'000'000};
constexpr std::uint32_t BITS_PER_BYTE{8};

std::vector<float>
ValuesAt(const std::uint8_t* plain, std::uint64_t plainBytes)
{
    std::vector<float> values(plainBytes / VALUE_BYTES);
    std::memcpy(values.data(), plain, values.size() * VALUE_BYTES);
    return values;
}

/** The stream of a payload, whole little-endian fp32 values. */
Bytes
EncodePayload(const Codec& codec, const std::uint8_t* plain, std::uint64_t plainBytes)
{
    const auto values = ValuesAt(plain, plainBytes);
    Bytes stream;
    codec.Encode(values.data(), values.size(), stream);
    return stream;
}

/** @throws InputError as Codec::Decode */
Bytes
DecodePayload(const Codec& codec,
              const std::uint8_t* stream,
              std::uint64_t streamBytes,
              std::uint64_t plainBytes)
{
    std::vector<float> values(plainBytes / VALUE_BYTES);
    codec.Decode(stream, streamBytes, values.data(), values.size());
    Bytes plain(plainBytes);
    std::memcpy(plain.data(), values.data(), plainBytes);
    return plain;
}

} // namespace

std::uint64_t
ExpectedStreamBytes(double meanBits, std::uint64_t begin, std::uint64_t plainBytes)
{
    // half of what the end of a frame is a multiple of (PatternBits): no rounding takes a whole byte
    constexpr double nudge = 0.5 / PATTERN_FRAMES;
    const auto streamBytes = [meanBits](std::uint64_t bytes) {
        return static_cast<std::uint64_t>(static_cast<double>(bytes / VALUE_BYTES) * meanBits / 8 +
                                          nudge);
    };
    return streamBytes(begin + plainBytes) - streamBytes(begin);
}

NS_OBJECT_ENSURE_REGISTERED(Engine);

ns3::TypeId
Engine::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::Engine")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddTraceSource("Work",
                            "plain and wire bytes of a payload that was worked on",
                            ns3::MakeTraceSourceAccessor(&Engine::m_work),
                            "inca::Engine::WorkTracedCallback")
            .AddTraceSource(
                "Busy",
                "from when to when the datapath works on a payload that has just come (ps)",
                ns3::MakeTraceSourceAccessor(&Engine::m_busy),
                "inca::Engine::BusyTracedCallback");
    return tid;
}

ns3::TypeId
Engine::AddAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute("Width",
                      "datapath (bits); what one cycle takes",
                      ns3::UintegerValue(256),
                      ns3::MakeUintegerAccessor(&Engine::m_widthBits),
                      ns3::MakeUintegerChecker<std::uint32_t>(BITS_PER_BYTE))
        .AddAttribute("Clock",
                      "frequency, such as 100MHz",
                      ns3::StringValue("100MHz"),
                      ns3::MakeStringAccessor(&Engine::SetClock, &Engine::GetClock),
                      ns3::MakeStringChecker())
        .AddAttribute("PipelineLatency",
                      "from the last bits in to the last bits out, beyond the work (cycles)",
                      ns3::UintegerValue(0),
                      ns3::MakeUintegerAccessor(&Engine::m_latencyCycles),
                      ns3::MakeUintegerChecker<std::uint32_t>());
}

void
Engine::SetCodec(std::shared_ptr<const Codec> codec)
{
    NS_LOG_FUNCTION(this);
    m_codec = std::move(codec);
}

void
Engine::SetClock(std::string text)
{
    NS_LOG_FUNCTION(this << text);
    const auto hertz = AsSetUp([&] { return g_frequency.Parse(text); });
    INCA_ABORT_MSG_IF(hertz == 0, "an engine's clock must be above 0, got '" + text + "'");
    m_clockHertz = hertz;
}

std::string
Engine::GetClock() const
{
    return g_frequency.Format(m_clockHertz);
}

std::int64_t
Engine::Process(Frame& frame, std::int64_t enterPs)
{
    if (!m_codec)
    {
        return enterPs; // no engine in the path
    }
    const auto sizes = frame.compressible ? DoTransform(frame) : std::nullopt;
    if (!sizes)
    {
        ++m_counters.passed;
        m_lastOutPs = std::max(enterPs, m_lastOutPs);
        PathLog::Await(m_lastOutPath);
        m_lastOutPath = PathLog::Now();
        return m_lastOutPs;
    }
    const auto cycles = DoCycles(*sizes);
    const auto startPs = std::max(enterPs, m_freePs);
    const auto workPs = CyclesPs(cycles);
    m_freePs = startPs + workPs;
    m_lastOutPs = startPs + CyclesPs(cycles + m_latencyCycles);
    PathLog::Await(m_freePath);
    ExtendPath(DoPathKind(), m_freePs);
    m_freePath = PathLog::Now();
    ExtendPath(DoPathKind(), m_lastOutPs);
    m_lastOutPath = PathLog::Now();
    ++m_counters.frames;
    m_counters.plainBytes += sizes->plainBytes;
    m_counters.wireBytes += sizes->wireBytes;
    m_counters.busyPs += static_cast<std::uint64_t>(workPs);
    m_work(sizes->plainBytes, sizes->wireBytes);
    NS_LOG_INFO("works on " << sizes->plainBytes << " plain bytes, " << sizes->wireBytes
                            << " on the wire, until " << m_freePs << " ps");
    m_busy(startPs, m_freePs);
    return m_lastOutPs;
}

void
Engine::VisitState(StateVisitor& visitor)
{
    visitor.Deadline(m_freePs);
    visitor.Deadline(m_lastOutPs);
    visitor.Path(m_freePath);
    visitor.Path(m_lastOutPath);
    visitor.Count(m_counters.frames);
    visitor.Count(m_counters.plainBytes);
    visitor.Count(m_counters.wireBytes);
    visitor.Count(m_counters.busyPs);
    visitor.Count(m_counters.passed);
}

std::uint64_t
Engine::Cycles(std::uint64_t bytes) const
{
    return (bytes * BITS_PER_BYTE + m_widthBits - 1) / m_widthBits;
}

std::int64_t
Engine::CyclesPs(std::uint64_t cycles) const
{
    return MulDivCeil(cycles, PS_PER_SECOND, m_clockHertz);
}

NS_OBJECT_ENSURE_REGISTERED(CompressionEngine);

ns3::TypeId
CompressionEngine::GetTypeId()
{
    static ns3::TypeId tid = AddAttributes(ns3::TypeId("inca::CompressionEngine")
                                               .SetParent<Engine>()
                                               .SetGroupName("Inca")
                                               .AddConstructor<CompressionEngine>());
    return tid;
}

std::optional<PayloadSizes>
CompressionEngine::DoTransform(Frame& frame)
{
    NS_LOG_FUNCTION(this);
    if (frame.kind == FrameKind::STACK)
    {
        return TransformPacket(frame);
    }
    if (frame.plainBytes == 0 || frame.plainBytes % VALUE_BYTES != 0)
    {
        return std::nullopt;
    }
    frame.compressed = true;
    if (!frame.bytes.AreThere())
    {
        const auto& segment = frame.segment;
        frame.SetWirePayload(
            segment.codedBytes > 0
                ? segment.codedBytes
                : ExpectedStreamBytes(segment.meanBits, segment.offset, frame.plainBytes));
        return PayloadSizes{frame.plainBytes, frame.wirePayloadBytes};
    }
    frame.bytes =
        SharedBytes::Of(EncodePayload(CodecOf(frame), frame.bytes.data(), frame.bytes.size()));
    frame.SetWirePayload(frame.bytes.size());
    return PayloadSizes{frame.plainBytes, frame.wirePayloadBytes};
}

std::optional<PayloadSizes>
CompressionEngine::TransformPacket(Frame& frame)
{
    NS_LOG_FUNCTION(this);
    const auto payload = LocatePayload(*frame.packet);
    if (!payload)
    {
        return std::nullopt;
    }
    const auto plain = CopyPayload(*frame.packet, payload->headerBytes);
    const auto stream = EncodePayload(GetCodec(), plain.data(), plain.size());
    frame.packet = ReplacePayload(*frame.packet, payload->headerBytes, stream);
    frame.compressed = true;
    frame.SetWirePayload(frame.packet->GetSize());
    return PayloadSizes{payload->plainBytes, stream.size()};
}

std::uint64_t
CompressionEngine::DoCycles(const PayloadSizes& sizes) const
{
    return Cycles(sizes.plainBytes);
}

NS_OBJECT_ENSURE_REGISTERED(DecompressionEngine);

ns3::TypeId
DecompressionEngine::GetTypeId()
{
    static ns3::TypeId tid = AddAttributes(ns3::TypeId("inca::DecompressionEngine")
                                               .SetParent<Engine>()
                                               .SetGroupName("Inca")
                                               .AddConstructor<DecompressionEngine>());
    return tid;
}

std::optional<PayloadSizes>
DecompressionEngine::DoTransform(Frame& frame)
{
    NS_LOG_FUNCTION(this);
    if (!frame.compressed)
    {
        return std::nullopt;
    }
    frame.compressed = false;
    if (frame.kind == FrameKind::STACK)
    {
        return TransformPacket(frame);
    }
    if (frame.bytes.AreThere())
    {
        frame.bytes = SharedBytes::Of(DecodePayload(
            CodecOf(frame), frame.bytes.data(), frame.bytes.size(), frame.plainBytes));
    }
    return PayloadSizes{frame.plainBytes, frame.wirePayloadBytes};
}

PayloadSizes
DecompressionEngine::TransformPacket(Frame& frame)
{
    NS_LOG_FUNCTION(this);
    const auto payload = LocatePayload(*frame.packet).value();
    const auto stream = CopyPayload(*frame.packet, payload.headerBytes);
    const auto plain = DecodePayload(GetCodec(), stream.data(), stream.size(), payload.plainBytes);
    frame.packet = ReplacePayload(*frame.packet, payload.headerBytes, plain);
    return {payload.plainBytes, stream.size()};
}

std::uint64_t
DecompressionEngine::DoCycles(const PayloadSizes& sizes) const
{
    return std::max(Cycles(sizes.wireBytes), Cycles(sizes.plainBytes));
}

} // namespace inca
