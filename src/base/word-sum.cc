/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word-sum.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/minifloat.h"
#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>

namespace inca
{

namespace
{

/** So many words are added at once: enough for any vector unit. */
constexpr std::size_t g_lanes = 8;

constexpr const WordSum* g_adders[] = {&WordSum::INT32,
                                       &WordSum::INT32_SATURATING,
                                       &WordSum::INT16,
                                       &WordSum::INT8,
                                       &WordSum::FP32,
                                       &WordSum::FP16,
                                       &WordSum::BF16,
                                       &WordSum::FP8_FP16};

/** out = term (+) held, over @p Count words; copies let the compiler use vectors. */
template <typename Value, std::size_t Count, typename Operation>
void
AddSome(const Word* term, const Word* held, Word* out, Operation operation)
{
    std::array<Value, Count> left;
    std::array<Value, Count> right;
    std::memcpy(left.data(), term, sizeof(left));
    std::memcpy(right.data(), held, sizeof(right));
    for (std::size_t i = 0; i < Count; ++i)
    {
        right[i] = operation(left[i], right[i]);
    }
    std::memcpy(out, right.data(), sizeof(right));
}

template <typename Value, typename Operation>
void
AddAll(const Word* term, const Word* held, Word* out, std::size_t count)
{
    static_assert(sizeof(Value) == sizeof(Word), "a word's bits are read as a value");
    std::size_t i = 0;
    for (; i + g_lanes <= count; i += g_lanes)
    {
        AddSome<Value, g_lanes>(term + i, held + i, out + i, Operation());
    }
    for (; i < count; ++i)
    {
        AddSome<Value, 1>(term + i, held + i, out + i, Operation());
    }
}

struct SaturatingPlus
{
    std::int32_t operator()(std::int32_t left, std::int32_t right) const
    {
        using Limits = std::numeric_limits<std::int32_t>;
        return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(std::int64_t{left} + right, Limits::min(), Limits::max()));
    }
};

/** Of what a narrower integer holds, in its low bits; its sign goes on. */
template <typename Integer>
struct NarrowPlus
{
    Word operator()(Word left, Word right) const
    {
        return static_cast<Word>(static_cast<Integer>(left + right));
    }
};

/** A sum of two such floats in fp32, then rounded, is rounded as if once (sum-errors.h). */
template <void (*RoundTo)(float*, std::size_t)>
void
AddRounded(const Word* term, const Word* held, Word* out, std::size_t count)
{
    AddAll<float, std::plus<>>(term, held, out, count);
    ChangeFloats(count, out, RoundTo);
}

void
RoundToE4m3(float* values, std::size_t count)
{
    static const auto decoded = E4M3.Values();
    std::transform(
        values, values + count, values, [](float value) { return decoded[E4M3.Encode(value)]; });
}

} // namespace

const WordType WordType::INT32{4, std::numeric_limits<std::int32_t>::max()};
const WordType WordType::INT16{2, std::numeric_limits<std::int16_t>::max()};
const WordType WordType::INT8{1, std::numeric_limits<std::int8_t>::max()};
const WordType WordType::FP32{4};
const WordType WordType::FP16{2, 0, RoundToFp16, 65504, 0x1p-11, 0x1p-25};
const WordType WordType::BF16{2, 0, RoundToBf16, 0x1.FEp127F, 0x1p-8, 0x1p-134};
const WordType WordType::E4M3{1, 0, RoundToE4m3, 448, 0x1p-4, 0x1p-10, true};

template <typename Value, typename Operation>
constexpr WordSum
IntegerSum(const char* name, const WordType& type)
{
    return {name, AddAll<Value, Operation>, true, &type, &type};
}

const WordSum WordSum::FP32{"fp32", AddAll<float, std::plus<>>, false};
const WordSum WordSum::FP16{
    "fp16", AddRounded<RoundToFp16>, false, &WordType::FP16, &WordType::FP16};
const WordSum WordSum::BF16{
    "bf16", AddRounded<RoundToBf16>, false, &WordType::BF16, &WordType::BF16};
const WordSum WordSum::FP8_FP16{
    "fp8-fp16", AddRounded<RoundToFp16>, false, &WordType::E4M3, &WordType::FP16};
// unsigned: an overflow of int32 would be undefined
const WordSum WordSum::INT32 = IntegerSum<std::uint32_t, std::plus<>>("int32", WordType::INT32);
const WordSum WordSum::INT32_SATURATING =
    IntegerSum<std::int32_t, SaturatingPlus>("int32-saturating", WordType::INT32);
const WordSum WordSum::INT16 = IntegerSum<Word, NarrowPlus<std::int16_t>>("int16", WordType::INT16);
const WordSum WordSum::INT8 = IntegerSum<Word, NarrowPlus<std::int8_t>>("int8", WordType::INT8);
const WordSum WordSum::OR{"or", AddAll<std::uint32_t, std::bit_or<>>, true};

void
AddWordBytes(const WordSum& sum, const std::uint8_t* term, std::uint8_t* held, std::size_t count)
{
    std::array<Word, g_lanes> left{};
    std::array<Word, g_lanes> right{};
    for (std::size_t done = 0; done < count; done += g_lanes)
    {
        const auto words = std::min(g_lanes, count - done);
        const auto at = done * sizeof(Word);
        std::memcpy(left.data(), term + at, words * sizeof(Word));
        std::memcpy(right.data(), held + at, words * sizeof(Word));
        sum.add(left.data(), right.data(), right.data(), words);
        std::memcpy(held + at, right.data(), words * sizeof(Word));
    }
}

std::vector<std::string>
AdderNames()
{
    std::vector<std::string> names;
    for (const auto* adder : g_adders)
    {
        names.emplace_back(adder->name);
    }
    return names;
}

const WordSum&
AdderNamed(const std::string& name)
{
    for (const auto* adder : g_adders)
    {
        if (name == adder->name)
        {
            return *adder;
        }
    }
    throw InputError("adder: " + UnknownName(name, AdderNames()));
}

} // namespace inca
