/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/mean-bits.h"

#include "base/errors.h"

#include <algorithm>
#include <memory>

namespace inca
{

MeanBits::MeanBits(const GradientTrace& trace, const Codec& codec)
    : m_begins{0}
{
    for (const auto& layer : trace.layers)
    {
        const auto bits = codec.MeanBits(
            {layer.statistics.density, layer.statistics.exponents, layer.statistics.widths});
        if (!bits)
        {
            throw InputError("trace '" + trace.name + "': layer '" + layer.name +
                             "' has no statistics that tell its size in this codec; add width "
                             "shares or an exponent histogram to the trace, let values of a "
                             "file travel (training.values, training.values_file), or say what "
                             "a value takes (codec.bits_per_value, inca::CodecFactory::MeanBits)");
        }
        m_begins.push_back(m_begins.back() + layer.elements);
        m_bits.push_back(*bits);
    }
}

double
MeanBits::Of(ElementRange range) const
{
    const auto end = range.begin + range.count;
    auto layer = static_cast<std::size_t>(
        std::upper_bound(m_begins.begin(), m_begins.end(), range.begin) - m_begins.begin() - 1);
    if (range.count == 0 || end <= m_begins[layer + 1])
    {
        return range.count == 0 ? 0 : m_bits[layer]; // one layer: its mean, unrounded
    }
    const auto first = m_bits[layer];
    bool isUniform = true;
    double sum = 0;
    for (; layer < m_bits.size() && m_begins[layer] < end; ++layer)
    {
        const auto from = std::max(range.begin, m_begins[layer]);
        const auto to = std::min(end, m_begins[layer + 1]);
        sum += m_bits[layer] * static_cast<double>(to - from);
        isUniform = isUniform && m_bits[layer] == first;
    }
    return isUniform ? first : sum / static_cast<double>(range.count);
}

std::function<double(ElementRange)>
MeanBitsOf(const GradientTrace& trace, const Codec& codec, std::optional<double> given)
{
    if (given)
    {
        return [bits = *given](ElementRange) { return bits; };
    }
    return [bits = std::make_shared<const MeanBits>(trace, codec)](ElementRange range) {
        return bits->Of(range);
    };
}

} // namespace inca
