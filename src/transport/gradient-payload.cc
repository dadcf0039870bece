/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/gradient-payload.h"

#include "base/large-memory.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t BLOCK = 4096; ///< words that are filled at once

class WholePayload : public PayloadSource
{
  public:
    explicit WholePayload(SharedBytes bytes)
        : m_bytes(std::move(bytes))
    {
    }

    SharedBytes At(std::uint64_t offset, std::uint64_t count) const override
    {
        return m_bytes.Part(offset, count);
    }

  private:
    SharedBytes m_bytes;
};

/** Fills a block of whole frames at a time: those of one message are asked for one after the other. */
class LazyPayload : public PayloadSource
{
  public:
    LazyPayload(ElementRange range, std::function<void(ElementRange, Word*)> fill)
        : m_range(range),
          m_fill(std::move(fill))
    {
    }

    SharedBytes At(std::uint64_t offset, std::uint64_t count) const override
    {
        if (offset < m_begin || offset + count > m_begin + m_block.size())
        {
            Load(offset, count);
        }
        return m_block.Part(offset - m_begin, count);
    }

  private:
    void Load(std::uint64_t offset, std::uint64_t count) const
    {
        const auto first = offset / sizeof(Word);
        const auto end = (offset + count + sizeof(Word) - 1) / sizeof(Word);
        const auto frames = std::max<std::uint64_t>(1, BLOCK / (end - first));
        LargeWords words(std::min(frames * (end - first), m_range.count - first));
        m_fill({m_range.begin + first, words.size()}, words.data());
        m_begin = first * sizeof(Word);
        m_block = SharedBytes::Of(std::move(words));
    }

    ElementRange m_range;
    std::function<void(ElementRange, Word*)> m_fill;
    mutable std::uint64_t m_begin{0}; ///< of the block, in the message (bytes)
    mutable SharedBytes m_block;
};

/** Fills one memory from its beginning on, of which the system provides the pages that are filled. */
class GrowingPayload : public PayloadSource
{
  public:
    GrowingPayload(ElementRange range, std::function<void(ElementRange, Word*)> fill)
        : m_range(range),
          m_fill(std::move(fill))
    {
    }

    SharedBytes At(std::uint64_t offset, std::uint64_t count) const override
    {
        if (!m_words.AreThere())
        {
            LargeWords words(m_range.count);
            m_first = words.data();
            m_words = SharedBytes::Of(std::move(words));
        }
        while (m_filled * sizeof(Word) < offset + count)
        {
            const auto part = std::min(BLOCK, m_range.count - m_filled);
            m_fill({m_range.begin + m_filled, part}, m_first + m_filled);
            m_filled += part;
        }
        return m_words.Part(offset, count);
    }

  private:
    ElementRange m_range;
    std::function<void(ElementRange, Word*)> m_fill;
    mutable SharedBytes m_words;
    mutable Word* m_first{nullptr};
    mutable std::uint64_t m_filled{0};
};

} // namespace

std::shared_ptr<const PayloadSource>
MakePayload(SharedBytes bytes)
{
    return std::make_shared<WholePayload>(std::move(bytes));
}

std::shared_ptr<const PayloadSource>
MakeLazyPayload(ElementRange range, std::function<void(ElementRange, Word*)> fill)
{
    return std::make_shared<LazyPayload>(range, std::move(fill));
}

std::shared_ptr<const PayloadSource>
MakeGrowingPayload(ElementRange range, std::function<void(ElementRange, Word*)> fill)
{
    return std::make_shared<GrowingPayload>(range, std::move(fill));
}

} // namespace inca
