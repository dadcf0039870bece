/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_GRADIENT_TRACE_H
#define INCA_TRACE_GRADIENT_TRACE_H

#include <algorithm>
#include <array>
#include <cstddef>
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
    std::optional<double> density;      ///< share of non-zero values of one worker
    std::optional<double> unionDensity; ///< the same of stats_workers workers together
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
inline std::vector<std::uint64_t>
TensorsOf(const LayerRecord& layer)
{
    return layer.tensors.empty() ? std::vector<std::uint64_t>{layer.elements} : layer.tensors;
}

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

    /** Of all layers. */
    std::uint64_t Elements() const
    {
        std::uint64_t sum = 0;
        for (const auto& layer : layers)
        {
            sum += layer.elements;
        }
        return sum;
    }

    std::uint64_t BytesPerElement() const
    {
        return gradientType == "fp32" ? 4 : 2;
    }

    /** Of all layers' elements. */
    std::uint64_t Bytes() const
    {
        return Elements() * BytesPerElement();
    }
};

/** Where each layer begins when the model's elements are numbered end to end. */
class LayerOffsets
{
  public:
    explicit LayerOffsets(const GradientTrace& trace)
    {
        for (const auto& layer : trace.layers)
        {
            m_begins.push_back(m_begins.back() + layer.elements);
        }
    }

    /**
     * Cuts elements @p begin to @p begin + @p count, all of which must exist, at the layers' ends.
     * @param piece called with layer, first element within it, number of elements, and where the
     *        piece begins within the range
     */
    template <typename Piece>
    void ForEach(std::uint64_t begin, std::uint64_t count, Piece piece) const
    {
        const auto after = std::upper_bound(m_begins.begin(), m_begins.end(), begin);
        auto layer = static_cast<std::size_t>(after - m_begins.begin()) - 1;
        for (std::uint64_t done = 0; done < count; ++layer)
        {
            const auto at = begin + done;
            const auto length = std::min(m_begins[layer + 1] - at, count - done);
            piece(layer, at - m_begins[layer], length, done);
            done += length;
        }
    }

  private:
    std::vector<std::uint64_t> m_begins{0}; ///< one more than layers: the last is the end
};

} // namespace inca

#endif // INCA_TRACE_GRADIENT_TRACE_H
