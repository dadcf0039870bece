/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_RING_QUEUE_H
#define INCA_BASE_RING_QUEUE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace inca
{

/**
 * First in, first out, and each one by its place. Takes 24 bytes while it holds nothing, where a
 * std::deque takes 656: for what there are millions of, most of them empty. Has room for at most
 * twice what it held since it was empty, or was told to expect; while it is empty, for KEPT_SLOTS at
 * most. Holds less than 2^31. Not thread-safe.
 */
template <typename T, std::uint32_t KEPT_SLOTS = 2>
class RingQueue
{
  public:
    bool empty() const
    {
        return m_size == 0;
    }

    std::size_t size() const
    {
        return m_size;
    }

    /** @param place from 0, less than size() @{ */
    T& operator[](std::size_t place)
    {
        return m_slots[SlotOf(place)];
    }

    const T& operator[](std::size_t place) const
    {
        return m_slots[SlotOf(place)];
    }
    /** @} */

    /** There is one. @{ */
    T& front()
    {
        return m_slots[m_first];
    }

    const T& front() const
    {
        return m_slots[m_first];
    }

    T& back()
    {
        return (*this)[m_size - 1];
    }
    /** @} */

    void push_back(T value)
    {
        if (m_size == m_capacity)
        {
            Grow(m_capacity == 0 ? 1 : 2 * m_capacity);
        }
        m_slots[SlotOf(m_size)] = std::move(value);
        ++m_size;
    }

    /** There is one. */
    void pop_front()
    {
        m_slots[m_first] = T{};
        m_first = static_cast<std::uint32_t>(SlotOf(1));
        --m_size;
        if (m_size == 0 && m_capacity > KEPT_SLOTS)
        {
            m_slots.reset();
            m_capacity = 0;
            m_first = 0;
        }
    }

    /** There will be @p count of them, or nearly so many. */
    void Expect(std::size_t count)
    {
        auto capacity = m_capacity == 0 ? 1 : m_capacity;
        while (capacity < count)
        {
            capacity *= 2;
        }
        if (capacity > m_capacity)
        {
            Grow(capacity);
        }
    }

  private:
    std::size_t SlotOf(std::size_t place) const
    {
        return (m_first + place) & (m_capacity - 1);
    }

    /** @param capacity a power of two */
    void Grow(std::uint32_t capacity)
    {
        std::unique_ptr<T[]> slots(new T[capacity]());
        for (std::size_t i = 0; i < m_size; ++i)
        {
            slots[i] = std::move((*this)[i]);
        }
        m_slots = std::move(slots);
        m_capacity = capacity;
        m_first = 0;
    }

    std::unique_ptr<T[]> m_slots; // NOLINT: with m_capacity, smaller than a vector
    std::uint32_t m_capacity{0};  ///< none, or a power of two
    std::uint32_t m_first{0};
    std::uint32_t m_size{0};
};

} // namespace inca

#endif // INCA_BASE_RING_QUEUE_H
