/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/input-file.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/value-form.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "codec/codec-catalog.h"
#include "codec/homomorphic-bucket.h"
#include "codec/homomorphic-shape.h"
#include "codec/inceptionn-widths.h"
#include "codec/peeling-forecast.h"
#include "codec/sketch.h"
#include "report/text-table.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "trace/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** What `inca codec` is asked on the command line. */
struct CodecOptions
{
    std::string codec;
    std::map<std::string, std::string> arguments; ///< of the codec, by their names: "bound"
    std::optional<double> unionDensity;           ///< of the sum to come; empty: as the file's
    std::uint64_t elements{0};
    std::string in;
    std::string out;
    std::vector<std::string> streams; ///< to be added; the last is where the sum goes
    bool rates{false};                ///< measure how fast codecs are, too
};

/** What `encode` and `measure` read. */
constexpr const char* CODEC_INPUT = "raw little-endian fp32, or a .safetensors file";

/** An argument of codecs: the key that says the same of a scenario's knows what may stand there. */
struct CodecArgument
{
    std::string name; ///< as in CodecEntry, and behind "--"
    const char* key;
    const char* meaning;
};

const std::vector<CodecArgument>&
Arguments()
{
    static const std::vector<CodecArgument> arguments{
        {"bound",
         "codec.bound",
         "the bound, as in 2^-10; beyond 2^-7 inceptionn's errors stay below 2^-7 only, those of "
         "inceptionn-bounded below the bound"},
        {"drop-bits", "codec.drop_bits", "truncate: 16, 22 or 24 low bits to drop"},
        {"cast", "codec.cast_to", "cast: bf16 or fp16"},
        {"format", "codec.format", "block: a format's name, or element/group/scale"},
        {"row", "codec.row_values", "block: values of a row, where rows have scales; 4096"},
        {"rounding", "codec.rounding", "block: nearest or stochastic"},
        {"grouping", "codec.grouping", "netzip: none, byte or bit"},
        {"backend", "codec.backend", "netzip: lz4, zstd, zlib or snappy"},
        {"difference", "codec.difference", "netzip: none or shift"},
        {"ratio",
         "codec.ratio",
         "homomorphic: rows per counter row, 10 by default; safe: as many as are safe"},
        {"index", "codec.index", "homomorphic: bits-1 (or 1; the default), bits-4 (or 4) or bloom"},
        {"bloom-bits", "codec.bloom_bits", "index bloom: bits per value; 0.5"},
        {"bloom-hashes", "codec.bloom_hashes", "index bloom: bits a value sets; 7"},
    };
    return arguments;
}

/** A scenario with this codec; a ratio that it lacks is safe. */
Scenario
CodecScenarioOf(const CodecOptions& options)
{
    Scenario scenario;
    scenario.codec.name = FindCodec(options.codec).name;
    scenario.codec.ratio = HomomorphicSettings{}.ratio;
    scenario.training.values = true;
    for (const auto& argument : Arguments())
    {
        const auto given = options.arguments.find(argument.name);
        if (given == options.arguments.end())
        {
            continue;
        }
        const bool isShort = argument.name == "index" && given->second.size() == 1;
        try
        {
            SetKey(scenario, argument.key, (isShort ? "bits-" : "") + given->second);
        }
        catch (const UnitError& error)
        {
            throw InputError("--" + argument.name + ": " + error.what());
        }
        const auto reason = IdleReason(*FindKey(argument.key), scenario);
        if (!reason.empty())
        {
            throw InputError("--" + argument.name + ": has no effect: " + reason);
        }
    }
    return scenario;
}

/** Adds the arguments of codecs. @param homomorphicAlone only those of codec 'homomorphic' */
void
AddCodecOptions(CLI::App& command, CodecOptions& options, bool homomorphicAlone = false)
{
    for (const auto& argument : Arguments())
    {
        if (!homomorphicAlone || IsAmong(argument.name, FindCodec("homomorphic").arguments))
        {
            const auto take = [&options, name = argument.name](const std::string& text) {
                options.arguments[name] = text;
            };
            command.add_option_function<std::string>(
                "--" + argument.name + (argument.name == "index" ? ",--index-bits" : ""),
                take,
                argument.meaning);
        }
    }
}

/** @throws InputError if the codec is unknown */
CodedUnit
UnitOf(const CodecOptions& options)
{
    return FindCodec(options.codec).unit;
}

/** Does @p work with the values of a file, in parts where these are a stream together. */
template <class Work>
void
ForEachCodedPart(const CodecOptions& options, bool inParts, const Work& work)
{
    if (inParts)
    {
        ForEachFloatPart(options.in, work);
        return;
    }
    const FloatFile in(options.in);
    work(in.Data(), in.Count());
}

/** The codec whose argument was given, if none is named. */
void
CompleteCodec(CodecOptions& options)
{
    for (const auto& entry : CodecCatalog())
    {
        if (options.codec.empty() && !options.arguments.empty() &&
            IsAmong(options.arguments.begin()->first, entry.arguments))
        {
            options.codec = entry.name;
        }
    }
}

/** @throws InputError if an argument is wrong, or has no effect on the codec */
CodecSpec
SpecOf(const CodecOptions& options)
{
    return MakeCodecSpec(CodecScenarioOf(options));
}

/** Share of the values of whole rows that are not 0; 0 if there is no whole row. */
double
DensityOf(const float* values, std::size_t count)
{
    const auto whole = count - count % g_sketchLanes;
    const auto set = whole - static_cast<std::size_t>(std::count(values, values + whole, 0.0F));
    return whole == 0 ? 0 : static_cast<double>(set) / static_cast<double>(whole);
}

/**
 * Of codec 'homomorphic', to encode: --ratio safe is the largest that is safe for @p count values.
 * @param density of their union, 0..1
 * @throws InputError as SpecOf, and if no ratio is safe
 */
HomomorphicSettings
ChosenSettings(const CodecOptions& options, std::size_t count, double density)
{
    const auto scenario = CodecScenarioOf(options);
    auto settings = MakeHomomorphicSettings(scenario);
    const auto rows = ShapeOf(settings, count).rows;
    if (scenario.codec.ratio || rows == 0)
    {
        return settings;
    }
    const auto safe = RoundedSafeRatio(rows, FoundDensity(settings, density));
    if (!safe)
    {
        throw InputError(fmt::format("--ratio safe: no ratio is safe for {} rows at a density of "
                                     "{:.3g} %; the smallest is 0.5",
                                     rows,
                                     density * g_percent));
    }
    settings.ratio = *safe;
    return settings;
}

/** The same for a stream that is there already. @throws InputError as SpecOf, and for --ratio safe */
HomomorphicSettings
GivenSettings(const CodecOptions& options)
{
    const auto scenario = CodecScenarioOf(options);
    if (!scenario.codec.ratio)
    {
        throw InputError("--ratio safe is for encoding; here the number is needed that it chose");
    }
    return MakeHomomorphicSettings(scenario);
}

constexpr const char* BOUND_NOTE =
    "\ninceptionn's errors stay below 2^-B for B up to 7; at a bound of 2^-8 to 2^-15 they stay "
    "below 2^-7.\ninceptionn-bounded's stay below 2^-B\n";

/** Of the columns: widths are those of INCEPTIONN's classes. */
std::vector<std::string>
Titles(bool rates)
{
    std::vector<std::string> titles{"codec"};
    for (const auto bits : g_widthBits)
    {
        titles.push_back(fmt::format("{} bits", bits));
    }
    titles.insert(titles.end(), {"bits/value", "ratio", "largest error", "mean error"});
    if (rates)
    {
        titles.insert(titles.end(), {"encode_rate", "decode_rate"});
    }
    return titles;
}

/** @return the least CPU time that @p work took of some times, as whatever else goes on only ever makes it longer (s) */
template <class Work>
double
LeastSeconds(int times, const Work& work)
{
    auto least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < times; ++i)
    {
        const auto begin = std::clock();
        work();
        least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
}

/** What one codec makes of values that come in parts. Errors are of finite values. */
class Measurement
{
  public:
    /** @param rates whether the codec's are measured, too: on one core */
    Measurement(const CodecSpec& spec, bool rates)
        : m_spec(spec),
          m_times(rates ? 5 : 1),
          m_hasClasses(FindCodec(spec.name).hasWidthClasses),
          m_codec(MakeCodec(spec))
    {
    }

    /** Encodes, decodes and compares; every part but the last is a multiple of 8 values, and a bucket is one part. */
    void Add(const float* values, std::size_t count)
    {
        m_decoded.resize(count);
        m_encodeSeconds += LeastSeconds(m_times, [&] {
            m_stream.clear();
            m_codec->Encode(values, count, m_stream);
        });
        m_decodeSeconds += LeastSeconds(m_times, [&] {
            m_codec->Decode(m_stream.data(), m_stream.size(), m_decoded.data(), count);
        });
        m_wireBytes += static_cast<double>(m_stream.size());
        m_values += static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            if (std::isfinite(values[i]))
            {
                const auto error = std::isfinite(m_decoded[i])
                                       ? std::abs(double{values[i]} - double{m_decoded[i]})
                                       : std::numeric_limits<double>::infinity();
                m_largestError = std::max(m_largestError, error);
                m_errorSum += error;
                ++m_finite;
            }
        }
        const auto widths = CountWidths(values, count, m_spec.bound);
        for (std::size_t i = 0; i < widths.size(); ++i)
        {
            m_widths[i] += widths[i];
        }
    }

    /** Of Titles(); rates as a scenario has them. */
    std::vector<std::string> Row() const
    {
        constexpr double PLAIN_BYTES = 4;
        constexpr double MEGA = 1e6;
        constexpr double BITS_PER_BYTE = 8;
        std::vector<std::string> row{CodecTitle(m_spec)};
        for (const auto share : SharesOf(m_widths))
        {
            row.push_back(m_hasClasses ? fmt::format("{:.2f}%", share * g_percent) : "-");
        }
        const auto bytes = m_wireBytes / m_values;
        row.push_back(fmt::format("{:.3f}", bytes * BITS_PER_BYTE));
        row.push_back(fmt::format("{:.3f}", PLAIN_BYTES / bytes));
        row.push_back(fmt::format("{:.4g}", m_largestError));
        row.push_back(fmt::format("{:.4g}", m_finite > 0 ? m_errorSum / m_finite : 0));
        for (const auto seconds : {m_encodeSeconds, m_decodeSeconds})
        {
            if (m_times > 1)
            {
                row.push_back(fmt::format("{:.0f}MBps", m_values * PLAIN_BYTES / MEGA / seconds));
            }
        }
        return row;
    }

    double NonFiniteValues() const
    {
        return m_values - m_finite;
    }

    /** Of a codec of these classes. */
    bool ExceedsBound() const
    {
        return m_hasClasses && m_largestError >= std::ldexp(1.0, -static_cast<int>(m_spec.bound));
    }

  private:
    CodecSpec m_spec;
    int m_times; ///< that each part is encoded and decoded
    bool m_hasClasses;
    std::unique_ptr<Codec> m_codec;
    std::vector<std::uint8_t> m_stream;
    std::vector<float> m_decoded;
    WidthCounts m_widths{};
    double m_values{0};
    double m_finite{0};
    double m_wireBytes{0};
    double m_largestError{0};
    double m_errorSum{0};
    double m_encodeSeconds{0};
    double m_decodeSeconds{0};
};

/** What is measured: the codec that was named in full, or all usual arguments. */
std::vector<CodecSpec>
SpecsToMeasure(const CodecOptions& options, const FloatFile& in)
{
    if (!options.arguments.empty())
    {
        auto spec = SpecOf(options);
        if (UnitOf(options) == CodedUnit::BUCKET)
        {
            spec.homomorphic =
                ChosenSettings(options, in.Count(), DensityOf(in.Data(), in.Count()));
        }
        return {spec};
    }
    if (!options.codec.empty())
    {
        return UsualSpecs(FindCodec(options.codec));
    }
    std::vector<CodecSpec> specs;
    for (const auto& entry : CodecCatalog())
    {
        if (entry.unit == CodedUnit::FRAME)
        {
            const auto usual = UsualSpecs(entry);
            specs.insert(specs.begin(), usual.begin(), usual.end());
        }
    }
    return specs;
}

void
MeasureCodecs(CodecOptions& options)
{
    CompleteCodec(options);
    const FloatFile in(options.in);
    if (in.Count() == 0)
    {
        throw InputError(options.in + ": has no values to measure");
    }
    std::vector<Measurement> measurements;
    for (const auto& spec : SpecsToMeasure(options, in))
    {
        measurements.emplace_back(spec, options.rates);
    }
    const auto add = [&measurements](const float* values, std::size_t count) {
        for (auto& measurement : measurements)
        {
            measurement.Add(values, count);
        }
    };
    const bool inParts = options.codec.empty() || UnitOf(options) == CodedUnit::FRAME;
    ForEachCodedPart(options, inParts, add);
    TextTable table(Titles(options.rates), 1);
    bool exceedsBound = false;
    for (const auto& measurement : measurements)
    {
        table.AddRow(measurement.Row());
        exceedsBound |= measurement.ExceedsBound();
    }
    fmt::print("{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n\n{}{}",
               options.in,
               in.Count(),
               HumanBytes(in.Count() * sizeof(float)),
               measurements.front().NonFiniteValues(),
               table.Text(),
               exceedsBound ? BOUND_NOTE : "");
}

/** Adds `inca codec measure`. */
void
AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command =
        *codec.add_subcommand("measure", "what codecs make of a file: widths, ratio and errors");
    const OptionAdder add(command);
    add("--codec CODEC", options->codec, "a name of `inca codec list`; else all that code frames");
    AddCodecOptions(command, *options);
    command.add_flag("--rates",
                     options->rates,
                     "how fast this machine encodes and decodes, on one core, in plain fp32 bytes");
    command.add_option("IN", options->in, CODEC_INPUT)->required();
    command.callback([options] { MeasureCodecs(*options); });
}

/** With three digits after the point, and so no more than it is. */
double
CutOff(double ratio)
{
    constexpr double thousand = 1000;
    return std::floor(ratio * thousand) / thousand;
}

/** "; at this density a ratio is safe ... up to 7.81 ..." */
std::string
SafeRatioText(std::uint32_t rows, double density)
{
    const auto safe = LargestSafeRatio(rows, density);
    return safe ? fmt::format(
                      "; at this density a ratio is safe ({:g} % at most) up to {:g} for {} rows",
                      g_safeLeftShare * g_percent,
                      CutOff(*safe),
                      rows)
                : fmt::format("; at this density no ratio is safe for {} rows", rows);
}

/** @return the share of the rows' values that are marked; 0 if there are no rows */
double
ShareOfRows(std::uint64_t marked, const HomomorphicShape& shape)
{
    return shape.rows == 0 ? 0
                           : static_cast<double>(marked) / static_cast<double>(shape.RowValues());
}

/**
 * Prints what the stream is like and how decoding it will go, and warns where it will not be lossless.
 * @param density as a decoder finds it
 */
void
PrintShape(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density)
{
    const auto forecast = ForecastFound(shape, density);
    const auto left = forecast.figures.leftShare;
    fmt::print(
        "ratio {}, index {}: {} rows of {}, {} counter rows, {} values behind the rows\n"
        "density as a decoder finds it {:.4g} %, load {:.3f}: {:.3g} % of the set values are "
        "expected to be estimated\n",
        DecimalText(settings.ratio),
        HomomorphicIndexName(settings.index),
        shape.rows,
        g_sketchLanes,
        shape.counterRows,
        shape.tail,
        density * g_percent,
        forecast.load,
        left * g_percent);
    if (left > g_safeLeftShare)
    {
        Warn({fmt::format("ratio {} is not safe: at a load (set values per lane / counter rows) of "
                          "{:.3f}, decoding is expected to estimate {:.3g} % of the set values{}",
                          DecimalText(settings.ratio),
                          forecast.load,
                          left * g_percent,
                          SafeRatioText(shape.rows, density))});
    }
}

/** Says afterwards that decoding was not lossless. */
void
WarnOfEstimates(const PeelingReport& report, const HomomorphicShape& shape)
{
    if (report.estimated == 0)
    {
        return;
    }
    const auto marked = report.peeled + report.estimated;
    const auto density = ShareOfRows(marked, shape);
    Warn({fmt::format("{} of {} set values ({:.3g} %) could not be decoded and were estimated: the "
                      "load (set values per lane / counter rows) is {:.3f}{}",
                      report.estimated,
                      marked,
                      static_cast<double>(report.estimated) / static_cast<double>(marked) *
                          g_percent,
                      ForecastFound(shape, density).load,
                      SafeRatioText(shape.rows, density))});
}

/** @throws InputError that names the file unless it has as many bytes as a stream of @p bucket */
void
CheckStream(const std::string& path, std::size_t bytes, const HomomorphicBucket& bucket)
{
    const auto right = bucket.Shape().Bytes();
    if (bytes != right)
    {
        throw InputError(fmt::format("{}: has {} bytes, but a stream of --elements, --ratio and "
                                     "--index as given has {}",
                                     path,
                                     bytes,
                                     right));
    }
}

/** Does @p step, which reads @p path: what it complains about names the file. */
template <class Step>
void
ReadNamed(const std::string& path, Step step)
{
    try
    {
        step();
    }
    catch (const InputError& error)
    {
        throw InputError(path + ": " + error.what());
    }
}

void
EncodeValues(const CodecOptions& options)
{
    if (options.unionDensity)
    {
        throw InputError("--union-density is no argument of codec '" + options.codec + "'");
    }
    const auto codec = MakeCodec(SpecOf(options));
    AtomicFile out(options.out);
    std::uint64_t values = 0;
    std::uint64_t wireBytes = 0;
    std::vector<std::uint8_t> stream;
    const bool inParts = UnitOf(options) == CodedUnit::FRAME;
    ForEachCodedPart(options, inParts, [&](const float* part, std::size_t count) {
        stream.clear();
        codec->Encode(part, count, stream);
        out.Write(stream.data(), stream.size());
        values += count;
        wireBytes += stream.size();
    });
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, values, wireBytes);
}

/** Warns if the values, or their union as --union-density says it, are too dense for the ratio. */
void
EncodeBucket(const CodecOptions& options)
{
    const FloatFile in(options.in);
    const auto density = options.unionDensity.value_or(DensityOf(in.Data(), in.Count()));
    const auto settings = ChosenSettings(options, in.Count(), density);
    const HomomorphicBucket bucket(settings, in.Count());
    const auto found = FoundDensity(settings, density);
    std::vector<std::uint8_t> stream;
    bucket.Encode(in.Data(), stream);
    AtomicFile out(options.out);
    out.Write(stream.data(), stream.size());
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, in.Count(), stream.size());
    PrintShape(settings, bucket.Shape(), found);
}

/** Writes the values that @p decode makes of the stream. */
template <class Decode>
void
WriteDecoded(const CodecOptions& options, const MappedFile& in, Decode decode)
{
    AtomicFile out(options.out);
    const auto bytes = options.elements * sizeof(float);
    auto* values = static_cast<float*>(out.Map(bytes));
    ReadNamed(options.in, [&] { decode(in.Data(), in.Bytes(), values); });
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, options.elements, bytes);
}

void
DecodeValues(const CodecOptions& options)
{
    const auto spec = SpecOf(options);
    const auto codec = MakeCodec(spec);
    const MappedFile in(options.in);
    if (options.elements / FindCodec(spec.name).mostValuesPerByte > in.Bytes())
    {
        throw InputError(
            fmt::format("{} bytes cannot hold --elements {}", in.Bytes(), options.elements));
    }
    WriteDecoded(options, in, [&](const auto* stream, std::size_t bytes, float* values) {
        codec->Decode(stream, bytes, values, options.elements);
    });
}

/** Warns if values had to be estimated. */
void
DecodeBucket(const CodecOptions& options)
{
    const HomomorphicBucket bucket(GivenSettings(options), options.elements);
    const MappedFile in(options.in);
    CheckStream(options.in, in.Bytes(), bucket);
    PeelingReport report;
    WriteDecoded(options, in, [&](const auto* stream, std::size_t bytes, float* values) {
        report = bucket.Decode(stream, bytes, values);
    });
    fmt::print("{} values decoded, {} estimated, {} rounds; {} of {} lanes decoded\n",
               report.peeled,
               report.estimated,
               report.rounds,
               report.decodedLanes,
               g_sketchLanes);
    WarnOfEstimates(report, bucket.Shape());
}

/** Puts the sum of all streams to @p sum, in the order given: over fp32 it decides the rounding. */
void
AddStreams(const HomomorphicBucket& bucket,
           const std::vector<std::string>& paths,
           std::uint8_t* sum)
{
    const auto counters = bucket.Shape().indexBytes;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        ThrowIfInterrupted();
        const MappedFile stream(paths[i]);
        CheckStream(paths[i], stream.Bytes(), bucket);
        if (i == 0)
        {
            std::copy_n(stream.Data(), stream.Bytes(), sum);
            continue;
        }
        ReadNamed(paths[i], [&] { bucket.AddIndex(stream.Data(), sum); });
        bucket.AddCounters(stream.Data() + counters, sum + counters);
    }
}

/** Adds streams of the same shape without decoding them. */
void
AddBuckets(const CodecOptions& options)
{
    const auto settings = GivenSettings(options);
    auto paths = options.streams;
    const auto outPath = paths.back();
    paths.pop_back();
    CheckWorkers(settings.index, static_cast<std::uint32_t>(paths.size()));
    const HomomorphicBucket bucket(settings, options.elements);
    const auto& shape = bucket.Shape();
    CheckStream(paths.front(), MappedFile(paths.front()).Bytes(), bucket);
    AtomicFile out(outPath);
    auto* sum = static_cast<std::uint8_t*>(out.Map(shape.Bytes()));
    AddStreams(bucket, paths, sum);
    const auto found = ShareOfRows(bucket.CountMarked(sum), shape);
    out.Finish();
    fmt::print("{}: {} streams, {} bytes\n", outPath, paths.size(), shape.Bytes());
    PrintShape(settings, shape, found);
}

void
Add(const CodecOptions& options)
{
    if (UnitOf(options) != CodedUnit::BUCKET)
    {
        throw InputError("codec '" + options.codec +
                         "': its streams cannot be added; those of 'homomorphic' can");
    }
    constexpr std::size_t fewestFiles = 3;
    if (options.streams.size() < fewestFiles)
    {
        throw InputError("add: needs two streams or more, and a file for their sum");
    }
    AddBuckets(options);
}

void
List()
{
    static const std::map<CodedUnit, const char*> units{{CodedUnit::FRAME, "frames"},
                                                        {CodedUnit::MESSAGE, "messages"},
                                                        {CodedUnit::BUCKET, "buckets"}};
    for (const auto& entry : CodecCatalog())
    {
        fmt::print("{:<20}{:<10}{}\n", entry.name, units.at(entry.unit), entry.meaning);
    }
}

/** Adds a command that codes IN to OUT. */
CLI::App&
AddCoding(CLI::App& codec, CodecOptions& options, const char* name, const char* meaning)
{
    auto& command = *codec.add_subcommand(name, meaning);
    const OptionAdder add(command);
    add("--codec CODEC", options.codec, "a name of `inca codec list`")->required();
    AddCodecOptions(command, options, name == std::string("add"));
    return command;
}

void
AddElements(CLI::App& command, CodecOptions& options)
{
    const OptionAdder add(command);
    constexpr std::uint64_t most = 1ULL << 42U; // as of a trace
    const auto parse = [](const std::string& text) { return WholeForm({0, most}).parse(text); };
    const auto* meaning = "the number of values in the stream";
    add("--elements N", options.elements, parse, meaning)->required();
}

} // namespace

void
AddCodecCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto& codec = *app.add_subcommand("codec", "codecs on real files");
    codec.require_subcommand(1);
    const auto options = std::make_shared<CodecOptions>();
    codec.add_subcommand("list", "the codecs, and whether they code frames, messages or buckets")
        ->callback(List);

    auto& encode = AddCoding(codec, *options, "encode", "fp32 values to a codec's stream");
    OptionAdder{encode}(
        "--union-density SHARE",
        options->unionDensity,
        [](const auto& text) {
            return DecimalForm({0, 1}).parse(text);
        },
        "homomorphic: share of values set in the sum to come; by default this file's");
    encode.add_option("IN", options->in, CODEC_INPUT)->required();
    encode.add_option("OUT", options->out, "the stream")->required();
    encode.callback([options] {
        UnitOf(*options) == CodedUnit::BUCKET ? EncodeBucket(*options) : EncodeValues(*options);
    });

    auto& decode = AddCoding(codec, *options, "decode", "a codec's stream to raw fp32 values");
    AddElements(decode, *options);
    decode.add_option("IN", options->in, "the stream")->required();
    decode.add_option("OUT", options->out, "raw little-endian fp32")->required();
    decode.callback([options] {
        UnitOf(*options) == CodedUnit::BUCKET ? DecodeBucket(*options) : DecodeValues(*options);
    });

    auto& add = AddCoding(codec, *options, "add", "streams to the stream of their sum, undecoded");
    AddElements(add, *options);
    add.add_option("STREAM... OUT", options->streams, "two or more, and where the sum goes")
        ->required()
        ->type_name("FILE");
    add.callback([options] { Add(*options); });
    AddCodecMeasure(codec, options);
}

} // namespace inca
