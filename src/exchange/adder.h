/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_ADDER_H
#define INCA_EXCHANGE_ADDER_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** What a switch does with two payloads. */
class Adder
{
  public:
    virtual ~Adder() = default;

    /**
     * sum += term, value by value.
     * @throws InvariantError unless both hold whole little-endian values of 4 bytes, equally many
     */
    virtual void Add(std::vector<std::uint8_t>& sum,
                     const std::vector<std::uint8_t>& term) const = 0;

    /**
     * @return whether the order of additions cannot change the sum of one packet over all workers.
     *         Of int32-saturating that holds only because nothing saturates: a worker's integers
     *         are at most INT32_MAX / workers (BlockScale), so no partial sum of any order is beyond
     *         int32.
     */
    virtual bool IsExact() const = 0;
};

/**
 * int32: adds modulo 2^32 (exact while sums fit). int32-saturating: stays at the least or the
 * largest int32 where a sum is beyond. fp32: IEEE additions, in the order of arrival (SHARP).
 */
std::vector<std::string> AdderNames();

/** @throws InputError if the name is unknown */
std::unique_ptr<Adder> MakeAdder(const std::string& name);

/** Sets every bit that is set in one of the words: beside its adder, every switch has it. */
std::unique_ptr<Adder> MakeOrAdder();

} // namespace inca

#endif // INCA_EXCHANGE_ADDER_H
