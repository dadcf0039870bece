/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "scenario/host-presets.h"
#include "scenario/key-makers.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include <limits>

namespace inca
{

namespace
{

constexpr ValueRange<std::uint64_t> g_cost{0, 1'000'000'000'000};
constexpr ValueRange<std::uint64_t> g_timeout{1, 1'000'000'000'000'000};
constexpr ValueRange<std::uint64_t> g_watchdog{1, 1'000'000'000'000'000'000};
constexpr ValueRange<std::uint64_t> g_frames{1, 65'536};
constexpr ValueRange<std::uint64_t> g_memory{1, std::uint64_t{1} << 60U};
constexpr ValueRange<std::uint64_t> g_warmup{0, 999'999};
constexpr ValueRange<std::uint64_t> g_seed{0, std::numeric_limits<std::int64_t>::max()};

/** An attribute says the rate of all of a worker's GPUs side by side, the key that of one. */
std::string
CopyRateText(const Scenario& s, std::string_view text)
{
    const auto rate = ParseWholeAttribute(text);
    const std::int64_t gpus{s.cluster.gpus};
    if (rate % gpus != 0)
    {
        throw UnitError("must be a multiple of cluster.gpus (" + std::to_string(gpus) + "), got '" +
                        std::string(text) + "'");
    }
    return g_costRateAttribute.toKey(std::to_string(rate / gpus));
}

Key
CopyRateKey()
{
    auto key = RateKey(
        {"host.copy_rate", "copy_rate_bytes_per_s", "bytes copied from or to a GPU per second"},
        g_byteRate,
        "none",
        [](auto& s) -> auto& { return s.host.copyBytesPerSecond; });
    key.attributes = {{"inca::WorkerApplication::CopyRate"},
                      [](const Scenario& s) { return std::to_string(CopyBytesPerSecond(s)); },
                      CopyRateText};
    return IdleWhen(
        [](const Scenario& s) -> std::string {
            return HasCompute(s) ? "" : "a lone tensor is not copied from or to a GPU";
        },
        key);
}

/** Its values are set through their keys; those are then set that the user gave. */
Key
PresetKey()
{
    auto key = NameKey(
        {"host.preset",
         "host_preset",
         "a named set of the other [host] keys' values; those that are given override it"},
        HostPresetNames(),
        [](auto& s) -> auto& { return s.host.preset; });
    key.set = [setName = key.set](Scenario& s, std::string_view text) {
        setName(s, text);
        s.host = {};
        setName(s, text);
        for (const auto& value : FindHostPreset(s.host.preset).values)
        {
            SetKey(s, value.key, value.text);
        }
    };
    key.defaultsOf = {"host.duplex",
                      "host.sum_rate",
                      "host.copy_rate",
                      "host.byte_rate",
                      "host.frame_cost",
                      "host.message_cost"};
    return key;
}

/** As a boolean attribute. */
const AttributeForm g_duplexAttribute{
    [](std::string_view keyText) { return std::string(keyText == "full" ? "true" : "false"); },
    [](std::string_view attributeText) {
        return std::string(ParseTruthAttribute(attributeText) ? "full" : "half");
    }};

Key
DuplexKey()
{
    auto key = NameKey(
        {"host.duplex",
         "duplex",
         "full: a host sends and receives at once; half: it receives, then sends"},
        {"full", "half"},
        [](auto& s) -> auto& { return s.host.duplex; });
    key.set = [setName = key.set](Scenario& s, std::string_view text) {
        const bool isNumber =
            !text.empty() &&
            std::string_view("+-.0123456789").find(text.front()) != std::string_view::npos;
        if (isNumber)
        {
            throw UnitError("is full or half, where it was 1 or 0, got '" + std::string(text) +
                            "'");
        }
        setName(s, text);
    };
    return key;
}

std::vector<Key>
OnlyHostKeys()
{
    return {
        PresetKey(),
        IdleWhen(WhyNoMessages,
                 Sets({"inca::HostPath::FullDuplex"}, g_duplexAttribute, DuplexKey())),
        IdleWhen(WhyNoMessages,
                 Sets({"inca::RankApplication::SumRate"},
                      g_costRateAttribute,
                      RateKey(
                          {"host.sum_rate",
                           "sum_rate_bytes_per_s",
                           "gradient bytes a host adds per second"},
                          g_byteRate,
                          "none",
                          [](auto& s) -> auto& { return s.host.sumBytesPerSecond; }))),
        CopyRateKey(),
    };
}

/** What a host pays for messages. */
std::vector<Key>
MessageKeys()
{
    return {
        Sets({"inca::HostPath::ByteRate"},
             g_costRateAttribute,
             RateKey(
                 {"host.byte_rate",
                  "byte_rate_bytes_per_s",
                  "plain bytes a host moves per second, in pipeline with the wire"},
                 g_byteRate,
                 "none",
                 [](auto& s) -> auto& { return s.host.byteBytesPerSecond; })),
        Sets({"inca::HostPath::FrameCost"},
             g_timeAttribute,
             QuantityKey(
                 {"host.frame_cost", "frame_cost_ns", "a host's time per frame"},
                 g_nanoTime,
                 g_cost,
                 [](auto& s) -> auto& { return s.host.frameCostPs; })),
        Sets({"inca::HostPath::MessageCost"},
             g_timeAttribute,
             QuantityKey(
                 {"host.message_cost",
                  "message_cost_ns",
                  "a host's time per message, or network sum"},
                 g_nanoTime,
                 g_cost,
                 [](auto& s) -> auto& { return s.host.messageCostPs; })),
    };
}

std::vector<Key>
TransportKeys()
{
    return {
        IdleWhen(WhyNoMessages,
                 Sets({"inca::Transport::Window"},
                      g_wholeAttribute,
                      IntegerKey(
                          {"transport.window", "window_frames", "frames in flight to one receiver"},
                          g_frames,
                          [](auto& s) -> auto& { return s.transport.window; }))),
        IdleWhen(WhyNoMessages,
                 Sets({"inca::Transport::AckEvery"},
                      g_wholeAttribute,
                      IntegerKey(
                          {"transport.ack_every",
                           "ack_every_frames",
                           "data frames per acknowledgement; at most the window"},
                          g_frames,
                          [](auto& s) -> auto& { return s.transport.ackEvery; }))),
        IdleWhen(WhyNoMessages,
                 Sets({"inca::Transport::Credits"},
                      g_truthAttribute,
                      BooleanKey(
                          {"transport.credits",
                           "credits",
                           "all who send to a host share the buffer of the port before it"},
                          [](auto& s) -> auto& { return s.transport.credits; }))),
        IdleWhen(WhyNoMessages,
                 Sets({"inca::Transport::MinTimeout"},
                      g_timeAttribute,
                      QuantityKey(
                          {"transport.min_timeout",
                           "min_timeout_us",
                           "shortest time until an unacknowledged frame is sent again"},
                          g_microTime,
                          g_timeout,
                          [](auto& s) -> auto& { return s.transport.minTimeoutPs; }))),
    };
}

std::string
WhyNoSeed(const Scenario& s)
{
    const bool varies = s.training.jitter != "none" && s.training.jitterSd > 0 && HasCompute(s);
    const bool loses = s.cluster.lossRate > 0;
    return varies || loses || DrawsValues(s) ? "" : "nothing is drawn at random";
}

std::vector<Key>
SimulationKeys()
{
    return {
        NameKey(
            {"simulation.mode",
             "simulation_mode",
             "auto: what is the same is simulated once; packet: every frame of every rank"},
            {"auto", "packet"},
            [](auto& s) -> auto& { return s.simulation.mode; }),
        IntegerKey(
            {"simulation.warmup",
             "warmup",
             "first iterations that no time counts; totals of bytes and frames do"},
            g_warmup,
            [](auto& s) -> auto& { return s.simulation.warmup; }),
        IdleWhen(WhyNoSeed,
                 IntegerKey(
                     {"simulation.seed", "seed", "of jitter, losses and drawn values"},
                     g_seed,
                     [](auto& s) -> auto& { return s.simulation.seed; })),
        QuantityKey(
            {"simulation.watchdog",
             "watchdog_s",
             "simulated time without progress after which a run is given up"},
            g_wholeTime,
            g_watchdog,
            [](auto& s) -> auto& { return s.simulation.watchdogPs; }),
        QuantityKey(
            {"simulation.max_cpu_time",
             "max_cpu_time_s",
             "estimated CPU time beyond which a run is refused"},
            g_wholeTime,
            g_watchdog,
            [](auto& s) -> auto& { return s.simulation.maxCpuPs; }),
        QuantityKey(
            {"simulation.max_memory",
             "max_memory_bytes",
             "estimated memory beyond which a run is refused"},
            g_byteCount,
            g_memory,
            [](auto& s) -> auto& { return s.simulation.maxMemoryBytes; }),
    };
}

} // namespace

std::vector<Key>
HostKeys()
{
    return JoinKeys({OnlyHostKeys(), MessageKeys(), TransportKeys(), SimulationKeys()});
}

} // namespace inca
