/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Codecs on gradient-like data, one core: bytes_per_second counts fp32 bytes, and `of_memcpy` is
 * that over the speed of copying the same fp32 bytes in the same run. The data are AlexNet's at
 * 2^-10, randomly mixed: Table III of INCEPTIONN. Homomorphic compression has data of its own.
 */
#include "base/random.h"
#include "codec/codec-catalog.h"
#include "codec/homomorphic-bucket.h"
#include "codec/inceptionn-widths.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace inca
{

namespace
{

/** 4 MiB of values: more than the second-level cache, as a frame's neighbors in a real gradient. */
constexpr std::size_t g_values = 1U << 20U;

/** Per mille of AlexNet's values at 2^-10 up to each class: 749, 39, 211 and 1. */
constexpr std::uint32_t g_zeroClass = 749;
constexpr std::uint32_t g_byteClass = 788;
constexpr std::uint32_t g_halfClass = 999;

float
ValueWithExponent(std::uint32_t exponent, std::uint32_t signAndMantissa)
{
    const auto bits = (signAndMantissa & 0x807FFFFFU) | (exponent << 23U);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/** Biased exponents of each class at 2^-10: 1..116, 117..121, 122..126, 127 and more. */
std::uint32_t
ExponentFor(std::uint32_t perMille, std::uint32_t draw)
{
    if (perMille < g_zeroClass)
    {
        return 97 + draw % 20;
    }
    if (perMille < g_byteClass)
    {
        return 117 + draw % 5;
    }
    return perMille < g_halfClass ? 122 + draw % 5 : 127;
}

const std::vector<float>&
Gradients()
{
    static const auto values = [] {
        std::mt19937 random(1);
        std::vector<float> drawn(g_values);
        for (auto& value : drawn)
        {
            const auto exponent = ExponentFor(static_cast<std::uint32_t>(random() % 1000),
                                              static_cast<std::uint32_t>(random()));
            value = ValueWithExponent(exponent, static_cast<std::uint32_t>(random()));
        }
        return drawn;
    }();
    return values;
}

/** Copies @p values as fast as this machine does: the best of a few, the first of which also has the memory mapped. (s) */
double
CopySeconds(const std::vector<float>& values)
{
    using Clock = std::chrono::steady_clock;
    constexpr int rounds = 20;
    std::vector<float> copy(values.size());
    auto best = std::chrono::duration<double>::max();
    for (int i = 0; i < rounds; ++i)
    {
        const auto begin = Clock::now();
        std::memcpy(copy.data(), values.data(), values.size() * sizeof(float));
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
        best = std::min<std::chrono::duration<double>>(best, Clock::now() - begin);
    }
    return best.count();
}

/** Runs @p work over all of @p values in each round, and reports its speed. */
template <typename Work>
void
Measure(benchmark::State& state, const Work& work, const std::vector<float>& values = Gradients())
{
    using Clock = std::chrono::steady_clock;
    const auto copySeconds = CopySeconds(values);
    const auto begin = Clock::now();
    for (auto _ : state)
    {
        work();
        benchmark::ClobberMemory();
    }
    const auto seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(float));
    state.SetBytesProcessed(state.iterations() * bytes);
    state.counters["of_memcpy"] = static_cast<double>(state.iterations()) * copySeconds / seconds;
}

void
Copy(benchmark::State& state)
{
    std::vector<float> copy(g_values);
    Measure(state, [&] { std::memcpy(copy.data(), Gradients().data(), g_values * sizeof(float)); });
}

/** The random values that a run makes before there is anything to code. */
void
Draw(benchmark::State& state)
{
    const auto trace =
        std::make_shared<const GradientTrace>(MakeTensorTrace(g_values * sizeof(float)));
    const auto values = MakeRandomValues(trace, {});
    std::vector<float> drawn(g_values);
    Measure(state, [&] { values->Fill(0, 0, g_values, drawn.data()); });
}

void
Encode(benchmark::State& state, const CodecSpec& spec)
{
    const auto codec = MakeCodec(spec);
    std::vector<std::uint8_t> stream;
    Measure(state, [&] {
        stream.clear();
        codec->Encode(Gradients().data(), g_values, stream);
    });
}

void
Decode(benchmark::State& state, const CodecSpec& spec)
{
    const auto codec = MakeCodec(spec);
    std::vector<std::uint8_t> stream;
    codec->Encode(Gradients().data(), g_values, stream);
    std::vector<float> values(g_values);
    Measure(state, [&] { codec->Decode(stream.data(), stream.size(), values.data(), g_values); });
}

void
CountBytes(benchmark::State& state, const CodecSpec& spec)
{
    const auto codec = MakeCodec(spec);
    Measure(state,
            [&] { benchmark::DoNotOptimize(codec->CountBytes(Gradients().data(), g_values)); });
}

/** Payloads of 365 values, as an MTU of 1500 has them: what a simulated frame costs. */
void
CountFrames(benchmark::State& state)
{
    constexpr std::size_t frame = 365;
    Measure(state, [&] {
        for (std::size_t at = 0; at + frame <= g_values; at += frame)
        {
            benchmark::DoNotOptimize(CountWidths(Gradients().data() + at, frame, 10));
        }
    });
}

CodecSpec
Named(const char* name)
{
    CodecSpec spec;
    spec.name = name;
    return spec;
}

// -- homomorphic compression: 2^23 and 2^27 values, one in twenty of them not 0, at ratio 10 -------

constexpr double g_density = 0.05;

/** So many sparse values, and how they are compressed. */
struct SparseBucket
{
    SparseBucket(std::int64_t count, HomomorphicIndex index)
        : values(static_cast<std::size_t>(count)),
          bucket(Settings(index), values.size())
    {
        RandomStream random(1, 0);
        for (auto& value : values)
        {
            value =
                random.Uniform() < g_density ? static_cast<float>(random.Uniform() - 0.5) : 0.0F;
        }
        bucket.Encode(values.data(), stream);
    }

    static HomomorphicSettings Settings(HomomorphicIndex index)
    {
        HomomorphicSettings settings;
        settings.index = index;
        return settings;
    }

    std::vector<float> values;
    HomomorphicBucket bucket;
    std::vector<std::uint8_t> stream;
};

void
EncodeSketch(benchmark::State& state, HomomorphicIndex index)
{
    SparseBucket sparse(state.range(0), index);
    const auto encode = [&] {
        sparse.stream.clear();
        sparse.bucket.Encode(sparse.values.data(), sparse.stream);
    };
    Measure(state, encode, sparse.values);
}

void
DecodeSketch(benchmark::State& state, HomomorphicIndex index)
{
    const SparseBucket sparse(state.range(0), index);
    std::vector<float> values(sparse.values.size());
    const auto decode = [&] {
        sparse.bucket.Decode(sparse.stream.data(), sparse.stream.size(), values.data());
    };
    Measure(state, decode, sparse.values);
}

/** What an aggregator does, per plain byte: or on the index, additions of counters. */
void
AddSketch(benchmark::State& state)
{
    const SparseBucket sparse(state.range(0), HomomorphicIndex::BITS_1);
    auto sum = sparse.stream;
    const auto counters = sparse.bucket.Shape().indexBytes;
    const auto add = [&] {
        sparse.bucket.AddIndex(sparse.stream.data(), sum.data());
        sparse.bucket.AddCounters(sparse.stream.data() + counters, sum.data() + counters);
    };
    Measure(state, add, sparse.values);
}

void
BothSizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->Arg(1 << 23)->Arg(1 << 27)->Unit(benchmark::kMillisecond);
}

BENCHMARK(Copy);
BENCHMARK(Draw);
BENCHMARK_CAPTURE(Encode, inceptionn, Named("inceptionn"));
BENCHMARK_CAPTURE(Decode, inceptionn, Named("inceptionn"));
BENCHMARK_CAPTURE(CountBytes, inceptionn, Named("inceptionn"));
BENCHMARK_CAPTURE(Encode, inceptionn_bounded, Named("inceptionn-bounded"));
BENCHMARK_CAPTURE(Decode, inceptionn_bounded, Named("inceptionn-bounded"));
BENCHMARK(CountFrames);
BENCHMARK_CAPTURE(Encode, none, Named("none"));
BENCHMARK_CAPTURE(Decode, none, Named("none"));
BENCHMARK_CAPTURE(Encode, truncate, Named("truncate"));
BENCHMARK_CAPTURE(Decode, truncate, Named("truncate"));
BENCHMARK_CAPTURE(Encode, cast, Named("cast"));
BENCHMARK_CAPTURE(Decode, cast, Named("cast"));
BENCHMARK_CAPTURE(EncodeSketch, bits_1, HomomorphicIndex::BITS_1)->Apply(BothSizes);
BENCHMARK_CAPTURE(DecodeSketch, bits_1, HomomorphicIndex::BITS_1)->Apply(BothSizes);
BENCHMARK_CAPTURE(EncodeSketch, bits_4, HomomorphicIndex::BITS_4)->Apply(BothSizes);
BENCHMARK_CAPTURE(DecodeSketch, bits_4, HomomorphicIndex::BITS_4)->Apply(BothSizes);
BENCHMARK_CAPTURE(EncodeSketch, bloom, HomomorphicIndex::BLOOM)->Apply(BothSizes);
BENCHMARK_CAPTURE(DecodeSketch, bloom, HomomorphicIndex::BLOOM)->Apply(BothSizes);
BENCHMARK(AddSketch)->Apply(BothSizes);

} // namespace

} // namespace inca

BENCHMARK_MAIN();
