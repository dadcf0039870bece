/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/adder.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace inca
{

namespace
{

/** So many values are added at once: enough for any vector unit. */
constexpr std::size_t g_lanes = 8;

/** sum += term, over @p Count values wherever they lie; copies let the compiler use vectors. */
template <typename Value, std::size_t Count>
void
AddSome(std::uint8_t* sum, const std::uint8_t* term)
{
    std::array<Value, Count> left;
    std::array<Value, Count> right;
    std::memcpy(left.data(), sum, sizeof(left));
    std::memcpy(right.data(), term, sizeof(right));
    for (std::size_t i = 0; i < Count; ++i)
    {
        left[i] += right[i];
    }
    std::memcpy(sum, left.data(), sizeof(left));
}

/** sum += term over whole values of type @p Value, modulo 2^32 where it is unsigned. */
template <typename Value>
void
AddValues(std::vector<std::uint8_t>& sum, const std::vector<std::uint8_t>& term)
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
        AddSome<Value, g_lanes>(sum.data() + at, term.data() + at);
    }
    for (; at < sum.size(); at += sizeof(Value))
    {
        AddSome<Value, 1>(sum.data() + at, term.data() + at);
    }
}

class IntegerAdder : public Adder
{
  public:
    void Add(std::vector<std::uint8_t>& sum, const std::vector<std::uint8_t>& term) const override
    {
        AddValues<std::uint32_t>(sum, term); // unsigned: an overflow of int32 would be undefined
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
        AddValues<float>(sum, term);
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
    return {"int32", "fp32"};
}

std::unique_ptr<Adder>
MakeAdder(const std::string& name)
{
    if (name == "int32")
    {
        return std::make_unique<IntegerAdder>();
    }
    if (name == "fp32")
    {
        return std::make_unique<FloatAdder>();
    }
    throw InputError("switch.adder: " + UnknownName(name, AdderNames()));
}

} // namespace inca
