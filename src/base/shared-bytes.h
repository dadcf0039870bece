/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_SHARED_BYTES_H
#define INCA_BASE_SHARED_BYTES_H

#include "inca/base/word.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/** A part of an array that nobody writes to any more: a message and its frames share the array instead of copying it. */
class SharedBytes
{
  public:
    /** None: where only sizes travel. */
    SharedBytes() = default;

    /** What an array holds, which may be nothing. */
    template <typename Element>
    static SharedBytes Of(std::vector<Element> array)
    {
        SharedBytes bytes;
        const auto shared = std::make_shared<const std::vector<Element>>(std::move(array));
        bytes.m_bytes = reinterpret_cast<const std::uint8_t*>(shared->data());
        bytes.m_size = shared->size() * sizeof(Element);
        bytes.m_array = shared;
        return bytes;
    }

    /** Whether there is an array, which may be empty. */
    bool AreThere() const
    {
        return m_array != nullptr;
    }

    std::uint64_t size() const
    {
        return m_size;
    }

    const std::uint8_t* data() const
    {
        return m_bytes;
    }

    /** As words; the bytes begin at the address of a word. */
    const Word* Words() const
    {
        return WordsAt(m_bytes);
    }

    /** @return @p count of them, from @p offset on; they share the array */
    SharedBytes Part(std::uint64_t offset, std::uint64_t count) const
    {
        auto part = *this;
        part.m_bytes += offset;
        part.m_size = count;
        return part;
    }

  private:
    std::shared_ptr<const void> m_array;
    const std::uint8_t* m_bytes{nullptr};
    std::uint64_t m_size{0};
};

} // namespace inca

#endif // INCA_BASE_SHARED_BYTES_H
