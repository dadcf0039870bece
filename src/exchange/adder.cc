/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/adder.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>

namespace inca
{

namespace
{

/** So many values are added at once: enough for any vector unit. */
constexpr std::size_t g_lanes = 8;

/** sum = sum (+) term, over @p Count values anywhere; copies let the compiler use vectors. */
template <typename Value, std::size_t Count, typename Operation>
void
AddSome(std::uint8_t* sum, const std::uint8_t* term, Operation operation)
{
    std::array<Value, Count> left;
    std::array<Value, Count> right;
    std::memcpy(left.data(), sum, sizeof(left));
    std::memcpy(right.data(), term, sizeof(right));
    for (std::size_t i = 0; i < Count; ++i)
    {
        left[i] = operation(left[i], right[i]);
    }
    std::memcpy(sum, left.data(), sizeof(left));
}

/** sum = sum (+) term over whole values of type @p Value. */
template <typename Value, typename Operation>
void
AddValues(std::vector<std::uint8_t>& sum,
          const std::vector<std::uint8_t>& term,
          Operation operation)
{
    static_assert(sizeof(Value) == 4, "a payload's values have 4 bytes");
    if (sum.size() != term.size() || sum.size() % sizeof(Value) != 0)
    {
        throw InvariantError("a payload of " + std::to_string(term.size()) +
                             " bytes cannot be added to one of " + std::to_string(sum.size()));
    }
    constexpr auto step = g_lanes * sizeof(Value);
    std::size_t at = 0;
    for (; at + step <= sum.size(); at += step)
    {
        AddSome<Value, g_lanes>(sum.data() + at, term.data() + at, operation);
    }
    for (; at < sum.size(); at += sizeof(Value))
    {
        AddSome<Value, 1>(sum.data() + at, term.data() + at, operation);
    }
}

class IntegerAdder : public Adder
{
  public:
    void Add(std::vector<std::uint8_t>& sum, const std::vector<std::uint8_t>& term) const override
    {
        // Unsigned: an overflow of int32 would be undefined.
        AddValues<std::uint32_t>(sum, term, std::plus<>());
    }

    bool IsExact() const override
    {
        return true;
    }
};

std::int32_t
AddSaturating(std::int32_t left, std::int32_t right)
{
    using Limits = std::numeric_limits<std::int32_t>;
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(std::int64_t{left} + right, Limits::min(), Limits::max()));
}

class SaturatingAdder : public Adder
{
  public:
    void Add(std::vector<std::uint8_t>& sum, const std::vector<std::uint8_t>& term) const override
    {
        AddValues<std::int32_t>(sum, term, AddSaturating);
    }

    bool IsExact() const override
    {
        return true; // of what BlockScale makes: see the header
    }
};

class OrAdder : public Adder
{
  public:
    void Add(std::vector<std::uint8_t>& sum, const std::vector<std::uint8_t>& term) const override
    {
        AddValues<std::uint32_t>(sum, term, std::bit_or<>());
    }

    bool IsExact() const override
    {
        return true;
    }
};

class FloatAdder : public Adder
{
  public:
    void Add(std::vector<std::uint8_t>& sum, const std::vector<std::uint8_t>& term) const override
    {
        AddValues<float>(sum, term, std::plus<>());
    }

    bool IsExact() const override
    {
        return false;
    }
};

} // namespace

std::vector<std::string>
AdderNames()
{
    return {"int32", "int32-saturating", "fp32"};
}

std::unique_ptr<Adder>
MakeAdder(const std::string& name)
{
    if (name == "int32")
    {
        return std::make_unique<IntegerAdder>();
    }
    if (name == "int32-saturating")
    {
        return std::make_unique<SaturatingAdder>();
    }
    if (name == "fp32")
    {
        return std::make_unique<FloatAdder>();
    }
    throw InputError("switch.adder: " + UnknownName(name, AdderNames()));
}

std::unique_ptr<Adder>
MakeOrAdder()
{
    return std::make_unique<OrAdder>();
}

} // namespace inca
