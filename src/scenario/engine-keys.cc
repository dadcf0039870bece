/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"

#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr ValueRange<std::uint64_t> g_width{8, 1'000'000};
constexpr ValueRange<std::uint64_t> g_clock{1, 1'000'000'000'000};
constexpr ValueRange<std::uint64_t> g_latency{0, 1'000'000};

/** @return @p key, which sets that attribute of both engines of a NIC; each may also be set by itself */
Key
OfBothEngines(const std::string& attribute, const AttributeForm& form, Key key)
{
    key = Sets({"inca::CompressionEngine::" + attribute, "inca::DecompressionEngine::" + attribute},
               form,
               std::move(key));
    key.attributes.apart = true;
    return IdleWhen(WhyNoEngine, key);
}

} // namespace

std::vector<Key>
EngineKeys()
{
    return {
        OfBothEngines("Width",
                      g_wholeAttribute,
                      IntegerKey(
                          {"engine.width",
                           "engine_width_bits",
                           "bits of plain payload that an engine takes per cycle, both directions"},
                          g_width,
                          [](auto& s) -> auto& { return s.engine.widthBits; })),
        OfBothEngines("Clock",
                      g_nameAttribute,
                      QuantityKey(
                          {"engine.clock",
                           "engine_clock_mhz",
                           "cycles of an engine per second, both directions"},
                          g_frequency,
                          g_clock,
                          [](auto& s) -> auto& { return s.engine.hertz; })),
        OfBothEngines("PipelineLatency",
                      g_wholeAttribute,
                      IntegerKey(
                          {"engine.latency",
                           "engine_latency_cycles",
                           "cycles from the last bits in to the last bits out, beyond the work"},
                          g_latency,
                          [](auto& s) -> auto& { return s.engine.latencyCycles; })),
    };
}

} // namespace inca
