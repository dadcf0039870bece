/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_SPARSIFIED_VALUES_H
#define INCA_TRACE_SPARSIFIED_VALUES_H

#include "trace/gradient-trace.h"
#include "trace/value-source.h"

#include <memory>
#include <string>

namespace inca
{

/** Which values of a layer a worker keeps. */
struct SparsifySpec
{
    std::string method;   ///< "top-k" or "threshold"
    double density{0.01}; ///< share of a layer's values that is kept, above 0 to 1
};

/**
 * The values of @p values, each layer of each worker sparsified by itself; what is not kept is +0.
 * Zeros are never kept. A NaN is larger than any number, and NaNs are alike.
 *
 * - top-k: the ceil(density * n) values of largest magnitude of a layer's n, exactly; of equal ones
 *   those of lower index. Fewer only where fewer are not zero.
 * - threshold: all of at least a magnitude t, which has rank ceil(density * m) in a sample of m =
 *   min(n, max(1024, n / 100)) values at a fixed stride; so the density is about what is asked.
 *   Deep Gradient Compression (arXiv 1712.01887) finds its threshold by sampling, too.
 *
 * What is kept is found when values of that worker and layer are first asked for, and remembered. For
 * top-k, the layer is read two or three times. Not for several threads.
 * @throws InputError if there is no such method or the density is outside (0, 1]
 */
std::unique_ptr<ValueSource> MakeSparsifiedValues(std::shared_ptr<const ValueSource> values,
                                                  std::shared_ptr<const GradientTrace> trace,
                                                  const SparsifySpec& spec);

/**
 * What sparsifying moves through a GPU's memory for each plain fp32 value (assumed). Threshold: 8,
 * one pass that reads and writes; its sample is left out. Top-k: 24, four passes of radix selection
 * that read, one byte of the magnitude at a time, and one that reads and writes.
 * @throws InputError if there is no such method
 */
double SparsifyBytesPerValue(const std::string& method);

} // namespace inca

#endif // INCA_TRACE_SPARSIFIED_VALUES_H
