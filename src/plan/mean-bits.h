/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_MEAN_BITS_H
#define INCA_PLAN_MEAN_BITS_H

#include "codec/codec.h"
#include "exchange/step-plan.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <vector>

namespace inca
{

/**
 * How large a value becomes when only sizes travel: by the statistics of a single worker's
 * gradient, on every hop, as INCEPTIONN's authors counted. (Sums are wider: with values, every hop
 * is counted for itself.)
 */
class MeanBits
{
  public:
    /** @throws InputError if the trace's statistics cannot tell what @p codec makes of a layer */
    MeanBits(const GradientTrace& trace, const Codec& codec);

    /** @return the mean over @p range of the whole model, at least one layer's; 0 for an empty range */
    double Of(ElementRange range) const;

  private:
    std::vector<std::uint64_t> m_begins; ///< by layer, and the end of the last
    std::vector<double> m_bits;          ///< by layer
};

} // namespace inca

#endif // INCA_PLAN_MEAN_BITS_H
