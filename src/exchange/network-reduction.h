/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_NETWORK_REDUCTION_H
#define INCA_EXCHANGE_NETWORK_REDUCTION_H

#include "inca/base/word-sum.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace inca
{

/** How a network adds what its workers have. */
struct ReductionSpec
{
    Rank workers{2};
    WordSum adder{WordSum::INT32}; ///< all but OR
    /** Of integers: values lie within 2^this; empty: each block has an exponent of its own. */
    std::optional<std::int16_t> fixedExponent{};
    std::uint32_t valuesPerPacket{1}; ///< a block; at least 1
    std::optional<WordSum> words{};   ///< INT32 or OR, taken as they are; empty: fp32 values
};

/** A sum that a network is asked for. */
struct ReductionSize
{
    std::uint64_t words{0}; ///< of all workers' parts; smaller ones where switches do not add
    SumPhase phase{SumPhase::ALL_REDUCE};
    std::uint32_t perWord{1}; ///< 2 of 16 bits in 4 bytes; 1 where they are added
    bool inNodes{false};      ///< by the switch inside a node, of its GPUs' words
    Rank oneIn{1}; ///< of a part's words one worker in so many adds or gets them (PartOf)

    ReductionSize() = default;

    /** All of it, of whole words. */
    ReductionSize(std::uint64_t count) // NOLINT(google-explicit-constructor): most sums are such
        : words(count)
    {
    }

    ReductionSize(std::uint64_t count,
                  SumPhase which,
                  std::uint32_t inWord,
                  bool isInNodes = false,
                  Rank ofSome = 1)
        : words(count),
          phase(which),
          perWord(inWord),
          inNodes(isInNodes),
          oneIn(ofSome)
    {
    }

    friend bool operator==(const ReductionSize& a, const ReductionSize& b)
    {
        return a.Key() == b.Key();
    }

    friend bool operator<(const ReductionSize& a, const ReductionSize& b)
    {
        return a.Key() < b.Key();
    }

  private:
    std::tuple<std::uint64_t, SumPhase, std::uint32_t, bool, Rank> Key() const
    {
        return {words, phase, perWord, inNodes, oneIn};
    }
};

/** Sums that a network is asked for: how many of each. */
using ReductionCounts = std::map<ReductionSize, std::uint64_t>;

/** @return those of @p sums that switches inside nodes make, or those that all others do */
ReductionCounts SumsOf(const ReductionCounts& sums, bool inNodes);

/** What a network makes of its workers' words. */
struct NetworkReduction
{
    /**
     * @param perWorker one array of @p count words for each worker, beginning with a whole block
     */
    std::function<void(const std::vector<const Word*>& perWorker, std::uint64_t count, Word* sum)>
        add{};
    std::uint64_t block{1};         ///< words that are treated together, from a range's first on
    std::optional<float> largest{}; ///< of magnitudes that fit (CountBeyond); empty: all always do
    /** Workers hold what `add` makes, to the bit; false: the order of arrival decides how sums are rounded. */
    bool isExact{true};
    /**
     * Where it does: whether @p held can be what becomes of fp32 values that add up to @p sum in fp64, and their
     * magnitudes to @p magnitude; empty: as by additions in fp32.
     */
    std::function<bool(double held, double sum, double magnitude)> isSum{};
};

/** An addition of fp32 values by switches that round. */
struct RoundedSum
{
    WordSum adder{WordSum::FP32};
    Rank workers{2};
    std::uint32_t levels{1}; ///< 2 where what is added in nodes is added between them, too
};

/**
 * Whether adding fp32 values in some order can give @p held, where they are rounded to the adder's type of terms first,
 * and each of the W - 1 additions to its type of sums: of the values, whose magnitudes add up to M, roundings take at
 * most u M and half a subnormal step each, clamping what M is beyond the largest, additions (W - 1) u' times what the rounded
 * magnitudes add up to (sum-errors.h). Each level does all of this to what the one before has made.
 * 2^-20 of that is for the references. Where some order overflows, anything can be.
 * @param sum of the values, in fp64
 * @param magnitude M
 */
bool IsSumOfRounded(const RoundedSum& of, double held, double sum, double magnitude);

/**
 * What a network without a clock makes of the workers' words, by a path that knows neither packets
 * nor slots, with the same formulas:
 * - integers: per block of valuesPerPacket values the largest exponent over the
 *   workers (or the fixed one); all are rounded by it (IntegerScale, of what the type holds), added, and
 *   restored. The network must give the same to the bit, in whatever order it adds. More workers than the
 *   scale is for are an InvariantError.
 * - floats: additions in the order of the workers, one of the orders that a network may take; of fewer than 32
 *   bits, values are rounded before.
 * - words: bits or-ed by any adder; or integers as they are, modulo 2^32 by int32, and saturating in
 *   the order of the workers by int32-saturating. Integers by fp32 are an InvariantError.
 */
NetworkReduction MakeNetworkReduction(const ReductionSpec& spec);

} // namespace inca

#endif // INCA_EXCHANGE_NETWORK_REDUCTION_H
