/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_SHARED_BYTES_H
#define INCA_BASE_SHARED_BYTES_H

#include "base/word.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace inca
{

/**
 * Bytes that are written once and then only read: a message, its frames and who receives it share them
 * instead of copying. Who holds a part keeps all that it is a part of. Not for several threads.
 */
class SharedBytes
{
  public:
    /** None: where only sizes travel. */
    SharedBytes() = default;

    /** What an array holds, which may be nothing. @param array of trivial elements, such as LargeWords */
    template <typename Array>
    static SharedBytes Of(Array array)
    {
        SharedBytes bytes;
        bytes.m_size = array.size() * sizeof(*array.data());
        auto owner = std::make_shared<Array>(std::move(array));
        bytes.m_bytes = {owner, reinterpret_cast<std::uint8_t*>(owner->data())};
        return bytes;
    }

    /** Whether there are any, be it none of them. */
    bool AreThere() const
    {
        return m_bytes.use_count() > 0;
    }

    std::uint64_t size() const
    {
        return m_size;
    }

    const std::uint8_t* data() const
    {
        return m_bytes.get();
    }

    /** As words, if they are such, from a word's address on. */
    const Word* Words() const
    {
        return WordsAt(m_bytes.get());
    }

    /** As fp32 values, the same way. */
    const float* Floats() const
    {
        return reinterpret_cast<const float*>(m_bytes.get());
    }

    /** @return @p count of them, from @p offset on; they share the memory */
    SharedBytes Part(std::uint64_t offset, std::uint64_t count) const
    {
        SharedBytes part;
        part.m_bytes = {m_bytes, m_bytes.get() + offset};
        part.m_size = count;
        return part;
    }

    /** Whether @p next stands behind them in the same memory, as their next part. */
    bool GoOnWith(const SharedBytes& next) const
    {
        const bool isShared =
            !m_bytes.owner_before(next.m_bytes) && !next.m_bytes.owner_before(m_bytes);
        return AreThere() && isShared && m_bytes.get() + m_size == next.m_bytes.get();
    }

    /** Takes in what stands behind them (GoOnWith). @param count bytes */
    void Lengthen(std::uint64_t count)
    {
        m_size += count;
    }

    /** Where to write, as words: null unless nobody else holds any of this memory. */
    Word* WritableWords()
    {
        return m_bytes.use_count() == 1 ? reinterpret_cast<Word*>(m_bytes.get()) : nullptr;
    }

  private:
    std::shared_ptr<std::uint8_t> m_bytes; ///< the first of them
    std::uint64_t m_size{0};
};

} // namespace inca

#endif // INCA_BASE_SHARED_BYTES_H
