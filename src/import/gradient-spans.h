/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_GRADIENT_SPANS_H
#define INCA_IMPORT_GRADIENT_SPANS_H

#include "import/torch-step.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** Consecutive gradients that are a layer, or a bucket of which no more is known. */
struct GradientSpan
{
    std::size_t begin{0};
    std::size_t end{0}; ///< of TorchStep::gradients; none where the recording has none
    std::string name;
    std::vector<std::uint64_t> tensors; ///< in order of readiness
    std::size_t bucket{0};              ///< in which its last gradient is

    std::uint64_t Elements() const;
};

/** @return whether the sizes of all gradients are known, and there are any */
bool KnowsElements(const TorchStep& step);

/** Layers, in order of readiness: gradients that follow one operator; named by their module where known. */
std::vector<GradientSpan> LayersOf(const TorchStep& step);

/** The same of what all-reduces move. */
std::vector<GradientSpan> BucketsOf(const TorchStep& step);

} // namespace inca

#endif // INCA_IMPORT_GRADIENT_SPANS_H
