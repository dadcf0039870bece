/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/engine.h"

#include "base/units.h"

#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaEngine");

namespace
{

constexpr std::uint64_t PS_PER_SECOND{1'000'000'000'000};
constexpr std::uint32_t BITS_PER_BYTE{8};

} // namespace

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
    m_codec = std::move(codec);
}

void
Engine::SetClock(std::string text)
{
    const auto hertz = ParseHertz(text);
    if (hertz == 0)
    {
        throw UnitError("an engine's clock must be above 0, got '" + text + "'");
    }
    m_clockHertz = hertz;
}

std::string
Engine::GetClock() const
{
    return FormatHertz(m_clockHertz);
}

std::int64_t
Engine::Process(Frame& frame, std::int64_t enterPs)
{
    if (!m_codec)
    {
        return enterPs; // no engine in the path
    }
    const auto sizes = frame.compressible ? DoTransform(frame) : Bypass(BypassReason::NOT_MARKED);
    if (!sizes)
    {
        m_lastOutPs = std::max(enterPs, m_lastOutPs);
        return m_lastOutPs;
    }
    const auto cycles = DoCycles(*sizes);
    const auto startPs = std::max(enterPs, m_freePs);
    const auto workPs = CyclesPs(cycles);
    m_freePs = startPs + workPs;
    m_lastOutPs = startPs + CyclesPs(cycles + m_latencyCycles);
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
Engine::Walk(StateWalk& walk)
{
    walk.Until(m_freePs);
    walk.Until(m_lastOutPs);
    walk.Count(m_counters.frames);
    walk.Count(m_counters.plainBytes);
    walk.Count(m_counters.wireBytes);
    walk.Count(m_counters.busyPs);
    for (auto& frames : m_counters.bypassed)
    {
        walk.Count(frames);
    }
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

std::optional<PayloadSizes>
Engine::Bypass(BypassReason reason)
{
    ++m_counters.bypassed[static_cast<std::size_t>(reason)];
    return std::nullopt;
}

} // namespace inca
