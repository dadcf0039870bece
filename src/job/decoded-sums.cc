/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/decoded-sums.h"

#include "base/large-memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace inca
{

namespace
{

bool
AreEqual(const RoundResult& a, const RoundResult& b)
{
    const auto count = a.words.size();
    const bool hasSameWords =
        b.words.size() == count &&
        (count == 0 || std::memcmp(a.words.data(), b.words.data(), count * sizeof(Word)) == 0);
    return a.exponent == b.exponent && a.held == b.held && hasSameWords;
}

DecodedSum
Decoded(Rank worker, const JobChunk& chunk, std::vector<RoundResult> results)
{
    DecodedSum sum;
    LargeFloats values(chunk.ValueCount());
    sum.report = chunk.coding->DecodeFor(worker, results, values);
    sum.values = SharedBytes::Of(std::move(values));
    sum.rounds = std::make_shared<const std::vector<RoundResult>>(std::move(results));
    return sum;
}

} // namespace

DecodedSum
DecodedSums::Decode(std::uint32_t exchange,
                    Rank worker,
                    const JobChunk& chunk,
                    std::vector<RoundResult> results)
{
    if (chunk.coding->ShardsOfValues() != nullptr)
    {
        return Decoded(worker, chunk, std::move(results));
    }
    auto& [first, workers] = m_first[exchange];
    if (workers++ == 0)
    {
        first = Decoded(worker, chunk, std::move(results));
    }
    const bool isFirst = workers == 1;
    const bool isSame =
        isFirst ||
        std::equal(
            results.begin(), results.end(), first.rounds->begin(), first.rounds->end(), AreEqual);
    auto sum = isSame ? first : Decoded(worker, chunk, std::move(results));
    if (workers == m_workers)
    {
        m_first.erase(exchange);
    }
    return sum;
}

} // namespace inca
