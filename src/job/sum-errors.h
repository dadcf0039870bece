/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_SUM_ERRORS_H
#define INCA_JOB_SUM_ERRORS_H

#include "inca/base/word.h"
#include "inca/job/gradient-type.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace inca
{

/**
 * Adds a term, such as a worker's gradient, to the sum with which all workers should end, computed in fp64 and apart from
 * any exchange: W additions are off by at most W 2^-53 of the sum of magnitudes.
 */
void AddTerm(const float* term, std::size_t count, double* sum);

/** The same of the term's magnitudes. */
void AddMagnitudes(const float* term, std::size_t count, double* sum);

/**
 * Whether W - 1 additions, in some order, each rounded to a type or all together once, can be so far off:
 * within (W - 1) u times the sum of magnitudes, with u the type's unit roundoff (Jeannerod and Rump, SIAM
 * J. Matrix Anal. Appl. 34, 2013; an addition in fp32 that is then rounded to 16 bits is rounded as if
 * once, for 24 bits are twice 11 and two more), and 2^-20 of that for the reference. Where some order
 * overflows, or none gives a number, nothing is too far.
 * @param distance from the sum in fp64
 * @param magnitude the sum of the magnitudes of what is added
 */
bool IsOfSomeOrder(double distance,
                   double magnitude,
                   std::uint32_t workers,
                   const GradientType& type = {});

/** Whether so many words are the same, to the bit. */
inline bool
AreEqual(const Word* a, const Word* b, std::size_t count)
{
    return a == b || count == 0 || std::memcmp(a, b, count * sizeof(Word)) == 0;
}

/**
 * @param held what each worker holds, fp32; at least one
 * @return how far apart two workers' copies of a value are at most; what is not finite counts as 0
 */
double ReplicaDifference(const std::vector<const Word*>& held, std::size_t count);

/** Values y that were meant to be x, and how far they are from that; what is not finite has no part in it. */
struct ErrorSums
{
    std::uint64_t values{0};
    double largest{0};   ///< |y - x|
    double distances{0}; ///< sum of |y - x|
    double squares{0};   ///< of (y - x)^2
    double meant{0};     ///< of x^2
    double held{0};      ///< of y^2
    double products{0};  ///< of x y

    /** One more. */
    void Take(double y, double x);

    /** All of @p other, so many times. */
    void Add(const ErrorSums& other, std::uint64_t times = 1);

    double Mean() const; ///< |y - x|; of no values 0

    /** Sum of (y - x)^2 over sum of x^2: 0 if nothing is off, infinite if all x are 0 and some y is not. */
    double Vnmse() const;

    /** x y / (|x| |y|), within -1..1: 1 if all x and all y are 0, 0 if only all x or only all y are. */
    double Cosine() const;
};

/** How far what workers hold, each, is from the sum in fp64. */
struct SumErrors : ErrorSums
{
    std::uint64_t notFinite{0};  ///< values that are infinite or NaN, or whose sum is
    double replicaDifference{0}; ///< the largest distance between two workers' copies of a value
    std::uint64_t marked{0};     ///< values of coded chunks that some worker has, once for all
    std::uint64_t estimated{0}; ///< values of coded chunks that are estimates, once for all workers

    /**
     * Adds a window. Consecutive workers that hold the same bits are looked at once.
     * @param got what each worker holds of it, fp32
     * @param sum of all workers' gradients there
     * @param times how often that happened, exactly so
     */
    void TakeWindow(const std::vector<const Word*>& got,
                    const std::vector<double>& sum,
                    std::uint64_t times);

    /** All of @p other. */
    void Add(const SumErrors& other);
};

} // namespace inca

#endif // INCA_JOB_SUM_ERRORS_H
