/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "base/value-form.h"
#include "codec/block-format.h"
#include "codec/byte-compressor.h"
#include "scenario/key-row.h"
#include "scenario/keys.h"
#include "scenario/presets.h"
#include "scenario/specs.h"

#include <limits>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostFrames{65'536};
constexpr std::uint64_t g_longestPs{1'000'000'000'000'000'000};
constexpr double g_mostBits{64}; ///< of a coded value: twice what it has
constexpr std::uint64_t g_mostNumber{std::numeric_limits<std::uint64_t>::max()};

constexpr std::size_t g_longestFormat = 100; ///< a text's part that is looked at

const auto g_placement = ChoiceForm<CodecPlacement>({"nic", "cpu", "gpu"});

const KeyCondition g_hasCodec{NamesCodec, "codec.name is none"};
const KeyCondition g_onHost{HasHostCodec, "a codec on the nic is as fast as its engine"};
const KeyCondition g_hasSketch{HasSketch, "codec.name is {codec.name}"};
const KeyCondition g_hasNoSketch{[](const Scenario& s) { return !HasSketch(s); },
                                 "what a sketch takes is planned"};
const KeyCondition g_hasNoValues{[](const Scenario& s) { return !s.training.values; },
                                 "values travel, and what they take is counted"};
const KeyCondition g_isTcp{IsOverTcp, "transport.name is {transport.name}"};
const KeyCondition g_isInca{HasFrames, "transport.name is {transport.name}"};
const KeyCondition g_sparsifies = IsNot("sparsify.method", "none");

/** A codec runs in a NIC's engines. */
const KeyConditions g_hasEngine{g_hasCodec, {HasEngines, "no codec runs on the nic"}};

/** Sketches are made and decoded on a GPU. */
const KeyConditions g_onGpu{g_hasSketch, Is("codec.placement", {"gpu"})};

/** The codec's row says that it reads @p argument. */
KeyCondition
IsReadByCodec(const std::string& argument)
{
    return {[argument](const Scenario& s) { return CodecReads(s, argument); },
            "codec.name is {codec.name}"};
}

bool
IsTimedByMemory(const Scenario& s)
{
    const bool hasRates = s.codec.encodeBytesPerSecond > 0 && s.codec.decodeBytesPerSecond > 0;
    return (Sparsifies(s) && !s.sparsify.bytesPerSecond) ||
           (HasSketch(s) && Placement(s) == CodecPlacement::GPU && !hasRates);
}

bool
IsRandom(const Scenario& s)
{
    const auto isRounded = [&s](bool crossesGroups) {
        return CodedAs(s, crossesGroups).codec.isStochastic;
    };
    return HasJitter(s) || s.cluster.lossRate > 0 || HasRandomValues(s) ||
           (s.training.values && (isRounded(false) || isRounded(true)));
}

ValueForm<unsigned>
BoundForm()
{
    return {ValueType::TEXT, "2^-1..2^-15", ParseBound, FormatBound, [](const unsigned& bound) {
                return std::to_string(bound);
            }};
}

ValueForm<std::string>
BlockForm()
{
    const auto parse = [](std::string_view text) {
        try
        {
            return ParseBlockFormat(std::string(text.substr(0, g_longestFormat))).name;
        }
        catch (const InputError& error)
        {
            throw UnitError(error.what());
        }
    };
    const auto same = [](const std::string& text) { return text; };
    return {ValueType::TEXT, "such as \"mxfp8\" or \"int4/128/fp32\"", parse, same, same};
}

bool
HasMessagesBetweenGroups(const Scenario& s)
{
    const bool isTwoShot = s.exchange.algorithm == "two-shot";
    return (NodeSize(s) > 1 && s.cluster.workers > 1) || ShardGroup(s) > 0 ||
           (isTwoShot && GroupSize(s) < s.cluster.workers);
}

bool
HasRows(const Scenario& scenario)
{
    const auto hasRows = [&scenario](bool crossesGroups) {
        const auto format = CodedAs(scenario, crossesGroups).codec.format;
        return ParseBlockFormat(format).group == BlockFormat::ROW;
    };
    return hasRows(false) || hasRows(true);
}

/** @return @p form, which refuses texts of which @p isWrong says so */
template <class Value>
ValueForm<Value>
Refusing(ValueForm<Value> form, bool (*isWrong)(std::string_view), const std::string& why)
{
    form.parse = [=, parse = form.parse](std::string_view text) {
        if (isWrong(text))
        {
            throw UnitError(why + ", got '" + std::string(text) + "'");
        }
        return parse(text);
    };
    return form;
}

ValueForm<std::uint64_t>
DropBitsForm()
{
    const auto isWrong = [](std::string_view text) {
        return text != "16" && text != "22" && text != "24";
    };
    auto form = Refusing(WholeForm({16, 24}), isWrong, "must be 16, 22 or 24");
    form.values = "16, 22 or 24";
    return form;
}

ValueForm<bool>
DuplexForm()
{
    const auto isNumber = [](std::string_view text) {
        return text.find_first_of("+-.0123456789") == 0;
    };
    return Refusing(
        ChoiceForm<bool>({"full", "half"}), isNumber, "is full or half, where it was 1 or 0");
}

/** As a boolean attribute. */
std::string
DuplexAttribute(std::string_view keyText)
{
    return keyText == "full" ? "true" : "false";
}

/** A plan says which window "auto" is, before a run. */
std::string
WindowAttribute(std::string_view keyText)
{
    return keyText == "auto" ? "64" : std::string(keyText);
}

std::string
CongestionAttribute(std::string_view keyText)
{
    return keyText == "cubic"     ? "ns3::TcpCubic"
           : keyText == "newreno" ? "ns3::TcpNewReno"
                                  : "ns3::TcpDctcp";
}

/** @return @p form, whose values may also be the word @p name, as complaints say: it stands for @p named */
template <class Value>
ValueForm<std::optional<Value>>
OrKeyword(const ValueForm<Value>& form, const std::string& name, std::optional<Value> named = {})
{
    using MayBe = std::optional<Value>;
    const auto orName = [=](const auto& text) {
        return [=](const MayBe& value) {
            return value == named ? name : value ? text(*value) : std::string();
        };
    };
    const auto parse = [=](std::string_view text) {
        try
        {
            return text == name ? named : MayBe(form.parse(text));
        }
        catch (const UnitError& error)
        {
            throw UnitError(std::string(error.what()) + "; it may also be \"" + name + "\"");
        }
    };
    const auto type = form.type == ValueType::TEXT ? ValueType::TEXT : ValueType::NUMBER_OR_NAME;
    const auto values = form.values + ", or \"" + name + "\"";
    return {type, values, parse, orName(form.text), orName(form.columnText)};
}

/** What turns gradients into bytes. */
std::vector<Key>
CodecKeys()
{
    using T = CodecSettings;
    return KeysOf<T>(
        "codec",
        &Scenario::codec,
        {{{"name", "what turns gradients into bytes", "codec"}, {&T::name, NameForm(CodecNames())}},
         {{"bound",
           "inceptionn, inceptionn-bounded, zfp: the bound 2^-B; from B = 8 on errors of the first "
           "reach 2^-7",
           "bound_bits"},
          {&T::bound, BoundForm()},
          {IsReadByCodec("bound")}},
         {{"drop_bits", "truncate: low bits that do not travel"},
          {&T::dropBits, DropBitsForm()},
          {IsReadByCodec("drop-bits")}},
         // Both types have 16 bits; only their values differ.
         {{"cast_to", "cast: the type that travels"},
          {&T::castTo, NameForm({"bf16", "fp16"})},
          {IsReadByCodec("cast")}},
         {{"sum", "cast: sums in fp32, or in the wire type", "codec_sum"},
          {&T::sum, NameForm({"fp32", "wire"})},
          {IsReadByCodec("cast"), g_hasValues}},
         {{"format",
           "block: what values, groups and scales are; element/group/scale may have /hadamard-R "
           "behind it",
           "block_format"},
          {&T::format, BlockForm()},
          {IsReadByCodec("format")}},
         {{"between",
           "block: the format between workers of several GPUs, groups that share weights out, or "
           "those of two-shot; not given: the one that goes with codec.format",
           "format_between"},
          {&T::between, BlockForm()},
          {IsReadByCodec("format"), {HasMessagesBetweenGroups, "no messages are between groups"}}},
         {{"rounding", "block: to nearest, or by chance such that the mean is right"},
          {&T::isStochastic, ChoiceForm<bool>({"nearest", "stochastic"})},
          {IsReadByCodec("rounding"), g_hasValues}},
         {{"row_values", "block: values that have a scale, where rows have one (torchft, zeropp)"},
          {&T::rowValues, WholeForm({1, 1U << 30U})},
          {IsReadByCodec("row"), {HasRows, "no rows have scales in {codec.format}"}}},
         {{"grouping", "netzip: what of values is put together before they are compressed"},
          {&T::grouping, NameForm(NETZIP_GROUPINGS)},
          {IsReadByCodec("grouping"), g_hasValues}},
         {{"backend", "netzip: what compresses the grouped values", "codec_backend"},
          {&T::backend, NameForm(ByteCompressors().Names())},
          {IsReadByCodec("backend"), g_hasValues}},
         {{"difference", "netzip: what is coded of values; shift: how far above a percentile"},
          {&T::isShifted, ChoiceForm<bool>({"none", "shift"})},
          {IsReadByCodec("difference"), g_hasValues}},
         {{"placement",
           "where the codec runs; cpu and gpu differ by their rates only; not given: nic; "
           "homomorphic, block, exponents: gpu; snappy, zfp: cpu"},
          {&T::placement, g_placement},
          {g_hasCodec}},
         {{"encode_rate",
           "plain fp32 bytes encoded per second; homomorphic on gpu needs none",
           "encode_rate_bytes_per_s"},
          {&T::encodeBytesPerSecond, RateForm(g_byteRate, "")},
          {g_hasCodec, g_onHost},
          {{"inca::RankApplication::EncodeRate"}, ByteRateAttribute}},
         {{"decode_rate",
           "plain fp32 bytes decoded per second; homomorphic on gpu needs none",
           "decode_rate_bytes_per_s"},
          {&T::decodeBytesPerSecond, RateForm(g_byteRate, "")},
          {g_hasCodec, g_onHost},
          {{"inca::RankApplication::DecodeRate"}, ByteRateAttribute}},
         {{"start_cost",
           "of a codec on cpu or gpu, in each exchange before it begins on a worker",
           "codec_start_cost_us"},
          {&T::startPs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})},
          {g_hasCodec, g_onHost}},
         {{"bits_per_value",
           "what a value takes on the wire where only sizes travel; not given: as the trace's "
           "statistics say"},
          {&T::bitsPerValue, PositiveForm(g_mostBits)},
          {g_hasCodec, g_hasNoSketch, g_hasNoValues}},
         {{"ratio",
           "homomorphic: rows of values per row of counters; safe: what each bucket bears"},
          {&T::ratio, OrKeyword(DecimalForm({0.5, 1'000'000}), "safe")},
          {g_hasSketch}},
         {{"safe_left",
           "safe: share of a bucket's set values that may be expected to be estimated; 0: it is "
           "expected to decode"},
          {&T::safeLeft, DecimalForm({0, 1})},
          {g_hasSketch,
           {[](const Scenario& s) { return !s.codec.ratio; }, "codec.ratio is a number"}}},
         {{"index",
           "homomorphic: how workers say which values are not 0; bits-4 is added, others are "
           "or-ed"},
          {&T::index, NameForm(HomomorphicIndexNames())},
          {g_hasSketch}},
         {{"bloom_bits", "bloom: size of the filters, in bits per value", "bloom_bits_per_value"},
          {&T::bloomBits, SomeShareForm()},
          {g_hasSketch, Is("codec.index", {"bloom"})}},
         {{"bloom_hashes", "bloom: bits that a value sets"},
          {&T::bloomHashes, WholeForm({1, 16})},
          {g_hasSketch, Is("codec.index", {"bloom"})}},
         {{"rounds", "homomorphic: sketches leave when the index is back, or do not wait for it"},
          {&T::overlapsRounds, ChoiceForm<bool>({"dependent", "overlapped"})},
          {g_hasSketch}},
         {{"skip_density",
           "homomorphic: layers at least so dense travel as they are; not given: all are coded"},
          {&T::skipDensity, SomeShareForm()},
          {g_hasSketch}}});
}

/** An attribute of both engines of a NIC. */
SettingAttributes
OfEngines(const std::string& attribute, const AttributeForm& form)
{
    return {{"inca::CompressionEngine::" + attribute, "inca::DecompressionEngine::" + attribute},
            form};
}

std::vector<Key>
EngineKeys()
{
    using T = EngineSettings;
    auto keys = KeysOf<T>(
        "engine",
        &Scenario::engine,
        {{{"width",
           "bits of plain payload that an engine takes per cycle, both directions",
           "engine_width_bits"},
          {&T::widthBits, WholeForm({8, 1'000'000})},
          g_hasEngine,
          OfEngines("Width", PlainAttribute)},
         {{"clock", "cycles of an engine per second, both directions", "engine_clock_mhz"},
          {&T::hertz, QuantityForm(g_frequency, {1, 1'000'000'000'000})},
          g_hasEngine,
          OfEngines("Clock", PlainAttribute)},
         {{"latency",
           "cycles from the last bits in to the last bits out, beyond the work",
           "engine_latency_cycles"},
          {&T::latencyCycles, WholeForm({0, 1'000'000})},
          g_hasEngine,
          OfEngines("PipelineLatency", PlainAttribute)}});
    for (auto& key : keys)
    {
        key.attributes.apart = true;
    }
    return keys;
}

std::vector<Key>
SparsifyKeys()
{
    using T = SparsifySettings;
    return KeysOf<T>(
        "sparsify",
        &Scenario::sparsify,
        {{{"method",
           "what makes gradients sparse before they are encoded: a layer's largest, or all above a "
           "threshold",
           "sparsify"},
          {&T::method, NameForm({"none", "top-k", "threshold"})}},
         {{"density", "share of a layer's values kept", "sparsify_density"},
          {&T::density, SomeShareForm()},
          {g_sparsifies, g_showsZeros}},
         {{"rate",
           "plain fp32 bytes sparsified per second; not given: by gpu.memory_bandwidth",
           "sparsify_rate_bytes_per_s"},
          {&T::bytesPerSecond,
           OrKeyword(QuantityForm(g_byteRate, {1, g_mostNumber}),
                     "none",
                     std::optional<std::uint64_t>(0))},
          {g_sparsifies}}});
}

std::vector<Key>
GpuKeys()
{
    using T = GpuSettings;
    auto decodes = g_onGpu;
    decodes.push_back({[](const Scenario& s) { return s.codec.decodeBytesPerSecond == 0; },
                       "codec.decode_rate is given"});
    return KeysOf<T>("gpu",
                     &Scenario::gpu,
                     {{{"memory_bandwidth",
                        "times coding and sparsifying on a GPU where no rate is given",
                        "gpu_memory_bandwidth_bytes_per_s"},
                       {&T::memoryBytesPerSecond, RateForm(g_byteRate, "")},
                       {{IsTimedByMemory, "no work on a GPU is timed by it"}}},
                      {{"round_check",
                        "until the host knows whether a sketch needs another round of decoding",
                        "gpu_round_check_us"},
                       {&T::roundCheckPs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})},
                       decodes}});
}

/** Sets the preset's name and all of its values; what the user gave is set anew by whoever reads it. */
void
SetHostPreset(Scenario& s, std::string_view text)
{
    const auto& preset = FindPreset(HostPresets(), text);
    auto protocols = std::move(s.host.protocols);
    s.host = {};
    s.host.protocols = std::move(protocols);
    s.host.preset = preset.name;
    for (const auto& value : preset.values)
    {
        SetKey(s, value.key, value.text);
    }
}

/** An attribute says the rate of all of a worker's GPUs side by side, the key that of one. */
std::vector<Key>
HostTableKeys()
{
    using T = HostSettings;
    auto keys = KeysOf<T>(
        "host",
        &Scenario::host,
        {{{"preset",
           "a named set of the other [host] keys' values; those that are given override it",
           "host_preset"},
          {&T::preset, NameForm(PresetNames(HostPresets()))}},
         {{"duplex", "full: a host sends and receives at once; half: it receives, then sends"},
          {&T::isHalfDuplex, DuplexForm()},
          {g_hasMessages},
          {{"inca::HostPath::FullDuplex"}, DuplexAttribute}},
         {{"sum_rate", "gradient bytes a host adds per second", "sum_rate_bytes_per_s"},
          {&T::sumBytesPerSecond, RateForm(g_byteRate, "none")},
          {g_hasMessages, {HasSums, "exchange.collective = {exchange.collective} adds nothing"}},
          {{"inca::RankApplication::SumRate"}, ByteRateAttribute}},
         {{"copy_rate", "bytes copied from or to a GPU per second", "copy_rate_bytes_per_s"},
          {&T::copyBytesPerSecond, RateForm(g_byteRate, "none")},
          {{HasCompute, "a lone tensor is not copied from or to a GPU"}},
          {{"inca::WorkerApplication::CopyRate"}, ByteRateAttribute}},
         {{"byte_rate",
           "bytes a host moves per second, in pipeline with the wire: coded ones where it codes",
           "byte_rate_bytes_per_s"},
          {&T::byteBytesPerSecond, RateForm(g_byteRate, "none")},
          {},
          {{"inca::HostPath::ByteRate"}, ByteRateAttribute}},
         {{"frame_cost", "a host's time per frame", "frame_cost_ns"},
          {&T::frameCostPs, QuantityForm(g_nanoTime, {0, LONGEST_COST_PS})},
          {},
          {{"inca::HostPath::FrameCost"}, TimeAttribute}},
         {{"message_cost", "a host's time per message, or in-network reduction", "message_cost_ns"},
          {&T::messageCostPs, QuantityForm(g_nanoTime, {0, LONGEST_COST_PS})},
          {},
          {{"inca::HostPath::MessageCost"}, TimeAttribute}}});
    keys.front().set = SetHostPreset;
    keys.front().isPreset = true;
    for (auto& key : keys)
    {
        if (key.name == "host.copy_rate")
        {
            key.attributes.text = [](const Scenario& s) {
                return ByteRateAttribute(g_byteRate.Format(CopyBytesPerSecond(s)));
            };
        }
    }
    return keys;
}

/** How messages travel. */
std::vector<Key>
TransportKeys()
{
    using T = TransportSettings;
    const KeyConditions ofInca{g_hasMessages, g_isInca};
    const KeyConditions ofTcp{g_hasMessages, g_isTcp};
    const auto buffers = QuantityForm(g_byteCount, {4096, 1U << 30U});
    return KeysOf<T>(
        "transport",
        &Scenario::transport,
        {{{"name",
           "inca: INCA's own, which is light; tcp: ns-3's TCP, as Linux sets it",
           "transport"},
          {&T::name, NameForm(TransportCatalog().Names())},
          {g_hasMessages}},
         {{"window",
           "frames in flight to one receiver; auto: twice what fills the fastest link over the "
           "longest path, and at least 64, or 256 between GPUs that are simulated",
           "window_frames"},
          {&T::window, OrKeyword(WholeForm({1, g_mostFrames}), "auto")},
          ofInca,
          {{"inca::Transport::Window", "inca::FlowTransport::Window"}, WindowAttribute}},
         {{"ack_every", "data frames per acknowledgement; at most the window", "ack_every_frames"},
          {&T::ackEvery, WholeForm({1, g_mostFrames})},
          ofInca,
          {{"inca::Transport::AckEvery", "inca::FlowTransport::AckEvery"}, PlainAttribute}},
         {{"credits", "all who send to a host share the buffer of the port before it"},
          {&T::credits, BooleanForm()},
          {g_hasMessages, g_isInca, g_hasFrameLevel},
          {{"inca::Transport::Credits"}, PlainAttribute}},
         {{"min_timeout",
           "shortest time until an unacknowledged frame is sent again",
           "min_timeout_us"},
          {&T::minTimeoutPs, QuantityForm(g_microTime, {1'000, 1'000'000'000'000'000})},
          {g_hasMessages, g_isInca, g_hasFrameLevel},
          {{"inca::Transport::MinTimeout"}, TimeAttribute}},
         {{"sockets", "tcp: connections from a host to another, over which a message is spread"},
          {&T::sockets, WholeForm({1, 64})},
          ofTcp,
          {{"inca::TcpTransport::Sockets"}, PlainAttribute}},
         {{"congestion", "tcp: what sets the congestion window; dctcp: ports mark above 65 frames"},
          {&T::congestion, ChoiceForm<Congestion>({"cubic", "newreno", "dctcp"})},
          ofTcp,
          {{"ns3::TcpL4Protocol::SocketType"}, CongestionAttribute}},
         {{"send_buffer",
           "tcp: bytes of a connection that are not acknowledged, at most",
           "send_buffer_bytes"},
          {&T::sendBytes, buffers},
          ofTcp,
          {{"ns3::TcpSocket::SndBufSize"}, ByteAttribute}},
         {{"receive_buffer",
           "tcp: bytes of a connection that its receiver has not read, at most",
           "receive_buffer_bytes"},
          {&T::receiveBytes, buffers},
          ofTcp,
          {{"ns3::TcpSocket::RcvBufSize"}, ByteAttribute}},
         {{"restart_after_idle",
           "tcp: the congestion window halves with each timeout in which nothing is sent"},
          {&T::restartAfterIdle, BooleanForm()},
          ofTcp,
          {{"inca::TcpTransport::RestartAfterIdle"}, PlainAttribute}}});
}

/** How a run is made. */
std::vector<Key>
SimulationKeys()
{
    using T = SimulationSettings;
    return KeysOf<T>(
        "simulation",
        &Scenario::simulation,
        {{{"mode",
           "auto: what is the same is simulated once; packet: every frame of every rank; flow: "
           "messages are flows with fair rates, which is an approximation",
           "simulation_mode"},
          {&T::mode, ChoiceForm<SimulationMode>({"auto", "packet", "flow"})}},
         {{"warmup", "first iterations that no time counts; totals of bytes and frames do"},
          {&T::warmup, WholeForm({0, 999'999})}},
         {{"explain",
           "remember why things happen when they do: what limits the run, and what would help; "
           "takes "
           "up to half as much time again",
           "explain"},
          {&T::explains, BooleanForm()}},
         {{"seed", "of jitter, losses and random values"},
          {&T::seed, WholeForm({0, MOST_SEED})},
          {{IsRandom, "nothing is random"}}},
         {{"watchdog",
           "simulated time without progress after which a run is given up",
           "watchdog_s"},
          {&T::watchdogPs, QuantityForm(g_wholeTime, {1, g_longestPs})}},
         {{"max_cpu_time", "estimated CPU time beyond which a run is refused", "max_cpu_time_s"},
          {&T::maxCpuPs, QuantityForm(g_wholeTime, {1, g_longestPs})}},
         {{"max_memory", "estimated memory beyond which a run is refused", "max_memory_bytes"},
          {&T::maxMemoryBytes, QuantityForm(g_byteCount, {1, std::uint64_t{1} << 60U})}}});
}

/** Keys of [codec] that are of all workers: those of sketches, of an exchange's start, and what sets nodes apart. */
const std::vector<std::string> g_wholeCodecKeys{"start_cost",
                                                "between",
                                                "ratio",
                                                "safe_left",
                                                "index",
                                                "bloom_bits",
                                                "bloom_hashes",
                                                "rounds",
                                                "skip_density"};

} // namespace

std::vector<Key>
GroupCodecKeys(const std::string& table,
               GroupSettings Scenario::*settings,
               bool crossesGroups,
               const KeyConditions& areThere)
{
    std::vector<Key> keys;
    for (const auto& whole : CodecKeys())
    {
        const auto leaf = LeafOf(whole.name);
        if (IsAmong(leaf, g_wholeCodecKeys))
        {
            continue;
        }
        Key key{table + ".codec." + leaf,
                leaf == "name" ? LeafOf(table) + "_codec" : GROUP_CODECS_COLUMN,
                "codec." + leaf + " of their messages; not given: that of all",
                whole.type,
                whole.values};
        key.set = [=](Scenario& s, std::string_view text) {
            Scenario scratch;
            whole.set(scratch, text);
            const auto exact = whole.text(scratch);
            (s.*settings).codec[leaf] = {
                exact, [set = whole.set, exact](Scenario& coded) { set(coded, exact); }};
        };
        key.text = [=](const Scenario& s) {
            const auto& own = (s.*settings).codec;
            const auto found = own.find(leaf);
            return found == own.end() ? std::string() : found->second.text;
        };
        key.columnText = key.text;
        key.conditions = areThere;
        key.idle = [=](const Scenario& s) {
            return key.text(s).empty() ? "" : IdleReason(whole, CodedAs(s, crossesGroups));
        };
        keys.push_back(std::move(key));
    }
    return keys;
}

std::vector<Key>
HostKeys()
{
    std::vector<Key> keys;
    for (const auto& some : {CodecKeys(),
                             EngineKeys(),
                             SparsifyKeys(),
                             GpuKeys(),
                             HostTableKeys(),
                             TransportKeys(),
                             SimulationKeys()})
    {
        keys.insert(keys.end(), some.begin(), some.end());
    }
    for (auto& key : keys) // shown where it is not given, too
    {
        if (key.name == "codec.placement")
        {
            key.columnText = [](const Scenario& s) { return g_placement.text(Placement(s)); };
        }
    }
    return keys;
}

} // namespace inca
