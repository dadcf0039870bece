/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_SLOT_JOB_H
#define INCA_TEST_EXCHANGE_SLOT_JOB_H

#include "base/word.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** What travels in the slots for a stream. */
enum class SlotNumbers : std::uint8_t
{
    SIZES,    ///< no payload
    INTEGERS, ///< words: any int32, which wrap, or small enough if adders saturate
    BITS,     ///< words that are or-ed
    SCALED,   ///< fp32 as int32, by blocks with exponents ahead
};

/** One sum. */
struct SlotSum
{
    SlotNumbers numbers{SlotNumbers::SIZES};
    std::uint64_t values{1};
    Halves halves{Halves::BOTH};
};

/** What the workers of a slot network add; everything follows from the seed. */
struct SlotJob
{
    std::uint64_t seed{0};
    Rank workers{2};
    std::uint32_t slots{1};
    std::uint32_t valuesPerPacket{1};
    std::string adder{"int32"}; ///< a name of AdderNames, but fp32
    std::vector<SlotSum> streams;
};

/** Words: of an int32 each, or of an fp32. */
using SlotBits = std::vector<Word>;

std::uint64_t BlockCount(const SlotJob& job, std::size_t stream);

/** Whether exponents go ahead of it. */
bool IsScaled(const SlotSum& sum);

/** Whether its packets carry a number of the worker's, of which the largest comes back. */
bool IsOfWords(SlotNumbers numbers);

/** That number. */
std::int16_t OwnWordExponent(const SlotJob& job, Rank worker, std::size_t stream);

/** The packets of a worker, prologues and all. */
std::uint64_t PacketCount(const SlotJob& job);

SlotBits OwnBits(const SlotJob& job, Rank worker, std::size_t stream);

/** What a worker must end with, one entry per stream, by a path that knows no slots: 0 for what it does not get. */
std::vector<SlotBits> ExpectedBits(const SlotJob& job, Rank worker);

/** The largest numbers that come back with words, one entry per stream. */
std::vector<std::int16_t> ExpectedWordExponents(const SlotJob& job);

} // namespace inca

#endif // INCA_TEST_EXCHANGE_SLOT_JOB_H
