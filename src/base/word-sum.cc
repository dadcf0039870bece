/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word-sum.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace inca
{

namespace
{

/** So many words are added at once: enough for any vector unit. */
constexpr std::size_t g_lanes = 8;

constexpr std::array<WordSum, 3> g_adders{WordSum::INT32, WordSum::INT32_SATURATING, WordSum::FP32};

/** out = term (+) held, over @p Count words anywhere; copies let the compiler use vectors. */
template <typename Value, std::size_t Count, typename Operation>
void
AddSome(const std::uint8_t* term, const std::uint8_t* held, std::uint8_t* out, Operation operation)
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
AddAll(const std::uint8_t* term,
       const std::uint8_t* held,
       std::uint8_t* out,
       std::size_t count,
       Operation operation)
{
    static_assert(sizeof(Value) == sizeof(Word), "a word's bits are read as a value");
    std::size_t i = 0;
    for (; i + g_lanes <= count; i += g_lanes)
    {
        const auto at = i * sizeof(Word);
        AddSome<Value, g_lanes>(term + at, held + at, out + at, operation);
    }
    for (; i < count; ++i)
    {
        const auto at = i * sizeof(Word);
        AddSome<Value, 1>(term + at, held + at, out + at, operation);
    }
}

std::int32_t
AddSaturating(std::int32_t left, std::int32_t right)
{
    using Limits = std::numeric_limits<std::int32_t>;
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(std::int64_t{left} + right, Limits::min(), Limits::max()));
}

void
AddBytes(WordSum sum,
         const std::uint8_t* term,
         const std::uint8_t* held,
         std::uint8_t* out,
         std::size_t count)
{
    switch (sum)
    {
    case WordSum::FP32:
        AddAll<float>(term, held, out, count, std::plus<>());
        return;
    case WordSum::INT32: // unsigned: an overflow of int32 would be undefined
        AddAll<std::uint32_t>(term, held, out, count, std::plus<>());
        return;
    case WordSum::INT32_SATURATING:
        AddAll<std::int32_t>(term, held, out, count, AddSaturating);
        return;
    case WordSum::OR:
        AddAll<std::uint32_t>(term, held, out, count, std::bit_or<>());
        return;
    }
}

} // namespace

void
AddWordBytes(WordSum sum, const std::uint8_t* term, std::uint8_t* held, std::size_t count)
{
    AddBytes(sum, term, held, held, count);
}

void
AddWords(WordSum sum, const Word* term, const Word* held, Word* out, std::size_t count)
{
    AddBytes(sum,
             reinterpret_cast<const std::uint8_t*>(term),
             reinterpret_cast<const std::uint8_t*>(held),
             reinterpret_cast<std::uint8_t*>(out),
             count);
}

void
AddWords(WordSum sum, const Word* term, Word* held, std::size_t count)
{
    AddWords(sum, term, held, held, count);
}

bool
IsExact(WordSum sum)
{
    return sum != WordSum::FP32;
}

const char*
NameOf(WordSum sum)
{
    switch (sum)
    {
    case WordSum::FP32:
        return "fp32";
    case WordSum::INT32:
        return "int32";
    case WordSum::INT32_SATURATING:
        return "int32-saturating";
    case WordSum::OR:
        break;
    }
    return "or";
}

std::vector<std::string>
AdderNames()
{
    return {NameOf(g_adders[0]), NameOf(g_adders[1]), NameOf(g_adders[2])};
}

WordSum
AdderNamed(const std::string& name)
{
    const auto* const found = std::find_if(
        g_adders.begin(), g_adders.end(), [&name](WordSum sum) { return name == NameOf(sum); });
    if (found == g_adders.end())
    {
        throw InputError("adder: " + UnknownName(name, AdderNames()));
    }
    return *found;
}

} // namespace inca
