/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_SUM_ERRORS_H
#define INCA_JOB_SUM_ERRORS_H

#include "base/word.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** How far the workers' results are from the sum of all gradients, added in fp64 on another path. */
struct SumErrors
{
    double largest{0};
    double mean{0}; ///< over all values of all workers
    std::uint64_t notFinite{
        0}; ///< values that are infinite or NaN, or whose sum is: not counted else
    double replicaDifference{0}; ///< the largest distance between two workers' copies of a value
    std::uint64_t marked{0};     ///< values of coded chunks that some worker has, once for all
    std::uint64_t estimated{0}; ///< values of coded chunks that are estimates, once for all workers
};

/** Adds up such distances, window by window. Workers in a row that hold the same bits are looked at once. */
class SumErrorCount
{
  public:
    /**
     * @param got what each worker holds of the window, fp32
     * @param sum of all workers' gradients there
     * @param times how often that happened, exactly so
     */
    void Add(const std::vector<const Word*>& got,
             const std::vector<double>& sum,
             std::uint64_t times);

    /** Without what is known of coded chunks. */
    SumErrors Errors() const;

  private:
    void AddCopies(const Word* got, const std::vector<double>& sum, std::uint64_t copies);
    void AddReplicas(const std::vector<const Word*>& distinct, std::size_t count);

    std::uint64_t m_finite{0};
    double m_errorSum{0}; ///< of what is finite
    SumErrors m_errors;
    std::vector<const Word*> m_distinct;
};

} // namespace inca

#endif // INCA_JOB_SUM_ERRORS_H
