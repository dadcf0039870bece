/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_LARGE_MEMORY_H
#define INCA_BASE_LARGE_MEMORY_H

#include "base/word.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Memory for arrays that may be as large as gradients. Of LARGE_BYTES and more, what was given back last is
 * taken first, as getting pages of the system costs more than a sum of what they hold. What is kept so and
 * what is in use are together never more than was in use at once, and nothing is kept when nothing is in use.
 * Not for several threads.
 * @throws std::bad_alloc
 */
void* AllocateLarge(std::size_t bytes);
void FreeLarge(void* memory, std::size_t bytes) noexcept;

constexpr std::size_t LARGE_BYTES{std::size_t{1} << 18U};

/** Memory that AllocateLarge has got and nobody uses. (bytes) */
std::size_t KeptLargeBytes();

/** Of such memory; an element that is added without a value is not written. */
template <typename Element>
class LargeAllocator : public std::allocator<Element>
{
  public:
    template <typename Other>
    struct rebind // NOLINT: the standard's name
    {
        using other = LargeAllocator<Other>;
    };

    LargeAllocator() = default;

    template <typename Other>
    LargeAllocator(
        const LargeAllocator<Other>& /*other*/) noexcept // NOLINT: converts, as the standard has it
    {
    }

    Element* allocate(std::size_t count)
    {
        return static_cast<Element*>(AllocateLarge(count * sizeof(Element)));
    }

    void deallocate(Element* memory, std::size_t count) noexcept
    {
        FreeLarge(memory, count * sizeof(Element));
    }

    template <typename Made>
    void construct(Made* place) noexcept
    {
        ::new (static_cast<void*>(place)) Made; // not Made(): nothing is written
    }

    template <typename Made, typename... Arguments>
    void construct(Made* place, Arguments&&... arguments)
    {
        ::new (static_cast<void*>(place)) Made(std::forward<Arguments>(arguments)...);
    }
};

using LargeWords = std::vector<Word, LargeAllocator<Word>>;
using LargeFloats = std::vector<float, LargeAllocator<float>>;
using LargeBytes = std::vector<std::uint8_t, LargeAllocator<std::uint8_t>>;

} // namespace inca

#endif // INCA_BASE_LARGE_MEMORY_H
