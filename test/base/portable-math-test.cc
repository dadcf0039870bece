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
constexpr int g_samples = 100'000;

/** Compares with the C library in long double, whose own error is negligible here. @param slack times the bound */
void
ExpectClose(double value, long double exact, double x, double slack = 1)
{
    const auto error = std::fabs((static_cast<long double>(value) - exact) / exact);
    EXPECT_LE(static_cast<double>(error), slack * g_bound) << x;
}

} // namespace

TEST(PortableMath, IsWithinItsBounds)
{
    RandomStream stream(1, 0);
    for (int i = 0; i < g_samples; ++i)
    {
        const double near = 0.5 + stream.Uniform();
        ExpectClose(PortableLog(near), std::log(static_cast<long double>(near)), near);
        const double wide = std::ldexp(near, static_cast<int>(stream.Bits() % 2090) - 1070);
        ExpectClose(PortableLog(wide), std::log(static_cast<long double>(wide)), wide);
        const double tiny = std::ldexp(near, -static_cast<int>(stream.Bits() % 200));
        ExpectClose(PortableLog1p(tiny), std::log1p(static_cast<long double>(tiny)), tiny);
        const double exponent = 1400 * stream.Uniform() - 700;
        for (const auto x : {exponent, exponent / 700})
        {
            ExpectClose(PortableExp(x), std::exp(static_cast<long double>(x)), x);
        }
        const double angle = 3.141592653589793 * stream.Uniform();
        EXPECT_NEAR(PortableSin(angle), std::sin(angle), g_bound) << angle;
        const double base = std::ldexp(near, static_cast<int>(stream.Bits() % 40) - 20);
        const double power = 20 * stream.Uniform() - 10;
        const auto exact =
            std::pow(static_cast<long double>(base), static_cast<long double>(power));
        ExpectClose(PortablePow(base, power), exact, base, 1 + std::fabs(power * std::log(base)));
    }
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
    EXPECT_EQ(PortableLog(1), 0);
    EXPECT_EQ(PortableLog1p(0), 0);
    EXPECT_EQ(PortableExp(0), 1);
    EXPECT_EQ(PortableExp(-800), 0);
    EXPECT_TRUE(std::isinf(PortableExp(800)));
    EXPECT_NEAR(PortableExp(-744), std::exp(-744), 0x1p-1074); // one denormal unit
    EXPECT_EQ(PortableSin(0), 0);
    EXPECT_EQ(PortablePow(0, 0), 1);
    EXPECT_EQ(PortablePow(0, 2), 0);
    EXPECT_EQ(PortablePow(7, 0), 1);
}

} // namespace inca
