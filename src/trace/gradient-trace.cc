/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/gradient-trace.h"

namespace inca
{

std::vector<std::uint64_t>
TensorsOf(const LayerRecord& layer)
{
    return layer.tensors.empty() ? std::vector<std::uint64_t>{layer.elements} : layer.tensors;
}

std::uint64_t
GradientTrace::Elements() const
{
    std::uint64_t sum = 0;
    for (const auto& layer : layers)
    {
        sum += layer.elements;
    }
    return sum;
}

std::uint64_t
GradientTrace::BytesPerElement() const
{
    return gradientType == "fp32" ? 4 : 2;
}

std::uint64_t
GradientTrace::Bytes() const
{
    return Elements() * BytesPerElement();
}

} // namespace inca
