/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-job.h"

#include "base/random.h"
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
ScaledSums(const SlotJob& job, const std::vector<SlotBits>& own)
{
    std::vector<const Word*> perWorker;
    for (const auto& bits : own)
    {
        perWorker.push_back(bits.data());
    }
    const auto network =
        MakeNetworkSum({job.workers, AdderNamed(job.adder), {}, job.valuesPerPacket});
    SlotBits sums(own.front().size());
    network.add(perWorker, sums.size(), sums.data());
    return sums;
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
    return (job.streams[stream].values + job.valuesPerPacket - 1) / job.valuesPerPacket;
}

std::uint64_t
PacketCount(const SlotJob& job)
{
    std::uint64_t packets = 0;
    for (std::size_t stream = 0; stream < job.streams.size(); ++stream)
    {
        const auto blocks = BlockCount(job, stream);
        const bool prologue = job.streams[stream].numbers == SlotNumbers::SCALED;
        packets += blocks + (prologue ? std::min<std::uint64_t>(job.slots, blocks) : 0);
    }
    return packets;
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
    const auto [numbers, values] = job.streams[stream];
    return IsOfWords(numbers)
               ? static_cast<std::int16_t>(RandomBits(job.seed, worker, stream, values) >> 48U)
               : NO_EXPONENT;
}

SlotBits
OwnBits(const SlotJob& job, Rank worker, std::size_t stream)
{
    const auto [numbers, values] = job.streams[stream];
    SlotBits bits(values);
    for (std::size_t i = 0; i < bits.size(); ++i)
    {
        const auto random = RandomBits(job.seed, worker, stream, i);
        const bool scaled = numbers == SlotNumbers::SCALED;
        bits[i] = scaled ? BitsOf(ValueOf(random)) : WordOf(job, numbers, random);
    }
    return bits;
}

std::vector<SlotBits>
ExpectedBits(const SlotJob& job)
{
    std::vector<SlotBits> expected;
    for (std::size_t stream = 0; stream < job.streams.size(); ++stream)
    {
        const auto own = AllOwnBits(job, stream);
        const auto numbers = job.streams[stream].numbers;
        switch (numbers)
        {
        case SlotNumbers::SIZES:
            expected.emplace_back(own.front().size(), 0);
            break;
        case SlotNumbers::INTEGERS:
        case SlotNumbers::BITS:
            expected.push_back(WordSums(own, numbers));
            break;
        case SlotNumbers::SCALED:
            expected.push_back(ScaledSums(job, own));
            break;
        }
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
