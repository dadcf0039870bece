/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-text.h"
#include "scenario/key-makers.h"
#include "scenario/specs.h"

namespace inca
{

namespace
{

constexpr ValueRange<double> g_ratio{0.5, 1'000'000};
constexpr ValueRange<std::uint64_t> g_hashes{1, 16};
constexpr ValueRange<double> g_share{0, 1};

std::string
WhyNoBloom(const Scenario& s)
{
    const auto other = WhyNoSketch(s);
    return other.empty() && s.codec.index != "bloom" ? "codec.index is " + s.codec.index : other;
}

Key
RatioKey()
{
    auto key = DecimalKey(
        {"codec.ratio",
         "ratio",
         "homomorphic: rows of values per row of counters; safe: what each bucket bears"},
        g_ratio,
        [](auto& s) -> auto& { return s.codec.ratio; });
    key.type = ValueType::NUMBER_OR_NAME;
    key.text = [](const Scenario& s) { return DecimalText(s.codec.ratio); };
    key = OrName(
        key,
        "safe",
        [](Scenario& s) { s.codec.ratio.reset(); },
        [](const Scenario& s) { return !s.codec.ratio; });
    key.columnText = key.text;
    return IdleWhen(WhyNoSketch, key);
}

Key
SafeLeftKey()
{
    const auto why = [](const Scenario& s) {
        const auto other = WhyNoSketch(s);
        return other.empty() && s.codec.ratio ? std::string("codec.ratio is a number") : other;
    };
    return IdleWhen(why,
                    DecimalKey(
                        {"codec.safe_left",
                         "safe_left",
                         "safe: share of a bucket's set values that may be expected to be "
                         "estimated; 0: it is expected to decode"},
                        g_share,
                        [](auto& s) -> auto& { return s.codec.safeLeft; }));
}

std::vector<Key>
IndexKeys()
{
    return {
        IdleWhen(WhyNoSketch,
                 NameKey(
                     {"codec.index",
                      "index",
                      "homomorphic: how workers say which values are not 0; bits-4 is added, "
                      "others are or-ed"},
                     HomomorphicIndexNames(),
                     [](auto& s) -> auto& { return s.codec.index; })),
        IdleWhen(WhyNoBloom,
                 SomeShareKey(
                     {"codec.bloom_bits",
                      "bloom_bits_per_value",
                      "bloom: size of the filters, in bits per value"},
                     [](auto& s) -> auto& { return s.codec.bloomBits; })),
        IdleWhen(WhyNoBloom,
                 IntegerKey(
                     {"codec.bloom_hashes", "bloom_hashes", "bloom: bits that a value sets"},
                     g_hashes,
                     [](auto& s) -> auto& { return s.codec.bloomHashes; })),
    };
}

} // namespace

std::string
WhyNoSketch(const Scenario& scenario)
{
    return HasSketch(scenario) ? "" : "codec.name is " + scenario.codec.name;
}

std::vector<Key>
HomomorphicKeys()
{
    const auto rounds = NameKey(
        {"codec.rounds",
         "rounds",
         "homomorphic: sketches leave when the index is back, or do not wait for it"},
        {"dependent", "overlapped"},
        [](auto& s) -> auto& { return s.codec.rounds; });
    const auto skipDensity = SomeShareKey(
        {"codec.skip_density",
         "skip_density",
         "homomorphic: layers at least so dense travel as they are; not given: all are coded"},
        [](auto& s) -> auto& { return s.codec.skipDensity; });
    return JoinKeys({{RatioKey(), SafeLeftKey()},
                     IndexKeys(),
                     {IdleWhen(WhyNoSketch, rounds), IdleWhen(WhyNoSketch, skipDensity)}});
}

} // namespace inca
