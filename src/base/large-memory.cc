/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/large-memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <new>

namespace inca
{

namespace
{

constexpr std::size_t SMALLEST_STEP{std::size_t{1} << 16U};

struct Block
{
    void* memory;
    std::size_t bytes;
};

/** What has been given back, the latest last. */
struct Kept
{
    std::deque<Block> blocks;
    std::size_t bytes{0};
    std::size_t usedBytes{0}; ///< by others
    std::size_t mostBytes{0}; ///< that were used at once since none were

    /** Gives the oldest back to the system until there are at most so many. */
    void Shrink(std::size_t mostKept)
    {
        while (bytes > mostKept)
        {
            munmap(blocks.front().memory, blocks.front().bytes);
            bytes -= blocks.front().bytes;
            blocks.pop_front();
        }
    }
};

Kept&
TheKept()
{
    static Kept kept;
    return kept;
}

/** In steps of an eighth of the next power of 2 below, so that nearly equal arrays have equal blocks. */
std::size_t
BlockBytes(std::size_t bytes)
{
    auto step = SMALLEST_STEP;
    while (step * 16 <= bytes)
    {
        step *= 2;
    }
    return (bytes + step - 1) / step * step;
}

void*
Map(std::size_t bytes)
{
    auto* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
    {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

void*
AllocateLarge(std::size_t bytes)
{
    if (bytes < LARGE_BYTES)
    {
        return ::operator new(bytes);
    }
    const auto blockBytes = BlockBytes(bytes);
    auto& kept = TheKept();
    kept.usedBytes += blockBytes;
    for (auto block = kept.blocks.rbegin(); block != kept.blocks.rend(); ++block)
    {
        if (block->bytes == blockBytes)
        {
            auto* const memory = block->memory;
            kept.bytes -= blockBytes;
            kept.blocks.erase(std::next(block).base());
            return memory;
        }
    }
    kept.mostBytes = std::max(kept.mostBytes, kept.usedBytes);
    kept.Shrink(kept.mostBytes - kept.usedBytes);
    return Map(blockBytes);
}

void
FreeLarge(void* memory, std::size_t bytes) noexcept
{
    if (bytes < LARGE_BYTES)
    {
        ::operator delete(memory);
        return;
    }
    auto& kept = TheKept();
    const auto blockBytes = BlockBytes(bytes);
    kept.blocks.push_back({memory, blockBytes});
    kept.bytes += blockBytes;
    kept.usedBytes -= blockBytes;
    if (kept.usedBytes == 0)
    {
        kept.Shrink(0);
        kept.mostBytes = 0;
    }
}

std::size_t
KeptLargeBytes()
{
    return TheKept().bytes;
}

} // namespace inca
