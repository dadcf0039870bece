/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/reference-sum.h"

#include "base/vector-clones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_row = 64; ///< values of a loop of fixed length

INCA_VECTOR_CLONES void
AddRow(const float* values, double* sum)
{
    for (std::size_t i = 0; i < g_row; ++i)
    {
        sum[i] += static_cast<double>(values[i]);
    }
}

INCA_VECTOR_CLONES void
AddMagnitudes(const float* values, double* sum)
{
    for (std::size_t i = 0; i < g_row; ++i)
    {
        sum[i] += std::fabs(static_cast<double>(values[i]));
    }
}

/** @param row adds values of a row to a sum */
void
AddTo(void (*row)(const float*, double*), const float* values, std::size_t count, double* sum)
{
    for (; count >= g_row; count -= g_row, values += g_row, sum += g_row)
    {
        row(values, sum);
    }
    std::array<float, g_row> last{};
    std::array<double, g_row> lastSum{};
    std::copy_n(values, count, last.begin());
    std::copy_n(sum, count, lastSum.begin());
    row(last.data(), lastSum.data());
    std::copy_n(lastSum.begin(), count, sum);
}

void
AddAll(void (*row)(const float*, double*),
       const TermValues& terms,
       Rank termCount,
       ElementRange window,
       std::vector<double>& sum)
{
    sum.assign(window.count, 0.0);
    std::array<float, WORD_BLOCK> room;
    for (std::uint64_t begin = 0; begin < window.count; begin += WORD_BLOCK)
    {
        const auto count = std::min<std::uint64_t>(WORD_BLOCK, window.count - begin);
        for (Rank term = 0; term < termCount; ++term)
        {
            const auto* const values = terms(term, {window.begin + begin, count}, room.data());
            AddTo(row, values, count, &sum[begin]);
        }
    }
}

} // namespace

TermValues
InRoom(WorkerGradient terms)
{
    return [terms = std::move(terms)](Rank term, ElementRange range, float* room) -> const float* {
        terms(term, range, room);
        return room;
    };
}

void
ReferenceSum(const TermValues& terms, Rank count, ElementRange window, std::vector<double>& sum)
{
    AddAll(AddRow, terms, count, window, sum);
}

void
ReferenceMagnitudes(const TermValues& terms,
                    Rank count,
                    ElementRange window,
                    std::vector<double>& sum)
{
    AddAll(AddMagnitudes, terms, count, window, sum);
}

} // namespace inca
