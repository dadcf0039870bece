/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/network-reduction.h"

#include "base/errors.h"
#include "base/integer-scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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
        : m_workers(spec.workers),
          m_block(spec.valuesPerPacket),
          m_fixedExponent(spec.fixedExponent),
          m_largest(spec.adder.sum->largestInteger)
    {
    }

    void operator()(const WorkerArrays& perWorker, std::uint64_t count, Word* sum) const
    {
        if (perWorker.size() > m_workers)
        {
            throw InvariantError("more workers than the scale is for, whose sum may not fit");
        }
        std::vector<Word> room;
        for (std::uint64_t begin = 0; begin < count; begin += m_block)
        {
            AddBlock(perWorker, {begin, std::min(m_block, count - begin)}, room, sum);
        }
    }

    std::uint64_t Misfits(const WorkerArrays& perWorker, std::uint64_t count) const
    {
        // an exponent of a block's own is that of its largest finite value: what is left is not finite
        constexpr std::int16_t ofLargest = 128;
        const IntegerScale scale(m_workers, m_fixedExponent.value_or(ofLargest), m_largest);
        std::uint64_t misfits = 0;
        for (const auto* values : perWorker)
        {
            misfits += scale.CountMisfits(values, count);
        }
        return misfits;
    }

  private:
    /** No sum wraps: that is what the scale is for. */
    void AddBlock(const WorkerArrays& perWorker,
                  ElementRange block,
                  std::vector<Word>& room,
                  Word* sum) const
    {
        const IntegerScale scale(m_workers, Exponent(perWorker, block), m_largest);
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
        auto exponent = m_fixedExponent.value_or(NO_EXPONENT);
        for (const auto* values : perWorker)
        {
            if (!m_fixedExponent)
            {
                exponent = std::max(exponent, LargestExponent(values + block.begin, block.count));
            }
        }
        return exponent;
    }

    Rank m_workers;
    std::uint64_t m_block;
    std::optional<std::int16_t> m_fixedExponent;
    std::int32_t m_largest;
};

/** What switches make of words as they are, in one of the orders that they may take. */
NetworkReduction
SumInOrderOfWorkers(WordSum wordSum)
{
    return {[wordSum](const WorkerArrays& perWorker, std::uint64_t count, Word* sum) {
                std::copy_n(perWorker.front(), count, sum);
                for (std::size_t worker = 1; worker < perWorker.size(); ++worker)
                {
                    wordSum.add(perWorker[worker], sum, sum, count);
                }
            },
            1,
            {},
            wordSum.isExact};
}

/** The same of values that are rounded before they are sent. */
NetworkReduction
SumOfRounded(const ReductionSpec& spec)
{
    auto reduction = SumInOrderOfWorkers(spec.adder);
    if (spec.adder.IsWide())
    {
        return reduction;
    }
    const auto* const type = spec.adder.term;
    reduction.add = [type, add = std::move(reduction.add)](
                        const WorkerArrays& perWorker, std::uint64_t count, Word* sum) {
        std::vector<std::vector<Word>> rounded;
        WorkerArrays terms;
        for (const auto* own : perWorker)
        {
            auto& words = rounded.emplace_back(own, own + count);
            ChangeFloats(count, words.data(), type->round);
            terms.push_back(words.data());
        }
        add(terms, count, sum);
    };
    reduction.misfits = [type](const WorkerArrays& perWorker, std::uint64_t count) {
        std::uint64_t misfits = 0;
        for (const auto* own : perWorker)
        {
            misfits += CountBeyond(own, count, type->largest);
        }
        return misfits;
    };
    reduction.isSum = [adder = spec.adder,
                       workers = spec.workers](double held, double sum, double magnitude) {
        return IsSumOfRounded(adder, workers, held, sum, magnitude);
    };
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

bool
IsSumOfRounded(const WordSum& adder, Rank workers, double held, double sum, double magnitude)
{
    constexpr double slack = 1 + 1.0 / (1U << 20U);
    const auto& term = *adder.term;
    const auto& whole = *adder.sum;
    const auto rounding = term.unitRoundoff * magnitude + workers * term.halfStep;
    const auto terms = std::min(magnitude + rounding, workers * double{term.largest});
    const auto adding = (workers - 1.0) * whole.unitRoundoff * terms;
    const auto clamping = term.saturates ? std::max(magnitude - term.largest, 0.0) : 0;
    const bool mayOverflow = !((terms + adding) * slack < whole.largest);
    return mayOverflow || std::fabs(held - sum) <= (rounding + adding + clamping) * slack;
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
        return SumOfRounded(spec);
    }
    const IntegerSum sum(spec);
    return {sum, spec.valuesPerPacket, [sum](const auto& perWorker, std::uint64_t count) {
                return sum.Misfits(perWorker, count);
            }};
}

} // namespace inca
