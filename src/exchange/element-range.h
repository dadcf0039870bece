/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_ELEMENT_RANGE_H
#define INCA_EXCHANGE_ELEMENT_RANGE_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace inca
{

/** Consecutive values of the tensor that is exchanged. */
struct ElementRange
{
    std::uint64_t begin{0};
    std::uint64_t count{0}; ///< may be 0: an empty block still takes its step, and its message

    std::uint64_t End() const
    {
        return begin + count;
    }

    bool operator==(const ElementRange& other) const
    {
        return begin == other.begin && count == other.count;
    }
};

/** @return elements of all of them */
inline std::uint64_t
TotalCount(const std::vector<ElementRange>& ranges)
{
    std::uint64_t count = 0;
    for (const auto& range : ranges)
    {
        count += range.count;
    }
    return count;
}

/** @return what @p range and @p window share, which may be empty */
inline ElementRange
Clip(ElementRange range, ElementRange window)
{
    const auto begin = std::max(range.begin, window.begin);
    const auto end = std::min(range.End(), window.End());
    return {begin, end > begin ? end - begin : 0};
}

/** @return all elements between the first and the last one of both, of which either may have none */
inline ElementRange
Spanned(ElementRange a, ElementRange b)
{
    if (a.count == 0 || b.count == 0)
    {
        return a.count == 0 ? b : a;
    }
    const auto begin = std::min(a.begin, b.begin);
    return {begin, std::max(a.End(), b.End()) - begin};
}

/**
 * Cuts 0 .. elements-1 into @p blocks blocks that differ by one element at most, the larger ones
 * first: 10 elements in 4 blocks are 3, 3, 2, 2. Fewer elements than blocks leave empty blocks.
 * @param index < @p blocks
 */
inline ElementRange
BlockOf(std::uint64_t elements, std::uint64_t blocks, std::uint64_t index)
{
    const auto size = elements / blocks;
    const auto larger = elements % blocks;
    return {index * size + std::min(index, larger), size + (index < larger ? 1 : 0)};
}

} // namespace inca

#endif // INCA_EXCHANGE_ELEMENT_RANGE_H
