/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PREFETCH_H
#define INCA_BASE_PREFETCH_H

#include <cstddef>

namespace inca
{

constexpr std::size_t CACHE_LINE_BYTES{64};

/** Has memory fetched into the caches, where the processor can; it need not be anybody's. */
inline void
PrefetchBytes(const void* memory, std::size_t bytes)
{
    const auto* const first = static_cast<const char*>(memory);
    for (std::size_t offset = 0; offset < bytes; offset += CACHE_LINE_BYTES)
    {
        __builtin_prefetch(first + offset);
    }
    if (bytes > 0)
    {
        __builtin_prefetch(first + bytes - 1);
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
