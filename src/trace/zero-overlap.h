/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_ZERO_OVERLAP_H
#define INCA_TRACE_ZERO_OVERLAP_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/**
 * Makes workers' zeros coincide as much as a trace says: the share of positions where at least one
 * of W workers is not zero is 1 - (1 - d)^(W^a), for every W.
 *
 * A Gumbel copula does that. Every position has a chance q, shared by all workers, with which each
 * worker, independently of the others, is zero there: q = exp(-V (-ln(1 - d))^(1/a)), where V is
 * positive stable with index a, so that E[q^W] = exp(-W^a (-ln(1 - d))). V is computed by Kanter's
 * formula at the 2^16 points of a Hammersley set, so that E[q] is within 10^-4 of 1 - d. With a = 0
 * the position alone decides, exactly.
 */
class ZeroOverlap
{
  public:
    /**
     * @param density d, above 0 and below 1
     * @param unionExponent a, 0 to below 1; what is below 2^-7 counts as 0, the same positions
     */
    ZeroOverlap(double density, double unionExponent);

    /**
     * @param positionBits random bits of the position, the same for all workers
     * @param workerBits random bits of position and worker
     */
    bool IsZero(std::uint64_t positionBits, std::uint64_t workerBits) const
    {
        return m_chances.empty()
                   ? positionBits >= m_samePositionsEnd
                   : (workerBits >> 32U) < m_chances[positionBits >> (64U - g_indexBits)];
    }

    /** Whether a worker's bits matter: else a position is zero on all workers, or on none. */
    bool AsksWorkers() const
    {
        return !m_chances.empty();
    }

    static constexpr std::size_t BLOCK{256}; ///< positions looked at at once

    /**
     * Makes those of BLOCK @p values 0, whatever they are, that IsZero says are.
     * @param workerBits looked at only where AsksWorkers
     */
    void PutZeros(const std::array<std::uint64_t, BLOCK>& positionBits,
                  const std::array<std::uint64_t, BLOCK>& workerBits,
                  float* values) const;

  private:
    static constexpr unsigned g_indexBits = 16;

    std::vector<std::uint32_t> m_chances; ///< quantiles of q, in 2^-32; none for the same positions
    std::uint64_t m_samePositionsEnd;     ///< density, in 2^-64
};

} // namespace inca

#endif // INCA_TRACE_ZERO_OVERLAP_H
