/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/network-reduction.h"

#include "base/errors.h"
#include "base/integer-scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace inca
{

namespace
{

using WorkerArrays = std::vector<const Word*>;

/** The sum that integer switches make of fp32 values. */
class IntegerSum
{
  public:
    explicit IntegerSum(const ReductionSpec& spec)
        : m_spec(spec)
    {
    }

    void operator()(const WorkerArrays& perWorker, std::uint64_t count, Word* sum) const
    {
        if (perWorker.size() > m_spec.workers)
        {
            throw InvariantError("more workers than the scale is for, whose sum may not fit");
        }
        std::vector<Word> room;
        for (std::uint64_t begin = 0; begin < count; begin += m_spec.valuesPerPacket)
        {
            const auto values = std::min<std::uint64_t>(m_spec.valuesPerPacket, count - begin);
            AddBlock(perWorker, {begin, values}, room, sum);
        }
    }

    float Largest() const
    {
        // an exponent of a block's own is that of its largest finite value: what is left is not finite
        constexpr std::int16_t ofLargest = 128;
        return Scale(m_spec.fixedExponent.value_or(ofLargest)).Largest();
    }

  private:
    /** No sum wraps: that is what the scale is for. */
    void AddBlock(const WorkerArrays& perWorker,
                  ElementRange block,
                  std::vector<Word>& room,
                  Word* sum) const
    {
        const auto scale = Scale(Exponent(perWorker, block));
        auto* const sums = sum + block.begin;
        std::fill_n(sums, block.count, 0U);
        for (const auto* values : perWorker)
        {
            room.assign(values + block.begin, values + block.End());
            scale.Round(room.data(), block.count);
            WordSum::INT32.add(room.data(), sums, sums, block.count);
        }
        scale.Restore(sums, block.count);
    }

    std::int16_t Exponent(const WorkerArrays& perWorker, ElementRange block) const
    {
        auto exponent = m_spec.fixedExponent.value_or(NO_EXPONENT);
        for (const auto* values : perWorker)
        {
            if (!m_spec.fixedExponent)
            {
                exponent = std::max(exponent, LargestExponent(values + block.begin, block.count));
            }
        }
        return exponent;
    }

    IntegerScale Scale(std::int16_t exponent) const
    {
        return {m_spec.workers, exponent, m_spec.adder.sum->largestInteger};
    }

    ReductionSpec m_spec;
};

/** What switches make of words, in one of the orders that they may take; terms of fewer bits are rounded before. */
NetworkReduction
SumInOrderOfWorkers(WordSum wordSum)
{
    const auto add = [wordSum](const WorkerArrays& perWorker, std::uint64_t count, Word* sum) {
        const auto round = wordSum.term->round;
        std::vector<Word> room;
        for (std::size_t worker = 0; worker < perWorker.size(); ++worker)
        {
            const auto* term = perWorker[worker];
            if (round != nullptr)
            {
                room.assign(term, term + count);
                ChangeFloats(count, room.data(), round);
                term = room.data();
            }
            worker == 0 ? void(std::copy_n(term, count, sum)) : wordSum.add(term, sum, sum, count);
        }
    };
    return {add, 1, {}, wordSum.isExact};
}

/** The same of values that may be rounded before they are sent. */
NetworkReduction
SumOfFloats(const ReductionSpec& spec)
{
    auto reduction = SumInOrderOfWorkers(spec.adder);
    if (!spec.adder.IsWide())
    {
        reduction.largest = spec.adder.term->largest;
        reduction.isSum = [spec](double held, double sum, double magnitude) {
            return IsSumOfRounded({spec.adder, spec.workers}, held, sum, magnitude);
        };
    }
    return reduction;
}

/** How switches with @p adder add words that are asked to be added as @p words. */
WordSum
SumOfWords(WordSum adder, WordSum words)
{
    if (words == WordSum::FP32 || (words != WordSum::OR && adder == WordSum::FP32))
    {
        throw InvariantError(std::string("a network that adds ") + adder.name +
                             " cannot take words that are to be added as " + words.name);
    }
    return words == WordSum::OR ? words : adder;
}

} // namespace

ReductionCounts
SumsOf(const ReductionCounts& sums, bool inNodes)
{
    ReductionCounts some;
    std::copy_if(sums.begin(), sums.end(), std::inserter(some, some.end()), [inNodes](auto& one) {
        return one.first.inNodes == inNodes;
    });
    return some;
}

bool
IsSumOfRounded(const RoundedSum& of, double held, double sum, double magnitude)
{
    constexpr double slack = 1 + 1.0 / (1U << 20U);
    const auto& term = *of.adder.term;
    const auto& whole = *of.adder.sum;
    double error = 0;
    bool mayOverflow = false;
    for (std::uint32_t level = 0; level < of.levels; ++level)
    {
        const auto rounding = term.unitRoundoff * magnitude + of.workers * term.halfStep;
        const auto terms = std::min(magnitude + rounding, of.workers * double{term.largest});
        const auto adding = (of.workers - 1.0) * whole.unitRoundoff * terms;
        const auto clamping = term.saturates ? std::max(magnitude - term.largest, 0.0) : 0;
        error += rounding + adding + clamping;
        magnitude = terms + adding;
        mayOverflow = mayOverflow || !(magnitude * slack < whole.largest);
    }
    return mayOverflow || std::fabs(held - sum) <= error * slack;
}

NetworkReduction
MakeNetworkReduction(const ReductionSpec& spec)
{
    if (spec.valuesPerPacket == 0)
    {
        throw InvariantError("a packet needs a value");
    }
    if (spec.words)
    {
        return SumInOrderOfWorkers(SumOfWords(spec.adder, *spec.words));
    }
    if (!spec.adder.isExact)
    {
        return SumOfFloats(spec);
    }
    const IntegerSum sum(spec);
    return {sum, spec.valuesPerPacket, sum.Largest()};
}

} // namespace inca
