/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_VALUE_SOURCE_H
#define INCA_TRACE_VALUE_SOURCE_H

#include "inca/trace/gradient-trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * The gradient values of every worker, made when needed: the same call gives the same values, in
 * any order of calls, on any machine. Elements are numbered over the whole model, layers end to
 * end in model order.
 */
class ValueSource
{
  public:
    virtual ~ValueSource() = default;

    /** Writes @p count values of @p worker from element @p begin on; all must exist. */
    void Fill(std::uint32_t worker, std::uint64_t begin, std::uint64_t count, float* out) const
    {
        DoFill(worker, begin, count, out);
    }

  private:
    virtual void DoFill(std::uint32_t worker,
                        std::uint64_t begin,
                        std::uint64_t count,
                        float* out) const = 0;
};

/** How random values are made. */
struct RandomValuesSpec
{
    std::uint64_t seed{1};
    unsigned bound{10}; ///< which published width shares to draw after, where a layer has several
    std::optional<double>
        unionExponent; ///< `a` of 1 - (1 - d)^(W^a); else from union_density, else 1
};

constexpr std::size_t g_exponentCount = 256;

/** Share of the values by biased fp32 exponent; exponent 0 stands for zero. Adds up to 1. */
using ExponentLaw = std::array<double, g_exponentCount>;

/**
 * The distribution of a layer's random values: the published width shares at 2^-@p bound; else
 * the exponent histogram; else the width shares at the nearest published bound (the finer of two).
 *
 * Of width shares, an exponent is uniform in its class: 34 bits 127 and 128; 18 bits from eb +
 * ceil((127 - eb) / 2) to 126; 10 bits from eb to below that; 2 bits zero or one of the ten
 * exponents below eb, where eb = 127 - bound (INCEPTIONN, Algorithm 2). A class that holds no
 * exponent is left out. Where density is known, it says how many values are zero, and others keep
 * their shares; values that the histogram counts as denormal become of exponent 1.
 * @return empty if the statistics have neither widths nor exponents
 */
std::optional<ExponentLaw> MakeExponentLaw(const LayerStatistics& statistics, unsigned bound);

/**
 * Random values that follow the trace's statistics: exponents follow the width shares published for
 * @p spec.bound, else the histogram, else the shares at the nearest published bound; signs and mantissas uniform; zeros as density says, and overlapping
 * between workers as @p spec.unionExponent or the trace's union_density says.
 * A pure function of seed, worker, layer and index.
 * @throws InputError if a layer has neither widths nor exponents, has infinities or NaNs, or has no
 * density though @p spec.unionExponent is given
 */
std::unique_ptr<ValueSource> MakeRandomValues(std::shared_ptr<const GradientTrace> trace,
                                              const RandomValuesSpec& spec);

/**
 * Values from safetensors files, one tensor per layer name: F32, or BF16 or F16, widened.
 * @param path a file's path; "{worker}" in it stands for the worker's number, else every worker
 *        has the same values
 * @throws InputError if a file is malformed, or a layer is missing or of another size or type
 */
std::unique_ptr<ValueSource> MakeFileValues(std::shared_ptr<const GradientTrace> trace,
                                            const std::string& path,
                                            std::uint32_t workers);

/** The same of one file per worker, or one for all. */
std::unique_ptr<ValueSource> MakeFileValues(std::shared_ptr<const GradientTrace> trace,
                                            const std::vector<std::string>& paths);

/** @return the files of MakeFileValues: one per worker, or one if @p path has no "{worker}" in it */
std::vector<std::string> ValuesFilePaths(const std::string& path, std::uint32_t workers);

/** Which values of a layer a worker keeps. */
struct SparsifySpec
{
    std::string method{"none"}; ///< or "top-k", "threshold"
    double density{0.01};       ///< share of a layer's values that is kept, above 0 to 1
};

/**
 * The values of @p values, each layer of each worker sparsified by itself; what is not kept is +0.
 * Zeros are never kept. A NaN is larger than any number, and all NaNs are equal.
 *
 * - none: as they are.
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

#endif // INCA_TRACE_VALUE_SOURCE_H
