/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_NETWORK_SUM_H
#define INCA_EXCHANGE_NETWORK_SUM_H

#include "exchange/step-plan.h"
#include "exchange/word-sum.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How a network adds the values of its workers. */
struct NetworkSumSpec
{
    Rank workers{2};
    std::string adder{"int32"};       ///< a name of AdderNames
    std::string scaling{"block"};     ///< of int32: block or fixed
    std::int32_t fixedExponent{0};    ///< of fixed: values lie within 2^this; fits 16 bits
    std::uint32_t valuesPerPacket{1}; ///< a block, with an exponent of its own; at least 1
    std::optional<WordSum> words{};   ///< INT32 or OR, taken as they are; empty: fp32 values
};

/** What a network makes of its workers' values. */
struct NetworkSum
{
    /**
     * @param perWorker one array of @p count values for each worker, beginning with a whole block
     */
    std::function<void(const std::vector<const float*>& perWorker, std::uint64_t count, float* sum)>
        add{};
    std::uint64_t block{1}; ///< values that are treated together, from a range's first on
};

/**
 * What a network without a clock makes of the workers' values, by a path that knows neither packets
 * nor slots:
 * - int32, int32-saturating: per block of valuesPerPacket values the largest exponent over the
 *   workers (or the fixed one); all are quantised by it (BlockScale), added in 64 bits, and
 *   restored. The network must give the same to the bit, in whatever order it adds. A sum beyond
 *   int32 is an InvariantError.
 * - fp32: additions in the order of the workers, one of the orders that a network may take.
 * - words: bits or-ed by any adder; or integers as they are, modulo 2^32 by int32, and saturating in
 *   the order of the workers by int32-saturating. Integers by fp32 are an InvariantError.
 */
NetworkSum MakeNetworkSum(const NetworkSumSpec& spec);

} // namespace inca

#endif // INCA_EXCHANGE_NETWORK_SUM_H
