/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_GRADIENT_TRACE_H
#define INCA_TRACE_GRADIENT_TRACE_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Statistics of one layer's gradient; shares are 0..1, empty = unknown. */
struct LayerStatistics
{
    std::optional<double> density;           ///< share of non-zero values of one worker
    std::optional<double> unionDensity;      ///< the same of stats_workers workers together
    std::optional<double> blockDensity;      ///< share of blocks of 256 with a non-zero value
    std::optional<double> unionBlockDensity; ///< the same of stats_workers workers together
    /** Biased fp32 exponent (0..255, zeros at 0) and its share, ascending; adds up to about 1. */
    std::vector<std::pair<unsigned, double>> exponents;
    /** Published shares of the encoded widths 2, 10, 18, 34 bits at bound 2^-key. */
    std::map<unsigned, std::array<double, 4>> widths;
};

/** One layer with parameters (or one bucket of them), as measured or published. */
struct LayerRecord
{
    std::string name;
    std::uint64_t elements{0};          ///< values of its gradient, at least 1
    std::vector<std::uint64_t> tensors; ///< theirs, in model order; empty: it is one tensor
    std::int64_t forwardPs{0};          ///< forward pass of one batch
    std::int64_t backwardPs{0};         ///< backward pass of one batch
    std::int64_t updatePs{0};           ///< weight update on a worker
    std::optional<std::int64_t> aggregatorUpdatePs; ///< weight update on an aggregator, if another
    LayerStatistics statistics;
};

/** @return the elements of each tensor of the layer, in model order; one of all if it lists none */
std::vector<std::uint64_t> TensorsOf(const LayerRecord& layer);

/** Per-layer record of one model, layers in model order (input side first). Const once read. */
struct GradientTrace
{
    std::string name;       ///< the file's name without folder and ".csv", or "tensor:..."
    std::string model;      ///< for people
    std::string source;     ///< where the figures come from
    std::string valueClass; ///< the file's `class`: printed, measured, derived or assumed
    std::string device;
    std::optional<std::uint64_t> batch;        ///< samples per worker and iteration
    std::string gradientType{"fp32"};          ///< fp32, fp16 or bf16
    std::optional<std::uint32_t> statsWorkers; ///< workers behind the union statistics
    std::vector<std::pair<std::string, std::string>>
        notes;                       ///< other "# key: value" lines, in order
    std::vector<LayerRecord> layers; ///< at least one
    std::uint32_t checksum{0};       ///< CRC-32 of the file's bytes; 0 for a made trace

    std::uint64_t Elements() const;        ///< of all layers
    std::uint64_t BytesPerElement() const; ///< 4, or 2 for fp16 and bf16
    std::uint64_t Bytes() const;           ///< Elements() * BytesPerElement()
};

} // namespace inca

#endif // INCA_TRACE_GRADIENT_TRACE_H
