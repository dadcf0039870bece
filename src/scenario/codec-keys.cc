/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "base/value-text.h"
#include "scenario/key-makers.h"
#include "scenario/specs.h"

namespace inca
{

namespace
{

/** @return the answer of a key that only those codecs read whose rows name @p argument */
std::function<std::string(const Scenario&)>
OnlyWhereRead(std::string argument)
{
    return [argument = std::move(argument)](const Scenario& s) {
        return CodecReads(s, argument) ? std::string() : "codec.name is " + s.codec.name;
    };
}

/** Both types have 16 bits; only their values differ. */
std::string
WhyNoCast(const Scenario& s)
{
    const auto other = OnlyWhereRead("cast")(s);
    return other.empty() && !s.training.values ? "only sizes travel (training.values is false)"
                                               : other;
}

std::string
WhyNoCodec(const Scenario& s)
{
    return HasCodec(s) ? "" : "codec.name is none";
}

Key
PlacementKey()
{
    auto key = NameKey(
        {"codec.placement",
         "placement",
         "where the codec runs; cpu and gpu differ by their rates only; not given: nic, "
         "homomorphic: gpu"},
        {"nic", "cpu", "gpu"},
        [](auto& s) -> auto& { return s.codec.placement; });
    key.columnText = Placement;
    key.classes = {{"inca::CompressionEngine", "inca::DecompressionEngine"}, WhyNoEngine};
    return IdleWhen(WhyNoCodec, key);
}

std::string
WhyNoRate(const Scenario& s)
{
    return HasCodec(s) && !HasHostCodec(s) ? "a codec on the nic is as fast as its engine"
                                           : WhyNoCodec(s);
}

Key
BoundKey()
{
    return {"codec.bound",
            "bound_bits",
            "inceptionn: the bound 2^-B; from B = 8 on errors reach 2^-7",
            ValueType::TEXT,
            "2^-1..2^-15",
            [](Scenario& s, std::string_view text) { s.codec.bound = ParseBound(text); },
            [](const Scenario& s) { return FormatBound(s.codec.bound); },
            [](const Scenario& s) { return std::to_string(s.codec.bound); },
            OnlyWhereRead("bound")};
}

Key
DropBitsKey()
{
    auto key = IntegerKey(
        {"codec.drop_bits", "drop_bits", "truncate: low bits that do not travel"}, {0, 0}, [
        ](auto& s) -> auto& { return s.codec.dropBits; });
    key.values = "16, 22 or 24";
    key.set = [](Scenario& s, std::string_view text) {
        if (text != "16" && text != "22" && text != "24")
        {
            throw UnitError("must be 16, 22 or 24, got '" + std::string(text) + "'");
        }
        s.codec.dropBits = static_cast<unsigned>(ParseInteger(text, 16, 24));
    };
    return IdleWhen(OnlyWhereRead("drop-bits"), key);
}

/** What says how fast a codec is on a host. */
std::vector<Key>
RateKeys()
{
    return {
        IdleWhen(WhyNoRate,
                 Sets({"inca::RankApplication::EncodeRate"},
                      g_byteRateAttribute,
                      RateKey(
                          {"codec.encode_rate",
                           "encode_rate_bytes_per_s",
                           "plain fp32 bytes encoded per second; homomorphic on gpu needs none"},
                          g_byteRate,
                          "",
                          [](auto& s) -> auto& { return s.codec.encodeBytesPerSecond; }))),
        IdleWhen(WhyNoRate,
                 Sets({"inca::RankApplication::DecodeRate"},
                      g_byteRateAttribute,
                      RateKey(
                          {"codec.decode_rate",
                           "decode_rate_bytes_per_s",
                           "plain fp32 bytes decoded per second; homomorphic on gpu needs none"},
                          g_byteRate,
                          "",
                          [](auto& s) -> auto& { return s.codec.decodeBytesPerSecond; }))),
    };
}

/** What codecs of frames are told, and where any codec runs. */
std::vector<Key>
CommonKeys()
{
    return {
        NameKey(
            {"codec.name", "codec", "what turns gradients into bytes"},
            CodecNames(),
            [](auto& s) -> auto& { return s.codec.name; }),
        BoundKey(),
        DropBitsKey(),
        IdleWhen(WhyNoCast,
                 NameKey(
                     {"codec.cast_to", "cast_to", "cast: the type that travels"},
                     {"bf16", "fp16"},
                     [](auto& s) -> auto& { return s.codec.castTo; })),
        IdleWhen(WhyNoCast,
                 NameKey(
                     {"codec.sum", "codec_sum", "cast: sums in fp32, or in the wire type"},
                     {"fp32", "wire"},
                     [](auto& s) -> auto& { return s.codec.sum; })),
        PlacementKey(),
    };
}

} // namespace

std::string
WhyNoEngine(const Scenario& s)
{
    return HasHostCodec(s) ? "codec.placement is " + Placement(s) : WhyNoCodec(s);
}

std::vector<Key>
CodecKeys()
{
    return JoinKeys({CommonKeys(), RateKeys(), HomomorphicKeys()});
}

} // namespace inca
