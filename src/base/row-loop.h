/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_ROW_LOOP_H
#define INCA_BASE_ROW_LOOP_H

#include <algorithm>
#include <array>
#include <cstddef>

namespace inca
{

/**
 * Arrays of any length by what works on rows of a fixed one, which compilers turn into vector instructions
 * (base/vector-clones.h). The last row is filled up with zeros, and what is made of those is dropped.
 * @{
 */

/** Does row(from, to). */
template <std::size_t Row, typename From, typename To, typename MapRow>
void
MapRows(const From* from, std::size_t count, To* to, const MapRow& row)
{
    for (; count >= Row; count -= Row, from += Row, to += Row)
    {
        row(from, to);
    }
    if (count > 0)
    {
        std::array<From, Row> last{};
        std::array<To, Row> made;
        std::copy_n(from, count, last.begin());
        row(last.data(), made.data());
        std::copy_n(made.begin(), count, to);
    }
}

/** Does row(values), which changes them. */
template <std::size_t Row, typename Value, typename ChangeRow>
void
ChangeRows(Value* values, std::size_t count, const ChangeRow& row)
{
    for (; count >= Row; count -= Row, values += Row)
    {
        row(values);
    }
    if (count > 0)
    {
        std::array<Value, Row> last{};
        std::copy_n(values, count, last.begin());
        row(last.data());
        std::copy_n(last.begin(), count, values);
    }
}

/** Does row(values), which only looks. */
template <std::size_t Row, typename Value, typename SeeRow>
void
SeeRows(const Value* values, std::size_t count, const SeeRow& row)
{
    for (; count >= Row; count -= Row, values += Row)
    {
        row(values);
    }
    if (count > 0)
    {
        std::array<Value, Row> last{};
        std::copy_n(values, count, last.begin());
        row(last.data());
    }
}

/** @} */

} // namespace inca

#endif // INCA_BASE_ROW_LOOP_H
