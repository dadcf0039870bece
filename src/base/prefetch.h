/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PREFETCH_H
#define INCA_BASE_PREFETCH_H

#include <cstddef>
#include <cstdint>

namespace inca
{

constexpr std::size_t CACHE_LINE_BYTES{64};

/** Has memory fetched into the caches, where the processor can; it need not be anybody's. */
inline void
PrefetchBytes(const void* memory, std::size_t bytes)
{
    const auto fetch = [first = reinterpret_cast<std::uintptr_t>(memory)](std::size_t offset) {
        __builtin_prefetch(reinterpret_cast<const void*>(first + offset));
    };
    for (std::size_t offset = 0; offset < bytes; offset += CACHE_LINE_BYTES)
    {
        fetch(offset);
    }
    if (bytes > 0)
    {
        fetch(bytes - 1);
    }
}

/** All of @p object. */
template <typename Object>
inline void
Prefetch(const Object& object)
{
    PrefetchBytes(&object, sizeof(Object));
}

/** All that stands from @p first to @p last, two members of one object. */
template <typename First, typename Last>
inline void
PrefetchMembers(const First& first, const Last& last)
{
    const auto* const begin = reinterpret_cast<const char*>(&first);
    const auto* const end = reinterpret_cast<const char*>(&last + 1);
    PrefetchBytes(begin, static_cast<std::size_t>(end - begin));
}

} // namespace inca

#endif // INCA_BASE_PREFETCH_H
