/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"
#include "scenario/specs.h"

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostIterations = 1'000'000;
constexpr std::uint64_t g_mostMicroBatches = 65'536;
constexpr ValueRange<double> g_share{0, 1};

std::string
NeedsCompute(const Scenario& s)
{
    return HasCompute(s) ? "" : "a lone tensor has no compute";
}

std::string
NeedsLayers(const Scenario& s)
{
    return HasCompute(s) ? "" : "a lone tensor is one layer";
}

std::string
WhyNoOverlap(const Scenario& s)
{
    return s.training.send == "end" ? "training.send is end" : NeedsCompute(s);
}

/** Where each micro-batch is exchanged, it counts without anything to compute, too. */
std::string
WhyNoAccumulation(const Scenario& s)
{
    return GathersWeights(s) ? "" : NeedsCompute(s);
}

std::string
WhyNoBarrier(const Scenario& s)
{
    return s.training.iterations == 1 ? "training.iterations is 1"
           : GathersWeights(s)        ? "no weights are gathered before all are updated"
                                      : NeedsLayers(s);
}

std::string
WhyNoJitter(const Scenario& s)
{
    const bool forgotten = s.training.jitter != "none" && s.training.jitterSd == 0;
    return forgotten ? "training.jitter_sd is 0" : NeedsCompute(s);
}

std::string
WhyNoJitterSd(const Scenario& s)
{
    return s.training.jitter == "none" ? "training.jitter is none" : NeedsCompute(s);
}

/** Sketches are planned for the union's density, whatever values travel in the end. */
std::string
WhyNoUnion(const Scenario& s)
{
    return DrawsValues(s) || HasSketch(s) ? "" : "no values are drawn";
}

std::string
WhyNoDensity(const Scenario& s)
{
    const bool fileDecides = s.training.values && !DrawsValues(s) && !HasSketch(s);
    return fileDecides ? "training.values_file says which values are 0" : WhyNoZeros(s);
}

std::vector<Key>
ReplayKeys()
{
    return {
        TextKey(
            {"training.trace", "trace", "a shipped trace's name, a path, or one lone tensor"},
            "such as \"alexnet\" or \"tensor:100MB\"",
            [](auto& s) -> auto& { return s.training.trace; }),
        IntegerKey(
            {"training.iterations", "iterations", "training iterations that are replayed"},
            {1, g_mostIterations},
            [](auto& s) -> auto& { return s.training.iterations; }),
        IdleWhen(NeedsLayers,
                 NameKey(
                     {"training.send",
                      "send",
                      "gradients leave per layer, in buckets as PyTorch's DDP or Horovod (fused) "
                      "fills them, or all at once after backward"},
                     {"layer", "bucket", "fused", "end"},
                     [](auto& s) -> auto& { return s.training.send; })),
        IdleWhen(WhyNoOverlap,
                 BooleanKey(
                     {"training.overlap", "overlap", "send while backward goes on"},
                     [](auto& s) -> auto& { return s.training.overlap; })),
        IdleWhen(WhyNoAccumulation,
                 IntegerKey(
                     {"training.accumulation",
                      "accumulation",
                      "forward and backward passes (micro-batches) per update"},
                     {1, g_mostMicroBatches},
                     [](auto& s) -> auto& { return s.training.accumulation; })),
        NameKey(
            {"training.sharding",
             "sharding",
             "each worker updates all weights; or a part, which it hands on (ZeRO-1 and ZeRO-2), "
             "or "
             "keeps, and gets the others when it computes (full: FSDP, ZeRO-3)"},
            {"none", "optimizer", "full"},
            [](auto& s) -> auto& { return s.training.sharding; }),
        IdleWhen(WhyNoBarrier,
                 BooleanKey(
                     {"training.barrier", "barrier", "a forward pass waits for all updates"},
                     [](auto& s) -> auto& { return s.training.barrier; })),
    };
}

std::vector<Key>
ValueKeys()
{
    return {
        BooleanKey(
            {"training.values", "values", "carry real gradient bytes, verify every sum"},
            [](auto& s) -> auto& { return s.training.values; }),
        IdleWhen(
            [](const Scenario& s) {
                return std::string(s.training.values ? "" : "training.values is false");
            },
            TextKey(
                {"training.values_file",
                 "values_file",
                 "safetensors file of the gradients; {worker} is its number; not given: drawn"},
                "a path",
                [](auto& s) -> auto& { return s.training.valuesFile; })),
        IdleWhen(WhyNoUnion,
                 DecimalKey(
                     {"training.union_exponent",
                      "union_exponent",
                      "1: workers' non-zero positions are independent; 0: the same"},
                     g_share,
                     [](auto& s) -> auto& { return s.training.unionExponent; })),
        IdleWhen(WhyNoDensity,
                 SomeShareKey(
                     {"training.density",
                      "density",
                      "share of non-zero values of every layer; not given: the trace's"},
                     [](auto& s) -> auto& { return s.training.density; })),
        NameKey(
            {"training.gradient_type",
             "gradient_type",
             "of all gradients: those of 16 bits travel and add as 2 bytes, but for codecs and "
             "switches; not given: the trace's"},
            {"fp32", "fp16", "bf16"},
            [](auto& s) -> auto& { return s.training.gradientType; }),
    };
}

std::vector<Key>
JitterKeys()
{
    return {
        IdleWhen(WhyNoJitter,
                 NameKey(
                     {"training.jitter", "jitter", "how compute times vary"},
                     {"none", "normal", "lognormal"},
                     [](auto& s) -> auto& { return s.training.jitter; })),
        IdleWhen(WhyNoJitterSd,
                 DecimalKey(
                     {"training.jitter_sd",
                      "jitter_sd",
                      "standard deviation relative to every compute time"},
                     g_share,
                     [](auto& s) -> auto& { return s.training.jitterSd; })),
    };
}

} // namespace

/** Without values, zeros show in what a codec makes of them. */
std::string
WhyNoZeros(const Scenario& s)
{
    const bool show = s.training.values || HasSketch(s) || s.codec.name == "inceptionn";
    return show ? ""
                : "only sizes travel, and codec.name = \"" + s.codec.name +
                      "\" makes nothing of zeros";
}

std::vector<Key>
TrainingKeys()
{
    return JoinKeys({ReplayKeys(), ValueKeys(), JitterKeys()});
}

} // namespace inca
