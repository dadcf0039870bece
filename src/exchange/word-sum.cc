/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/word-sum.h"

#include <cstring>

namespace inca
{

namespace
{

std::uint32_t
BitsAt(const float* word)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, word, sizeof(bits));
    return bits;
}

template <typename Sum>
void
AddBits(const float* term, float* held, std::uint64_t count, Sum sum)
{
    for (std::uint64_t i = 0; i < count; ++i)
    {
        const std::uint32_t bits = sum(BitsAt(term + i), BitsAt(held + i));
        std::memcpy(held + i, &bits, sizeof(bits));
    }
}

} // namespace

void
AddWords(WordSum sum, const float* term, float* held, std::uint64_t count)
{
    switch (sum)
    {
    case WordSum::FP32:
        for (std::uint64_t i = 0; i < count; ++i)
        {
            held[i] = term[i] + held[i];
        }
        return;
    case WordSum::INT32:
        AddBits(term, held, count, [](std::uint32_t a, std::uint32_t b) { return a + b; });
        return;
    case WordSum::OR:
        AddBits(term, held, count, [](std::uint32_t a, std::uint32_t b) { return a | b; });
        return;
    }
}

} // namespace inca
