/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"
#include "scenario/specs.h"

#include <limits>

namespace inca
{

namespace
{

constexpr ValueRange<std::uint64_t> g_rate{1, std::numeric_limits<std::uint64_t>::max()};
constexpr ValueRange<std::uint64_t> g_roundCheck{0, 1'000'000'000'000};

std::string
WhyNoSparsification(const Scenario& s)
{
    return Sparsifies(s) ? "" : "sparsify.method is none";
}

std::string
WhyNoKeptShare(const Scenario& s)
{
    return Sparsifies(s) ? WhyNoZeros(s) : WhyNoSparsification(s);
}

Key
SparsifyRateKey()
{
    auto key = QuantityKey(
        {"sparsify.rate",
         "sparsify_rate_bytes_per_s",
         "plain fp32 bytes sparsified per second; not given: by gpu.memory_bandwidth"},
        g_byteRate,
        g_rate,
        [](auto& s) -> auto& { return s.sparsify.bytesPerSecond; });
    key = OrName(
        key,
        "none",
        [](Scenario& s) { s.sparsify.bytesPerSecond = 0; },
        [](const Scenario& s) { return s.sparsify.bytesPerSecond == 0; });
    return IdleWhen(WhyNoSparsification, key);
}

/** @return why no sketch is made or decoded on a GPU, or empty if one is */
std::string
WhyNotOnGpu(const Scenario& s)
{
    return HasSketch(s) && Placement(s) != "gpu" ? "codec.placement is " + Placement(s)
                                                 : WhyNoSketch(s);
}

std::string
WhyNoMemory(const Scenario& s)
{
    const bool sparsifies = Sparsifies(s) && !s.sparsify.bytesPerSecond;
    const bool hasRates = s.codec.encodeBytesPerSecond > 0 && s.codec.decodeBytesPerSecond > 0;
    const bool codes = WhyNotOnGpu(s).empty() && !hasRates;
    return sparsifies || codes ? "" : "no work on a GPU is timed by it";
}

std::string
WhyNoRoundCheck(const Scenario& s)
{
    const auto other = WhyNotOnGpu(s);
    const bool hasRate = s.codec.decodeBytesPerSecond > 0;
    return other.empty() && hasRate ? "codec.decode_rate is given" : other;
}

} // namespace

std::vector<Key>
SparsifyKeys()
{
    return {
        NameKey(
            {"sparsify.method",
             "sparsify",
             "what makes gradients sparse before they are encoded: a layer's largest, or all "
             "above a threshold"},
            {"none", "top-k", "threshold"},
            [](auto& s) -> auto& { return s.sparsify.method; }),
        IdleWhen(WhyNoKeptShare,
                 SomeShareKey(
                     {"sparsify.density", "sparsify_density", "share of a layer's values kept"},
                     [](auto& s) -> auto& { return s.sparsify.density; })),
        SparsifyRateKey(),
    };
}

std::vector<Key>
GpuKeys()
{
    return {
        IdleWhen(WhyNoMemory,
                 RateKey(
                     {"gpu.memory_bandwidth",
                      "gpu_memory_bandwidth_bytes_per_s",
                      "times coding and sparsifying on a GPU where no rate is given"},
                     g_byteRate,
                     "",
                     [](auto& s) -> auto& { return s.gpu.memoryBytesPerSecond; })),
        IdleWhen(WhyNoRoundCheck,
                 QuantityKey(
                     {"gpu.round_check",
                      "gpu_round_check_us",
                      "until the host knows whether a sketch needs another round of decoding"},
                     g_microTime,
                     g_roundCheck,
                     [](auto& s) -> auto& { return s.gpu.roundCheckPs; })),
    };
}

} // namespace inca
