/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PORTABLE_MATH_H
#define INCA_BASE_PORTABLE_MATH_H

namespace inca
{

/**
 * Elementary functions whose every bit is the same on every machine: they are built from the
 * operations that IEEE 754 rounds exactly (+ - * / and scaling by powers of two), whereas a C
 * library's may differ in the last bit. Whatever reaches a result row goes through these.
 * Against the exact value each is within a relative error of 2^-50, unless it says otherwise.
 * @{
 */

/** Natural logarithm. @param x positive and finite, denormals included */
double PortableLog(double x);

/** log(1 + x), accurate also near 0. @param x above -1 and finite */
double PortableLog1p(double x);

/** Exponential function; 0 below about -745, infinite above about 709.8; denormals are exact to one unit. */
double PortableExp(double x);

/** Sine. @param x 0 to pi; within 2^-50 of the exact value in absolute terms */
double PortableSin(double x);

/** x to the power y, as exp(y log x): relative error within 2^-50 * (1 + |y log x|). @param x 0 or more and finite */
double PortablePow(double x, double y);
/** @} */

} // namespace inca

#endif // INCA_BASE_PORTABLE_MATH_H
