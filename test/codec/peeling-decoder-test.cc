/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-decoder.h"

#include "codec-test-values.h"
#include "codec/bitmap-index.h"
#include "codec/sketch.h"
#include "homomorphic-reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

/** A bucket of one worker, decoded. */
class PeelingDecoder : public testing::Test
{
  protected:
    /** Encodes random values with so many marked per counter. */
    void Draw(std::uint32_t rows, std::uint32_t counterRows, double load)
    {
        const auto density = load * counterRows / rows;
        Take(rows, counterRows, SparseValues(rows * g_sketchLanes, density, 1));
    }

    void Take(std::uint32_t rows, std::uint32_t counterRows, std::vector<float> values)
    {
        m_rows = rows;
        m_counterRows = counterRows;
        m_values = std::move(values);
        m_bits.resize(m_values.size() / 8);
        MarkBits(m_values.data(), m_values.size(), m_bits.data());
        m_counters.resize(counterRows * g_sketchLanes * 4);
        BuildSketch(SketchLayout(rows, counterRows), m_values.data(), nullptr, m_counters.data());
    }

    PeelingReport Peel()
    {
        m_decoded.assign(m_values.size(), NAN);
        return inca::Peel(SketchLayout(m_rows, m_counterRows),
                          m_bits.data(),
                          m_counters.data(),
                          m_decoded.data());
    }

    void ExpectLaneAsReference(std::size_t lane);

    std::uint32_t m_rows{0};
    std::uint32_t m_counterRows{0};
    std::vector<float> m_values;
    std::vector<std::uint8_t> m_bits;
    std::vector<std::uint8_t> m_counters;
    std::vector<float> m_decoded;
    std::uint64_t m_referenceRounds{0};
    std::uint64_t m_referenceLeft{0};
};

void
PeelingDecoder::ExpectLaneAsReference(std::size_t lane)
{
    ReferenceLane<float> reference(m_counterRows);
    std::set<std::uint32_t> left;
    std::map<std::uint32_t, float> found;
    for (std::uint32_t row = 0; row < m_rows; ++row)
    {
        if (const auto value = m_values[row * g_sketchLanes + lane]; value != 0)
        {
            reference.Add(row, value);
            left.insert(row);
        }
    }
    m_referenceRounds += reference.Peel(left, found);
    m_referenceLeft += left.size();
    for (const auto row : left)
    {
        found[row] = reference.Estimates(row)[1];
    }
    for (std::uint32_t row = 0; row < m_rows; ++row)
    {
        const auto expected = found.count(row) == 1 ? found[row] + 0.0F : 0.0F;
        EXPECT_EQ(ToBits(m_decoded[row * g_sketchLanes + lane]), ToBits(expected)) << row;
    }
}

} // namespace

/* To the bit, lane by lane, below the threshold and above it, where much is estimated. */
TEST_F(PeelingDecoder, DoesWhatTheDefinitionSays)
{
    for (const auto load : {0.3, 0.7, 1.2})
    {
        Draw(300, 50, load);
        const auto report = Peel();
        m_referenceRounds = 0;
        m_referenceLeft = 0;
        for (std::size_t lane = 0; lane < g_sketchLanes; ++lane)
        {
            ExpectLaneAsReference(lane);
        }
        EXPECT_EQ(report.laneRounds, m_referenceRounds) << load;
        EXPECT_EQ(report.estimated, m_referenceLeft) << load;
    }
    EXPECT_GT(m_referenceLeft, 0U);
}

/* With R = 2, row 0 is added to counters 0, 1 and 0, row 1 to 0 (negative), 0 and 0 (hashes
 * 2362F9DE, 78ED212D, 06DFADFC and FBF1402A, 5E11E574, 13D35112). Row 0 = 1.5, row 1 = -2:
 * counter 0 = 1.5 + 1.5 + 2 - 2 - 2 = 1, counter 1 = 1.5. Counts: counter 0 has 2 + 3, counter 1
 * has 1. Round 1 reads 1.5 off counter 1 and leaves counter 0 = -2; row 1's counter is never its
 * own alone (it counts 3), round 2 finds nothing, and the median of 2, -2 and -2 is -2.         */
TEST_F(PeelingDecoder, CountsCountersThatCoincide)
{
    std::vector<float> values(2 * g_sketchLanes);
    values[0] = 1.5F;
    values[g_sketchLanes] = -2.0F;
    Take(2, 2, values);
    const auto report = Peel();
    EXPECT_EQ(report.peeled, 1U);
    EXPECT_EQ(report.estimated, 1U);
    EXPECT_EQ(report.rounds, 2U);
    EXPECT_EQ(report.laneRounds, 2U + 1023U); // a lane without marks: one, that finds nothing
    EXPECT_EQ(report.decodedLanes, 1023U);
    EXPECT_EQ(ToBits(m_decoded), ToBits(values));
}

TEST_F(PeelingDecoder, DecodesAMarkedSumOfZeroToPlusZero)
{
    // What is left of two workers' values that cancel: the marks, and counters of 0. Row 4 hashes
    // to some negative places; whichever is read, the zero has to come out without a sign.
    Take(16, 200, std::vector<float>(16 * g_sketchLanes));
    std::fill(m_bits.begin(), m_bits.end(), std::uint8_t{0xFF});
    Peel();
    EXPECT_EQ(ToBits(m_decoded), std::vector<std::uint32_t>(16 * g_sketchLanes));
}

TEST_F(PeelingDecoder, KeepsANaNWithinItsLane)
{
    Draw(300, 50, 0.4);
    const auto clean = [&] {
        Peel();
        return m_decoded;
    }();
    m_values[17 * g_sketchLanes + 5] = NAN;
    Take(300, 50, m_values);
    Peel();
    EXPECT_TRUE(std::isnan(m_decoded[17 * g_sketchLanes + 5]));
    for (std::size_t i = 0; i < clean.size(); ++i)
    {
        if (i % g_sketchLanes != 5)
        {
            ASSERT_EQ(ToBits(m_decoded[i]), ToBits(clean[i])) << i;
        }
    }
}

} // namespace inca
