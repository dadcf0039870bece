/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/zero-overlap.h"

#include "base/random.h"
#include "trace/layer-statistics.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Share of @p positions where one of @p workers is not zero. */
double
MeasuredUnion(const ZeroOverlap& overlap, unsigned workers, unsigned positions)
{
    unsigned notZero = 0;
    for (unsigned position = 0; position < positions; ++position)
    {
        const auto shared = RandomBits(1, 0, position, 0);
        bool isZero = true;
        for (unsigned worker = 0; worker < workers; ++worker)
        {
            isZero = isZero && overlap.IsZero(shared, RandomBits(1, 1, position, worker));
        }
        notZero += isZero ? 0 : 1;
    }
    return static_cast<double>(notZero) / positions;
}

} // namespace

/* n = 2 * 10^5 positions: a share has an sd of at most sqrt(1/4 / n) = 0.0011; the bound is 4 sd
 * and the table's own 10^-4. */
TEST(ZeroOverlap, UnionIsTheFormulas)
{
    for (const double density : {0.5, 0.1, 0.01})
    {
        for (const double exponent : {0.0, 0.05, 0.3, 0.5, 0.9})
        {
            const ZeroOverlap overlap(density, exponent);
            for (const unsigned workers : {1U, 2U, 8U})
            {
                EXPECT_NEAR(MeasuredUnion(overlap, workers, 200'000),
                            UnionDensity(density, workers, exponent),
                            0.0046)
                    << density << " " << exponent << " " << workers;
            }
        }
    }
}

} // namespace inca
