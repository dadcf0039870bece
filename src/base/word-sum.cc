/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word-sum.h"

#include "base/errors.h"
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

constexpr const WordSum* g_adders[] = {&WordSum::INT32, &WordSum::INT32_SATURATING, &WordSum::FP32};

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

} // namespace

const WordSum WordSum::FP32{"fp32", AddAll<float, std::plus<>>, false};
// unsigned: an overflow of int32 would be undefined
const WordSum WordSum::INT32{"int32", AddAll<std::uint32_t, std::plus<>>, true};
const WordSum WordSum::INT32_SATURATING{
    "int32-saturating", AddAll<std::int32_t, SaturatingPlus>, true};
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
