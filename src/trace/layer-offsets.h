/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_LAYER_OFFSETS_H
#define INCA_TRACE_LAYER_OFFSETS_H

#include "trace/gradient-trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

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

#endif // INCA_TRACE_LAYER_OFFSETS_H
