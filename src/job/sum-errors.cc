/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sum-errors.h"

#include "base/vector-clones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace inca
{

namespace
{

/** So many values are looked at at once, without branches: enough for any vector unit. */
constexpr std::size_t g_lanes = 8;

/** What was seen in each place of such a row of values. */
struct Lanes
{
    std::array<double, g_lanes> sum{};
    std::array<double, g_lanes> largest{};
    std::array<std::uint64_t, g_lanes> finite{};
};

template <std::size_t Count>
inline void
AddSome(const Word* got, const double* sum, Lanes& lanes)
{
    std::array<float, Count> values;
    std::memcpy(values.data(), got, sizeof(values));
    for (std::size_t i = 0; i < Count; ++i)
    {
        const auto distance = std::fabs(static_cast<double>(values[i]) - sum[i]);
        const bool isFinite = distance <= std::numeric_limits<double>::max();
        const auto counted = isFinite ? distance : 0;
        lanes.sum[i] += counted;
        lanes.largest[i] = std::max(lanes.largest[i], counted);
        lanes.finite[i] += isFinite ? 1 : 0;
    }
}

constexpr std::size_t g_row = 256; ///< values of a full row

INCA_VECTOR_CLONES void
AddRow(const Word* got, const double* sum, Lanes& lanes)
{
    auto row = lanes; // in registers, as no sum can stand there
    for (std::size_t i = 0; i < g_row; i += g_lanes)
    {
        AddSome<g_lanes>(got + i, sum + i, row);
    }
    lanes = row;
}

/** Of values that several workers hold. */
struct Bounds
{
    std::array<float, g_row> low;
    std::array<float, g_row> high;
};

INCA_VECTOR_CLONES void
Widen(const Word* got, Bounds& bounds)
{
    for (std::size_t i = 0; i < g_row; ++i)
    {
        const auto value = FloatOf(got[i]);
        bounds.low[i] = value < bounds.low[i] ? value : bounds.low[i];
        bounds.high[i] = bounds.high[i] < value ? value : bounds.high[i];
    }
}

bool
AreEqual(const Word* a, const Word* b, std::size_t count)
{
    return a == b || count == 0 || std::memcmp(a, b, count * sizeof(Word)) == 0;
}

} // namespace

void
SumErrorCount::Add(const std::vector<const Word*>& got,
                   const std::vector<double>& sum,
                   std::uint64_t times)
{
    m_distinct.clear();
    for (std::size_t worker = 0; worker < got.size();)
    {
        const auto* const first = got[worker];
        std::uint64_t copies = 0;
        for (; worker < got.size() && AreEqual(first, got[worker], sum.size()); ++worker)
        {
            ++copies;
        }
        AddCopies(first, sum, copies * times);
        m_distinct.push_back(first);
    }
    if (m_distinct.size() > 1)
    {
        AddReplicas(m_distinct, sum.size());
    }
}

void
SumErrorCount::AddCopies(const Word* got, const std::vector<double>& sum, std::uint64_t copies)
{
    Lanes lanes;
    std::size_t i = 0;
    for (; i + g_row <= sum.size(); i += g_row)
    {
        AddRow(got + i, &sum[i], lanes);
    }
    for (; i < sum.size(); ++i)
    {
        AddSome<1>(got + i, &sum[i], lanes);
    }
    std::uint64_t finite = 0;
    double errors = 0;
    for (std::size_t lane = 0; lane < g_lanes; ++lane)
    {
        finite += lanes.finite[lane];
        errors += lanes.sum[lane];
        m_errors.largest = std::max(m_errors.largest, lanes.largest[lane]);
    }
    m_finite += copies * finite;
    m_errorSum += static_cast<double>(copies) * errors;
    m_errors.notFinite += copies * (sum.size() - finite);
}

void
SumErrorCount::AddReplicas(const std::vector<const Word*>& distinct, std::size_t count)
{
    std::array<Word, g_row> row{};
    for (std::size_t begin = 0; begin < count; begin += g_row)
    {
        const auto part = std::min(g_row, count - begin);
        const auto rowOf = [&](const Word* got) {
            if (part == g_row)
            {
                return got + begin;
            }
            std::copy_n(got + begin, part, row.begin()); // the last one, filled up with zeros
            return static_cast<const Word*>(row.data());
        };
        Bounds bounds;
        CopyFloats(rowOf(distinct.front()), g_row, bounds.low.data());
        bounds.high = bounds.low;
        for (std::size_t copy = 1; copy < distinct.size(); ++copy)
        {
            Widen(rowOf(distinct[copy]), bounds);
        }
        for (std::size_t i = 0; i < part; ++i)
        {
            const auto difference =
                static_cast<double>(bounds.high[i]) - static_cast<double>(bounds.low[i]);
            const bool isFinite = difference <= std::numeric_limits<double>::max();
            m_errors.replicaDifference =
                std::max(m_errors.replicaDifference, isFinite ? difference : 0);
        }
    }
}

SumErrors
SumErrorCount::Errors() const
{
    auto errors = m_errors;
    errors.mean = m_finite == 0 ? 0 : m_errorSum / static_cast<double>(m_finite);
    return errors;
}

} // namespace inca
