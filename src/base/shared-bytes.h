/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_SHARED_BYTES_H
#define INCA_BASE_SHARED_BYTES_H

#include "base/word.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Bytes that are written once and then only read: a message, its frames and who receives it share them
 * instead of copying. Who holds a part keeps all that it is a part of. Not for several threads.
 *
 * What a codec has made of some of them may be left with them (KeepStream): who sends the same bytes on need not make
 * it again, nor need who gets it undo that again. It is there as long as their memory is, and until somebody may
 * write to that.
 */
class SharedBytes
{
  public:
    /** None: where only sizes travel. */
    SharedBytes() = default;

    SharedBytes(const SharedBytes& other)
        : SharedBytes(other.m_memory, other.m_bytes, other.m_size)
    {
    }

    SharedBytes(SharedBytes&& other) noexcept
        : m_memory(std::exchange(other.m_memory, nullptr)),
          m_bytes(std::exchange(other.m_bytes, nullptr)),
          m_size(std::exchange(other.m_size, 0))
    {
    }

    SharedBytes& operator=(SharedBytes other) noexcept
    {
        std::swap(m_memory, other.m_memory);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_size, other.m_size);
        return *this;
    }

    ~SharedBytes()
    {
        if (m_memory != nullptr && --m_memory->holders == 0)
        {
            delete m_memory;
        }
    }

    /** What an array holds, which may be nothing. @param array of trivial elements, such as LargeWords */
    template <typename Array>
    static SharedBytes Of(Array array)
    {
        const auto size = array.size() * sizeof(*array.data());
        auto* const memory = new MemoryOf<Array>(std::move(array));
        return {memory, reinterpret_cast<std::uint8_t*>(memory->array.data()), size};
    }

    /** Whether there are any, be it none of them. */
    bool AreThere() const
    {
        return m_memory != nullptr;
    }

    std::uint64_t size() const
    {
        return m_size;
    }

    const std::uint8_t* data() const
    {
        return m_bytes;
    }

    /** As words, if they are such, from a word's address on. */
    const Word* Words() const
    {
        return WordsAt(m_bytes);
    }

    /** As fp32 values, the same way. */
    const float* Floats() const
    {
        return reinterpret_cast<const float*>(m_bytes);
    }

    /** @return @p count of them, from @p offset on; they share the memory */
    SharedBytes Part(std::uint64_t offset, std::uint64_t count) const
    {
        return {m_memory, m_bytes + offset, count};
    }

    /** Whether @p next stands behind them in the same memory, as their next part. */
    bool GoOnWith(const SharedBytes& next) const
    {
        return AreThere() && m_memory == next.m_memory && m_bytes + m_size == next.m_bytes;
    }

    /** Whether both are the same part of the same memory. */
    bool AreThoseOf(const SharedBytes& other) const
    {
        return m_memory == other.m_memory && m_bytes == other.m_bytes && m_size == other.m_size;
    }

    /** Takes in what stands behind them (GoOnWith). @param count bytes */
    void Lengthen(std::uint64_t count)
    {
        m_size += count;
    }

    /** Where to write, as words: null unless nobody else holds any of this memory. */
    Word* WritableWords()
    {
        if (!AreThere() || m_memory->holders != 1)
        {
            return nullptr;
        }
        m_memory->ForgetStreams();
        return reinterpret_cast<Word*>(m_bytes);
    }

    /**
     * Leaves with these bytes what @p codec has made of them, which it would make again.
     * @param codec tells one from the others, by its address
     * @param stream all of a memory that is left nowhere else
     */
    void KeepStream(const void* codec, SharedBytes stream) const;

    /** What @p codec has made of just these (KeepStream), if that is known; else none. */
    SharedBytes StreamBy(const void* codec) const;

    /** Of what @p codec has made just these (KeepStream), if that is still there; else none. */
    SharedBytes SourceBy(const void* codec) const;

    /** Says that what these were made of comes out of them again, bit by bit. */
    void SetComesBack() const
    {
        m_memory->comesBack = true;
    }

    /** Whether that was said. */
    bool ComesBack() const
    {
        return AreThere() && m_memory->comesBack;
    }

  private:
    struct Stream;

    /** What an array lies in: who holds it, and what was made of it. */
    struct Memory
    {
        Memory() = default;
        virtual ~Memory();
        Memory(const Memory&) = delete;
        Memory& operator=(const Memory&) = delete;

        void ForgetStreams();

        std::uint64_t holders{0};
        std::vector<Stream> streams; ///< by what they are of, ascending
        Memory* source{nullptr};     ///< among whose streams it is
        bool comesBack{false};
    };

    template <typename Array>
    struct MemoryOf : Memory
    {
        explicit MemoryOf(Array of)
            : array(std::move(of))
        {
        }

        Array array;
    };

    SharedBytes(Memory* memory, std::uint8_t* bytes, std::uint64_t size)
        : m_memory(memory),
          m_bytes(bytes),
          m_size(size)
    {
        if (memory != nullptr)
        {
            ++memory->holders;
        }
    }

    Memory* m_memory{nullptr};
    std::uint8_t* m_bytes{nullptr}; ///< the first of them
    std::uint64_t m_size{0};
};

/** What a codec has made of a part of a memory. */
struct SharedBytes::Stream
{
    std::uint8_t* first; ///< of the part
    std::uint64_t size;
    const void* codec;
    SharedBytes bytes;
};

} // namespace inca

#endif // INCA_BASE_SHARED_BYTES_H
