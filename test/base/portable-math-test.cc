/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/portable-math.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

constexpr double g_bound = 0x1p-50; // as the header states

/** Compares with the C library in long double, whose own error is negligible here. */
double
RelativeError(double value, long double exact)
{
    return static_cast<double>(std::fabs((static_cast<long double>(value) - exact) / exact));
}

constexpr int g_samples = 100'000;

} // namespace

TEST(PortableMath, LogIsWithinItsBound)
{
    RandomStream stream(1, 0);
    for (int i = 0; i < g_samples; ++i)
    {
        const double near = 0.5 + stream.Uniform();
        EXPECT_LE(RelativeError(PortableLog(near), std::log(static_cast<long double>(near))),
                  g_bound)
            << near;
        const double wide = std::ldexp(near, static_cast<int>(stream.Bits() % 2090) - 1070);
        EXPECT_LE(RelativeError(PortableLog(wide), std::log(static_cast<long double>(wide))),
                  g_bound)
            << wide;
    }
    EXPECT_EQ(PortableLog(1), 0);
}

TEST(PortableMath, Log1pIsWithinItsBoundNearZero)
{
    RandomStream stream(1, 1);
    for (int i = 0; i < g_samples; ++i)
    {
        const double x = std::ldexp(stream.Uniform() + 0.5, -static_cast<int>(stream.Bits() % 200));
        EXPECT_LE(RelativeError(PortableLog1p(x), std::log1p(static_cast<long double>(x))), g_bound)
            << x;
    }
    EXPECT_EQ(PortableLog1p(0), 0);
}

TEST(PortableMath, ExpIsWithinItsBound)
{
    RandomStream stream(1, 2);
    for (int i = 0; i < g_samples; ++i)
    {
        const double x = 1400 * stream.Uniform() - 700;
        EXPECT_LE(RelativeError(PortableExp(x), std::exp(static_cast<long double>(x))), g_bound)
            << x;
        const double small = x / 700;
        EXPECT_LE(RelativeError(PortableExp(small), std::exp(static_cast<long double>(small))),
                  g_bound)
            << small;
    }
    EXPECT_EQ(PortableExp(0), 1);
    EXPECT_EQ(PortableExp(-800), 0);
    EXPECT_TRUE(std::isinf(PortableExp(800)));
    EXPECT_NEAR(PortableExp(-744), std::exp(-744), 0x1p-1074); // one denormal unit
}

TEST(PortableMath, SinIsWithinItsBound)
{
    RandomStream stream(1, 3);
    for (int i = 0; i < g_samples; ++i)
    {
        const double x = 3.141592653589793 * stream.Uniform();
        EXPECT_NEAR(PortableSin(x), std::sin(x), g_bound) << x;
    }
    EXPECT_EQ(PortableSin(0), 0);
}

TEST(PortableMath, PowIsWithinItsBound)
{
    RandomStream stream(1, 4);
    for (int i = 0; i < g_samples; ++i)
    {
        const double x =
            std::ldexp(stream.Uniform() + 0.5, static_cast<int>(stream.Bits() % 40) - 20);
        const double y = 20 * stream.Uniform() - 10;
        const auto exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
        EXPECT_LE(RelativeError(PortablePow(x, y), exact),
                  g_bound * (1 + std::fabs(y * std::log(x))));
    }
    EXPECT_EQ(PortablePow(0, 0), 1);
    EXPECT_EQ(PortablePow(0, 2), 0);
    EXPECT_EQ(PortablePow(7, 0), 1);
}

/* The bits themselves: another compiler or library must not change one. */
TEST(PortableMath, BitsArePinned)
{
    EXPECT_EQ(PortableLog(10), 0x1.26bb1bbb55516p+1);
    EXPECT_EQ(PortableLog1p(1e-10), 0x1.b7cdfd9d1d693p-34);
    EXPECT_EQ(PortableExp(1), 0x1.5bf0a8b14576ap+1);
    EXPECT_EQ(PortableExp(-10.25), 0x1.2899a7a835446p-15);
    EXPECT_EQ(PortableSin(2), 0x1.d18f6ead1b446p-1);
    EXPECT_EQ(PortablePow(3, 0.7), 0x1.142e81c889914p+1);
}

} // namespace inca
