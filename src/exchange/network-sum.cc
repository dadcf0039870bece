/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/network-sum.h"

#include "base/errors.h"
#include "exchange/adder.h"
#include "exchange/block-scale.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using WorkerValues = std::vector<const float*>;

std::int32_t
Narrow(std::int64_t sum)
{
    if (sum < std::numeric_limits<std::int32_t>::min() ||
        sum > std::numeric_limits<std::int32_t>::max())
    {
        throw InvariantError("a sum of quantised values, " + std::to_string(sum) +
                             ", does not fit int32");
    }
    return static_cast<std::int32_t>(sum);
}

/** The sum that integer switches make. */
class IntegerSum
{
  public:
    IntegerSum(Rank workers, std::uint64_t block, std::optional<std::int16_t> fixedExponent)
        : m_scale(workers),
          m_block(block),
          m_fixedExponent(fixedExponent)
    {
    }

    void operator()(const WorkerValues& perWorker, std::uint64_t count, float* sum) const
    {
        for (std::uint64_t begin = 0; begin < count; begin += m_block)
        {
            AddBlock(perWorker, {begin, std::min(m_block, count - begin)}, sum);
        }
    }

  private:
    void AddBlock(const WorkerValues& perWorker, ElementRange block, float* sum) const
    {
        const auto exponent = Exponent(perWorker, block);
        std::vector<std::int64_t> sums(block.count, 0);
        for (const auto* values : perWorker)
        {
            AddQuantised(values + block.begin, exponent, sums);
        }
        std::vector<std::int32_t> integers(sums.size());
        std::transform(sums.begin(), sums.end(), integers.begin(), Narrow);
        std::vector<std::uint8_t> bytes(integers.size() * sizeof(integers[0]));
        std::memcpy(bytes.data(), integers.data(), bytes.size());
        m_scale.Restore(bytes.data(), block.count, exponent, sum + block.begin);
    }

    std::int16_t Exponent(const WorkerValues& perWorker, ElementRange block) const
    {
        auto exponent = m_fixedExponent.value_or(NO_EXPONENT);
        for (const auto* values : perWorker)
        {
            if (!m_fixedExponent)
            {
                exponent = std::max(exponent, ExponentOf(values + block.begin, block.count));
            }
        }
        return exponent;
    }

    void AddQuantised(const float* values,
                      std::int16_t exponent,
                      std::vector<std::int64_t>& sums) const
    {
        std::vector<std::uint8_t> bytes;
        m_scale.Quantise(values, sums.size(), exponent, bytes);
        for (std::size_t i = 0; i < sums.size(); ++i)
        {
            std::int32_t integer = 0;
            std::memcpy(&integer, bytes.data() + i * sizeof(integer), sizeof(integer));
            sums[i] += integer;
        }
    }

    BlockScale m_scale;
    std::uint64_t m_block;
    std::optional<std::int16_t> m_fixedExponent;
};

/** One of the sums that floating-point switches may make. */
void
AddFloats(const WorkerValues& perWorker, std::uint64_t count, float* sum)
{
    std::copy_n(perWorker.front(), count, sum);
    for (std::size_t worker = 1; worker < perWorker.size(); ++worker)
    {
        for (std::uint64_t i = 0; i < count; ++i)
        {
            sum[i] += perWorker[worker][i];
        }
    }
}

/** One of the sums that saturating switches may make; the only one if nothing saturates. */
void
AddSaturating(const float* term, float* held, std::uint64_t count)
{
    using Limits = std::numeric_limits<std::int32_t>;
    for (std::uint64_t i = 0; i < count; ++i)
    {
        std::array<std::int32_t, 2> words{};
        std::memcpy(&words[0], term + i, sizeof(words[0]));
        std::memcpy(&words[1], held + i, sizeof(words[1]));
        const auto sum = std::int64_t{words[0]} + words[1];
        const auto word =
            static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, Limits::min(), Limits::max()));
        std::memcpy(held + i, &word, sizeof(word));
    }
}

using AddTerm = std::function<void(const float* term, float* held, std::uint64_t count)>;

AddTerm
TermAdder(const std::string& adder, WordSum words)
{
    const bool integers = words == WordSum::INT32;
    if (words == WordSum::FP32 || (integers && !MakeAdder(adder)->IsExact()))
    {
        throw InvariantError("a network that adds " + adder + " cannot take these words");
    }
    if (integers && adder == "int32-saturating")
    {
        return AddSaturating;
    }
    return [words](const float* term, float* held, std::uint64_t count) {
        AddWords(words, term, held, count);
    };
}

/** What switches make of words. */
NetworkSum
SumOfWords(AddTerm addTerm)
{
    return {
        [add = std::move(addTerm)](const WorkerValues& perWorker, std::uint64_t count, float* sum) {
            std::memcpy(sum, perWorker.front(), count * sizeof(float));
            for (std::size_t worker = 1; worker < perWorker.size(); ++worker)
            {
                add(perWorker[worker], sum, count);
            }
        },
        1};
}

} // namespace

NetworkSum
MakeNetworkSum(const NetworkSumSpec& spec)
{
    if (spec.valuesPerPacket == 0)
    {
        throw InvariantError("a packet needs a value");
    }
    if (spec.words)
    {
        return SumOfWords(TermAdder(spec.adder, *spec.words));
    }
    if (!MakeAdder(spec.adder)->IsExact())
    {
        return {AddFloats, 1};
    }
    std::optional<std::int16_t> exponent;
    if (spec.scaling == "fixed")
    {
        exponent = static_cast<std::int16_t>(spec.fixedExponent);
    }
    return {IntegerSum(spec.workers, spec.valuesPerPacket, exponent), spec.valuesPerPacket};
}

} // namespace inca
