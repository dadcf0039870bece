/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/portable-math.h"

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

// ln 2 and pi in two parts: the first has trailing zero bits, so that small multiples are exact.
constexpr double g_ln2High = 0x1.62e42fefa0000p-1;
constexpr double g_ln2Low = 0x1.cf79abc9e3b39p-40;
constexpr double g_piHigh = 0x1.921fb54442d18p+1;
constexpr double g_piLow = 0x1.1a62633145c07p-53;
constexpr double g_sqrtHalf = 0x1.6a09e667f3bcdp-1;

/** log((1 + s) / (1 - s)) by its series in s; for |s| <= 0.172 the terms left out are below 2^-60. */
double
LogOfRatio(double s)
{
    constexpr int lastTerm = 23;
    const double square = s * s;
    double sum = 0;
    for (int n = lastTerm; n >= 3; n -= 2)
    {
        sum = (sum + 1.0 / n) * square;
    }
    return 2 * s + 2 * s * sum;
}

/** exp(r) - 1 for |r| <= ln 2 / 2; the terms left out are below 2^-57. */
double
ExpSeries(double r)
{
    constexpr int lastTerm = 13;
    double sum = 0;
    for (int n = lastTerm; n >= 1; --n)
    {
        sum = (1 + sum) * (r / n);
    }
    return sum;
}

/** sin(x) for 0 <= x <= pi / 2. */
double
SinSeries(double x)
{
    constexpr int lastTerm = 23;
    const double square = x * x;
    double sum = 0;
    for (int n = lastTerm; n >= 3; n -= 2)
    {
        sum = (1 - sum) * (square / (n * (n - 1)));
    }
    return x - x * sum;
}

} // namespace

double
PortableLog(double x)
{
    int power = 0;
    double mantissa = std::frexp(x, &power); // in [1/2, 1)
    if (mantissa < g_sqrtHalf)
    {
        mantissa *= 2;
        --power;
    }
    const double log = LogOfRatio((mantissa - 1) / (mantissa + 1));
    return power * g_ln2High + (power * g_ln2Low + log);
}

double
PortableLog1p(double x)
{
    // log(1 + x) / x changes slowly, so evaluating it at the rounded 1 + x loses nothing.
    const double rounded = 1 + x;
    return rounded == 1 ? x : PortableLog(rounded) * (x / (rounded - 1));
}

double
PortableExp(double x)
{
    constexpr double underflow = -746;
    constexpr double overflow = 710;
    if (x < underflow)
    {
        return 0;
    }
    if (x > overflow)
    {
        return std::numeric_limits<double>::infinity();
    }
    const double power = std::floor(x / (g_ln2High + g_ln2Low) + 0.5);
    const double rest = (x - power * g_ln2High) - power * g_ln2Low;
    return std::ldexp(1 + ExpSeries(rest), static_cast<int>(power));
}

double
PortableSin(double x)
{
    const double half = g_piHigh / 2;
    return SinSeries(x <= half ? x : (g_piHigh - x) + g_piLow);
}

double
PortablePow(double x, double y)
{
    if (x == 0)
    {
        return y == 0 ? 1 : 0;
    }
    return PortableExp(y * PortableLog(x));
}

} // namespace inca
