/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-text.h"
#include "scenario/host-presets.h"
#include "scenario/key-row.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include <limits>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostFrames{65'536};
constexpr std::uint64_t g_longestPs{1'000'000'000'000'000'000};
constexpr std::uint64_t g_mostNumber{std::numeric_limits<std::uint64_t>::max()};
constexpr std::uint64_t g_mostSeed{std::numeric_limits<std::int64_t>::max()};

std::string
CodecIs(const Scenario& s)
{
    return "codec.name is " + s.codec.name;
}

std::string
WhyNoCodec(const Scenario& s)
{
    return Unless(HasCodec(s), "codec.name is none");
}

std::string
WhyNoSketch(const Scenario& s)
{
    return Unless(HasSketch(s), CodecIs(s));
}

std::string
WhyNoEngine(const Scenario& s)
{
    return HasHostCodec(s) ? "codec.placement is " + Placement(s) : WhyNoCodec(s);
}

/** For keys that only those codecs read whose rows name @p argument. */
Why
UnlessCodecReads(std::string argument)
{
    return [argument = std::move(argument)](const Scenario& s) {
        return Unless(CodecReads(s, argument), CodecIs(s));
    };
}

/** Both types have 16 bits; only their values differ. */
std::string
WhyNoCast(const Scenario& s)
{
    return CodecReads(s, "cast")
               ? Unless(s.training.values, "only sizes travel (training.values is false)")
               : CodecIs(s);
}

std::string
WhyNoRate(const Scenario& s)
{
    return HasCodec(s) && !HasHostCodec(s) ? "a codec on the nic is as fast as its engine"
                                           : WhyNoCodec(s);
}

std::string
WhyNoBloom(const Scenario& s)
{
    return HasSketch(s) ? Unless(s.codec.index == "bloom", "codec.index is " + s.codec.index)
                        : CodecIs(s);
}

std::string
WhyNoSparsification(const Scenario& s)
{
    return Unless(Sparsifies(s), "sparsify.method is none");
}

/** @return why no sketch is made or decoded on a GPU, or empty if one is */
std::string
WhyNotOnGpu(const Scenario& s)
{
    return HasSketch(s) ? Unless(Placement(s) == "gpu", "codec.placement is " + Placement(s))
                        : CodecIs(s);
}

std::string
WhyNoMemory(const Scenario& s)
{
    const bool sparsifies = Sparsifies(s) && !s.sparsify.bytesPerSecond;
    const bool hasRates = s.codec.encodeBytesPerSecond > 0 && s.codec.decodeBytesPerSecond > 0;
    const bool codes = WhyNotOnGpu(s).empty() && !hasRates;
    return Unless(sparsifies || codes, "no work on a GPU is timed by it");
}

std::string
WhyNoSeed(const Scenario& s)
{
    const bool varies = s.training.jitter != "none" && s.training.jitterSd > 0 && HasCompute(s);
    const bool loses = s.cluster.lossRate > 0;
    return Unless(varies || loses || DrawsValues(s), "nothing is drawn at random");
}

ValueForm<unsigned>
BoundForm()
{
    return {ValueType::TEXT, "2^-1..2^-15", ParseBound, FormatBound, [](const unsigned& bound) {
                return std::to_string(bound);
            }};
}

ValueForm<std::uint64_t>
DropBitsForm()
{
    auto form = WholeForm({16, 24});
    form.values = "16, 22 or 24";
    form.parse = [parse = form.parse](std::string_view text) {
        if (text != "16" && text != "22" && text != "24")
        {
            throw UnitError("must be 16, 22 or 24, got '" + std::string(text) + "'");
        }
        return parse(text);
    };
    return form;
}

ValueForm<std::string>
DuplexForm()
{
    auto form = NameForm({"full", "half"});
    form.parse = [parse = form.parse](std::string_view text) {
        const bool isNumber =
            !text.empty() &&
            std::string_view("+-.0123456789").find(text.front()) != std::string_view::npos;
        if (isNumber)
        {
            throw UnitError("is full or half, where it was 1 or 0, got '" + std::string(text) +
                            "'");
        }
        return parse(text);
    };
    return form;
}

/** As a boolean attribute. */
const AttributeForm g_duplexAttribute{
    [](std::string_view keyText) { return std::string(keyText == "full" ? "true" : "false"); },
    [](std::string_view attributeText) {
        return std::string(ParseTruthAttribute(attributeText) ? "full" : "half");
    }};

/** It says of which classes a NIC has engines. */
Key
PlacementKey()
{
    auto key = Row({"codec.placement",
                    "placement",
                    "where the codec runs; cpu and gpu differ by their rates only; not given: nic, "
                    "homomorphic: gpu"},
                   NameForm({"nic", "cpu", "gpu"}),
                   At(&Scenario::codec, &CodecSettings::placement),
                   WhyNoCodec);
    key.classes = {{"inca::CompressionEngine", "inca::DecompressionEngine"}, WhyNoEngine};
    return WithColumn(key, Placement);
}

/** @return a key that sets that attribute of both engines of a NIC; each may also be set by itself */
template <class Field>
Key
EngineKey(SettingWords words,
          const ValueForm<std::uint64_t>& form,
          Field at,
          const std::string& attribute,
          const AttributeForm& attributeForm)
{
    const SettingAttributes attributes{
        {"inca::CompressionEngine::" + attribute, "inca::DecompressionEngine::" + attribute},
        attributeForm};
    auto key = Row(words, form, at, WhyNoEngine, attributes);
    key.attributes.apart = true;
    return key;
}

/** Its values are set through their keys; those are then set that the user gave. */
Key
PresetKey()
{
    auto key =
        Row({"host.preset",
             "host_preset",
             "a named set of the other [host] keys' values; those that are given override it"},
            NameForm(HostPresetNames()),
            At(&Scenario::host, &HostSettings::preset));
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
    auto key =
        Row({"host.copy_rate", "copy_rate_bytes_per_s", "bytes copied from or to a GPU per second"},
            RateForm(g_byteRate, "none"),
            At(&Scenario::host, &HostSettings::copyBytesPerSecond),
            [](const Scenario& s) {
                return Unless(HasCompute(s), "a lone tensor is not copied from or to a GPU");
            });
    key.attributes = {{"inca::WorkerApplication::CopyRate"},
                      [](const Scenario& s) { return std::to_string(CopyBytesPerSecond(s)); },
                      CopyRateText};
    return key;
}

} // namespace

std::vector<Key>
HostKeys()
{
    return {
        // What turns gradients into bytes, and what that costs.
        Row({"codec.name", "codec", "what turns gradients into bytes"},
            NameForm(CodecNames()),
            At(&Scenario::codec, &CodecSettings::name)),
        Row({"codec.bound",
             "bound_bits",
             "inceptionn: the bound 2^-B; from B = 8 on errors reach 2^-7"},
            BoundForm(),
            At(&Scenario::codec, &CodecSettings::bound),
            UnlessCodecReads("bound")),
        Row({"codec.drop_bits", "drop_bits", "truncate: low bits that do not travel"},
            DropBitsForm(),
            At(&Scenario::codec, &CodecSettings::dropBits),
            UnlessCodecReads("drop-bits")),
        Row({"codec.cast_to", "cast_to", "cast: the type that travels"},
            NameForm({"bf16", "fp16"}),
            At(&Scenario::codec, &CodecSettings::castTo),
            WhyNoCast),
        Row({"codec.sum", "codec_sum", "cast: sums in fp32, or in the wire type"},
            NameForm({"fp32", "wire"}),
            At(&Scenario::codec, &CodecSettings::sum),
            WhyNoCast),
        PlacementKey(),
        Row({"codec.encode_rate",
             "encode_rate_bytes_per_s",
             "plain fp32 bytes encoded per second; homomorphic on gpu needs none"},
            RateForm(g_byteRate, ""),
            At(&Scenario::codec, &CodecSettings::encodeBytesPerSecond),
            WhyNoRate,
            {{"inca::RankApplication::EncodeRate"}, g_byteRateAttribute}),
        Row({"codec.decode_rate",
             "decode_rate_bytes_per_s",
             "plain fp32 bytes decoded per second; homomorphic on gpu needs none"},
            RateForm(g_byteRate, ""),
            At(&Scenario::codec, &CodecSettings::decodeBytesPerSecond),
            WhyNoRate,
            {{"inca::RankApplication::DecodeRate"}, g_byteRateAttribute}),
        Row({"codec.ratio",
             "ratio",
             "homomorphic: rows of values per row of counters; safe: what each bucket bears"},
            OrName(DecimalForm({0.5, 1'000'000}), "safe"),
            At(&Scenario::codec, &CodecSettings::ratio),
            WhyNoSketch),
        Row({"codec.safe_left",
             "safe_left",
             "safe: share of a bucket's set values that may be expected to be estimated; 0: it is "
             "expected to decode"},
            DecimalForm({0, 1}),
            At(&Scenario::codec, &CodecSettings::safeLeft),
            [](const Scenario& s) {
                return HasSketch(s) ? Unless(!s.codec.ratio, "codec.ratio is a number")
                                    : CodecIs(s);
            }),
        Row({"codec.index",
             "index",
             "homomorphic: how workers say which values are not 0; bits-4 is added, others are "
             "or-ed"},
            NameForm(HomomorphicIndexNames()),
            At(&Scenario::codec, &CodecSettings::index),
            WhyNoSketch),
        Row({"codec.bloom_bits",
             "bloom_bits_per_value",
             "bloom: size of the filters, in bits per value"},
            SomeShareForm(),
            At(&Scenario::codec, &CodecSettings::bloomBits),
            WhyNoBloom),
        Row({"codec.bloom_hashes", "bloom_hashes", "bloom: bits that a value sets"},
            WholeForm({1, 16}),
            At(&Scenario::codec, &CodecSettings::bloomHashes),
            WhyNoBloom),
        Row({"codec.rounds",
             "rounds",
             "homomorphic: sketches leave when the index is back, or do not wait for it"},
            NameForm({"dependent", "overlapped"}),
            At(&Scenario::codec, &CodecSettings::rounds),
            WhyNoSketch),
        Row({"codec.skip_density",
             "skip_density",
             "homomorphic: layers at least so dense travel as they are; not given: all are coded"},
            SomeShareForm(),
            At(&Scenario::codec, &CodecSettings::skipDensity),
            WhyNoSketch),
        EngineKey({"engine.width",
                   "engine_width_bits",
                   "bits of plain payload that an engine takes per cycle, both directions"},
                  WholeForm({8, 1'000'000}),
                  At(&Scenario::engine, &EngineSettings::widthBits),
                  "Width",
                  g_wholeAttribute),
        EngineKey(
            {"engine.clock", "engine_clock_mhz", "cycles of an engine per second, both directions"},
            QuantityForm(g_frequency, {1, 1'000'000'000'000}),
            At(&Scenario::engine, &EngineSettings::hertz),
            "Clock",
            g_nameAttribute),
        EngineKey({"engine.latency",
                   "engine_latency_cycles",
                   "cycles from the last bits in to the last bits out, beyond the work"},
                  WholeForm({0, 1'000'000}),
                  At(&Scenario::engine, &EngineSettings::latencyCycles),
                  "PipelineLatency",
                  g_wholeAttribute),
        Row({"sparsify.method",
             "sparsify",
             "what makes gradients sparse before they are encoded: a layer's largest, or all "
             "above a threshold"},
            NameForm({"none", "top-k", "threshold"}),
            At(&Scenario::sparsify, &SparsifySettings::method)),
        Row({"sparsify.density", "sparsify_density", "share of a layer's values kept"},
            SomeShareForm(),
            At(&Scenario::sparsify, &SparsifySettings::density),
            [](const Scenario& s) {
                return Sparsifies(s) ? WhyNoZeros(s) : WhyNoSparsification(s);
            }),
        Row({"sparsify.rate",
             "sparsify_rate_bytes_per_s",
             "plain fp32 bytes sparsified per second; not given: by gpu.memory_bandwidth"},
            OrName(QuantityForm(g_byteRate, {1, g_mostNumber}),
                   "none",
                   std::optional<std::uint64_t>(0)),
            At(&Scenario::sparsify, &SparsifySettings::bytesPerSecond),
            WhyNoSparsification),
        Row({"gpu.memory_bandwidth",
             "gpu_memory_bandwidth_bytes_per_s",
             "times coding and sparsifying on a GPU where no rate is given"},
            RateForm(g_byteRate, ""),
            At(&Scenario::gpu, &GpuSettings::memoryBytesPerSecond),
            WhyNoMemory),
        Row({"gpu.round_check",
             "gpu_round_check_us",
             "until the host knows whether a sketch needs another round of decoding"},
            QuantityForm(g_microTime, {0, LONGEST_COST_PS}),
            At(&Scenario::gpu, &GpuSettings::roundCheckPs),
            [](const Scenario& s) {
                return WhyNotOnGpu(s).empty() && s.codec.decodeBytesPerSecond > 0
                           ? "codec.decode_rate is given"
                           : WhyNotOnGpu(s);
            }),
        // What hosts cost, how messages travel, and how a run is made.
        PresetKey(),
        Row({"host.duplex",
             "duplex",
             "full: a host sends and receives at once; half: it receives, then sends"},
            DuplexForm(),
            At(&Scenario::host, &HostSettings::duplex),
            WhyNoMessages,
            {{"inca::HostPath::FullDuplex"}, g_duplexAttribute}),
        Row({"host.sum_rate", "sum_rate_bytes_per_s", "gradient bytes a host adds per second"},
            RateForm(g_byteRate, "none"),
            At(&Scenario::host, &HostSettings::sumBytesPerSecond),
            WhyNoMessages,
            {{"inca::RankApplication::SumRate"}, g_costRateAttribute}),
        CopyRateKey(),
        Row({"host.byte_rate",
             "byte_rate_bytes_per_s",
             "plain bytes a host moves per second, in pipeline with the wire"},
            RateForm(g_byteRate, "none"),
            At(&Scenario::host, &HostSettings::byteBytesPerSecond),
            {},
            {{"inca::HostPath::ByteRate"}, g_costRateAttribute}),
        Row({"host.frame_cost", "frame_cost_ns", "a host's time per frame"},
            QuantityForm(g_nanoTime, {0, LONGEST_COST_PS}),
            At(&Scenario::host, &HostSettings::frameCostPs),
            {},
            {{"inca::HostPath::FrameCost"}, g_timeAttribute}),
        Row({"host.message_cost",
             "message_cost_ns",
             "a host's time per message, or in-network reduction"},
            QuantityForm(g_nanoTime, {0, LONGEST_COST_PS}),
            At(&Scenario::host, &HostSettings::messageCostPs),
            {},
            {{"inca::HostPath::MessageCost"}, g_timeAttribute}),
        Row({"transport.window", "window_frames", "frames in flight to one receiver"},
            WholeForm({1, g_mostFrames}),
            At(&Scenario::transport, &TransportSettings::window),
            WhyNoMessages,
            {{"inca::Transport::Window"}, g_wholeAttribute}),
        Row({"transport.ack_every",
             "ack_every_frames",
             "data frames per acknowledgement; at most the window"},
            WholeForm({1, g_mostFrames}),
            At(&Scenario::transport, &TransportSettings::ackEvery),
            WhyNoMessages,
            {{"inca::Transport::AckEvery"}, g_wholeAttribute}),
        Row({"transport.credits",
             "credits",
             "all who send to a host share the buffer of the port before it"},
            BooleanForm(),
            At(&Scenario::transport, &TransportSettings::credits),
            WhyNoMessages,
            {{"inca::Transport::Credits"}, g_truthAttribute}),
        Row({"transport.min_timeout",
             "min_timeout_us",
             "shortest time until an unacknowledged frame is sent again"},
            QuantityForm(g_microTime, {1, 1'000'000'000'000'000}),
            At(&Scenario::transport, &TransportSettings::minTimeoutPs),
            WhyNoMessages,
            {{"inca::Transport::MinTimeout"}, g_timeAttribute}),
        Row({"simulation.mode",
             "simulation_mode",
             "auto: what is the same is simulated once; packet: every frame of every rank"},
            NameForm({"auto", "packet"}),
            At(&Scenario::simulation, &SimulationSettings::mode)),
        Row({"simulation.warmup",
             "warmup",
             "first iterations that no time counts; totals of bytes and frames do"},
            WholeForm({0, 999'999}),
            At(&Scenario::simulation, &SimulationSettings::warmup)),
        Row({"simulation.seed", "seed", "of jitter, losses and drawn values"},
            WholeForm({0, g_mostSeed}),
            At(&Scenario::simulation, &SimulationSettings::seed),
            WhyNoSeed),
        Row({"simulation.watchdog",
             "watchdog_s",
             "simulated time without progress after which a run is given up"},
            QuantityForm(g_wholeTime, {1, g_longestPs}),
            At(&Scenario::simulation, &SimulationSettings::watchdogPs)),
        Row({"simulation.max_cpu_time",
             "max_cpu_time_s",
             "estimated CPU time beyond which a run is refused"},
            QuantityForm(g_wholeTime, {1, g_longestPs}),
            At(&Scenario::simulation, &SimulationSettings::maxCpuPs)),
        Row({"simulation.max_memory",
             "max_memory_bytes",
             "estimated memory beyond which a run is refused"},
            QuantityForm(g_byteCount, {1, std::uint64_t{1} << 60U}),
            At(&Scenario::simulation, &SimulationSettings::maxMemoryBytes)),
    };
}

} // namespace inca
