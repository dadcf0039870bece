/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-job.h"

#include "base/random.h"
#include "exchange/block-packets.h"
#include "exchange/network-sum.h"
#include "exchange/slot-packet.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace inca
{

namespace
{

/** Of any sign and magnitude, mostly near others; some zeros, and few that are no numbers. */
float
ValueOf(std::uint64_t bits)
{
    const auto kind = bits >> 59U; // 0..31
    const auto mantissa = static_cast<float>(UniformOf(bits << 5U) - 0.5);
    if (kind == 0)
    {
        return std::numeric_limits<float>::quiet_NaN();
    }
    if (kind < 4)
    {
        return 0;
    }
    const auto near = static_cast<int>(bits % 8);
    return std::ldexp(mantissa, kind < 8 ? -near * 20 : near);
}

std::vector<SlotBits>
AllOwnBits(const SlotJob& job, std::size_t stream)
{
    std::vector<SlotBits> own;
    for (Rank worker = 0; worker < job.workers; ++worker)
    {
        own.push_back(OwnBits(job, worker, stream));
    }
    return own;
}

SlotBits
WordSums(const std::vector<SlotBits>& own, SlotNumbers numbers)
{
    SlotBits sums(own.front().size(), 0);
    for (const auto& bits : own)
    {
        for (std::size_t i = 0; i < sums.size(); ++i)
        {
            sums[i] = numbers == SlotNumbers::BITS ? sums[i] | bits[i] : sums[i] + bits[i];
        }
    }
    return sums;
}

SlotBits
ScaledSums(const SlotJob& job, const std::vector<SlotBits>& own, ElementRange range)
{
    std::vector<const Word*> perWorker;
    for (const auto& bits : own)
    {
        perWorker.push_back(bits.data() + range.begin);
    }
    const auto network =
        MakeNetworkSum({job.workers, AdderNamed(job.adder), {}, job.valuesPerPacket});
    SlotBits sums(range.count);
    network.add(perWorker, sums.size(), sums.data());
    return sums;
}

/** Of all workers' words there. */
SlotBits
SumsOf(const SlotJob& job, std::size_t stream, ElementRange range)
{
    const auto own = AllOwnBits(job, stream);
    const auto numbers = job.streams[stream].numbers;
    switch (numbers)
    {
    case SlotNumbers::SIZES:
        break;
    case SlotNumbers::INTEGERS:
    case SlotNumbers::BITS:
    {
        const auto all = WordSums(own, numbers);
        const auto* first = all.data() + range.begin;
        return {first, first + range.count};
    }
    case SlotNumbers::SCALED:
        return ScaledSums(job, own, range);
    }
    return SlotBits(range.count, 0);
}

/** Any 32 bits, or an integer of which as many as there are workers fit int32. */
std::uint32_t
WordOf(const SlotJob& job, SlotNumbers numbers, std::uint64_t random)
{
    if (numbers == SlotNumbers::BITS || job.adder == "int32")
    {
        return static_cast<std::uint32_t>(random);
    }
    const auto limit =
        std::numeric_limits<std::int32_t>::max() / static_cast<std::int64_t>(job.workers);
    const auto word = static_cast<std::int64_t>(random >> 1U) % (2 * limit + 1) - limit;
    return static_cast<std::uint32_t>(word);
}

} // namespace

std::uint64_t
BlockCount(const SlotJob& job, std::size_t stream)
{
    const auto& sum = job.streams[stream];
    return sum.halves == Halves::BOTH
               ? (sum.values + job.valuesPerPacket - 1) / job.valuesPerPacket
               : BlockPackets(sum.values, job.workers, job.valuesPerPacket).Count();
}

std::uint64_t
PacketCount(const SlotJob& job)
{
    std::uint64_t packets = 0;
    for (std::size_t stream = 0; stream < job.streams.size(); ++stream)
    {
        const auto blocks = BlockCount(job, stream);
        const bool prologue = IsScaled(job.streams[stream]);
        packets += blocks + (prologue ? std::min<std::uint64_t>(job.slots, blocks) : 0);
    }
    return packets;
}

bool
IsScaled(const SlotSum& sum)
{
    return sum.numbers == SlotNumbers::SCALED && sum.halves != Halves::ALL_GATHER;
}

bool
IsOfWords(SlotNumbers numbers)
{
    return numbers == SlotNumbers::INTEGERS || numbers == SlotNumbers::BITS;
}

/** Drawn behind the stream's values. */
std::int16_t
OwnWordExponent(const SlotJob& job, Rank worker, std::size_t stream)
{
    const auto [numbers, values, halves] = job.streams[stream];
    return IsOfWords(numbers) && halves != Halves::ALL_GATHER
               ? static_cast<std::int16_t>(RandomBits(job.seed, worker, stream, values) >> 48U)
               : NO_EXPONENT;
}

SlotBits
OwnBits(const SlotJob& job, Rank worker, std::size_t stream)
{
    const auto numbers = job.streams[stream].numbers;
    SlotBits bits(job.streams[stream].values);
    for (std::size_t i = 0; i < bits.size(); ++i)
    {
        const auto random = RandomBits(job.seed, worker, stream, i);
        const bool scaled = numbers == SlotNumbers::SCALED;
        bits[i] = scaled ? BitsOf(ValueOf(random)) : WordOf(job, numbers, random);
    }
    return bits;
}

std::vector<SlotBits>
ExpectedBits(const SlotJob& job, Rank worker)
{
    std::vector<SlotBits> expected;
    for (std::size_t stream = 0; stream < job.streams.size(); ++stream)
    {
        const auto& sum = job.streams[stream];
        if (sum.halves == Halves::BOTH)
        {
            expected.push_back(SumsOf(job, stream, {0, sum.values}));
            continue;
        }
        SlotBits got(sum.values, 0);
        for (Rank owner = 0; owner < job.workers; ++owner)
        {
            const auto part = BlockOf(sum.values, job.workers, owner);
            const bool adds = sum.halves == Halves::REDUCE_SCATTER;
            if (adds != (owner == worker) || sum.numbers == SlotNumbers::SIZES)
            {
                continue;
            }
            const auto own = OwnBits(job, owner, stream);
            const auto words = adds ? SumsOf(job, stream, part)
                                    : SlotBits(own.data() + part.begin, own.data() + part.End());
            std::copy(words.begin(), words.end(), got.data() + part.begin);
        }
        expected.push_back(got);
    }
    return expected;
}

std::vector<std::int16_t>
ExpectedWordExponents(const SlotJob& job)
{
    std::vector<std::int16_t> expected(job.streams.size(), NO_EXPONENT);
    for (std::size_t stream = 0; stream < expected.size(); ++stream)
    {
        for (Rank worker = 0; worker < job.workers; ++worker)
        {
            expected[stream] = std::max(expected[stream], OwnWordExponent(job, worker, stream));
        }
    }
    return expected;
}

} // namespace inca
