/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_MEAN_BITS_H
#define INCA_JOB_MEAN_BITS_H

#include "inca/codec/codec.h"
#include "inca/exchange/step-plan.h"
#include "inca/trace/gradient-trace.h"

#include <cstdint>
#include <functional>
#include <optional>
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

/**
 * What a value of a range of the model takes, where only sizes travel: @p given, or by the statistics of @p trace. (bits)
 * @throws InputError if these cannot tell
 */
std::function<double(ElementRange)> MeanBitsOf(const GradientTrace& trace,
                                               const Codec& codec,
                                               std::optional<double> given);

} // namespace inca

#endif // INCA_JOB_MEAN_BITS_H
