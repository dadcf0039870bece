/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/gradient-payload.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace inca
{

namespace
{

class BytePayload : public PayloadSource
{
  public:
    explicit BytePayload(std::vector<std::uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    void Read(std::uint64_t offset, std::uint64_t count, std::uint8_t* out) const override
    {
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, out);
    }

  private:
    std::vector<std::uint8_t> m_bytes;
};

class WordPayload : public PayloadSource
{
  public:
    explicit WordPayload(LargeWords words)
        : m_words(std::move(words))
    {
    }

    void Read(std::uint64_t offset, std::uint64_t count, std::uint8_t* out) const override
    {
        std::memcpy(out, reinterpret_cast<const std::uint8_t*>(m_words.data()) + offset, count);
    }

  private:
    LargeWords m_words;
};

/** Fills a block at a time: frames of one message are read one after the other. */
class LazyPayload : public PayloadSource
{
  public:
    LazyPayload(ElementRange range, std::function<void(ElementRange, Word*)> fill)
        : m_range(range),
          m_fill(std::move(fill))
    {
    }

    void Read(std::uint64_t offset, std::uint64_t count, std::uint8_t* out) const override
    {
        while (count > 0)
        {
            const auto element = offset / sizeof(Word);
            Load(element);
            const auto at = offset - m_block.begin * sizeof(Word);
            const auto part = std::min(count, m_block.count * sizeof(Word) - at);
            std::memcpy(out, reinterpret_cast<const std::uint8_t*>(m_words.data()) + at, part);
            offset += part;
            out += part;
            count -= part;
        }
    }

  private:
    static constexpr std::uint64_t BLOCK = 4096; ///< words

    void Load(std::uint64_t element) const
    {
        if (element >= m_block.begin && element < m_block.begin + m_block.count)
        {
            return;
        }
        m_block.begin = element / BLOCK * BLOCK;
        m_block.count = std::min(BLOCK, m_range.count - m_block.begin);
        m_words.resize(m_block.count);
        m_fill({m_range.begin + m_block.begin, m_block.count}, m_words.data());
    }

    ElementRange m_range;
    std::function<void(ElementRange, Word*)> m_fill;
    mutable ElementRange m_block;
    mutable std::vector<Word> m_words;
};

} // namespace

std::shared_ptr<const PayloadSource>
MakeWordPayload(LargeWords words)
{
    return std::make_shared<WordPayload>(std::move(words));
}

std::shared_ptr<const PayloadSource>
MakeLazyPayload(ElementRange range, std::function<void(ElementRange, Word*)> fill)
{
    return std::make_shared<LazyPayload>(range, std::move(fill));
}

std::shared_ptr<const PayloadSource>
MakeBytePayload(std::vector<std::uint8_t> bytes)
{
    return std::make_shared<BytePayload>(std::move(bytes));
}

} // namespace inca
