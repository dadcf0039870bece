/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_RING_QUEUE_H
#define INCA_BASE_RING_QUEUE_H

#include <cstddef>
#include <utility>
#include <vector>

namespace inca
{

/**
 * First in, first out, and each one by its place. Takes 40 bytes while it holds nothing, where a
 * std::deque takes 656: for what there are millions of, most of them empty. Has room for at most
 * twice what it held since it was empty. Not thread-safe.
 */
template <typename T>
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
    /** @} */

    void push_back(T value)
    {
        if (m_size == m_slots.size())
        {
            Grow();
        }
        m_slots[SlotOf(m_size)] = std::move(value);
        ++m_size;
    }

    /** There is one. */
    void pop_front()
    {
        m_slots[m_first] = T{};
        m_first = SlotOf(1);
        --m_size;
        if (m_size == 0 && m_slots.size() > KEPT_SLOTS)
        {
            m_slots = {};
            m_first = 0;
        }
    }

  private:
    static constexpr std::size_t KEPT_SLOTS{2}; ///< while empty, at most

    std::size_t SlotOf(std::size_t place) const
    {
        return (m_first + place) & (m_slots.size() - 1);
    }

    void Grow()
    {
        std::vector<T> slots(m_slots.empty() ? 1 : 2 * m_slots.size());
        for (std::size_t i = 0; i < m_size; ++i)
        {
            slots[i] = std::move((*this)[i]);
        }
        m_slots.swap(slots);
        m_first = 0;
    }

    std::vector<T> m_slots; ///< none, or a power of two
    std::size_t m_first{0};
    std::size_t m_size{0};
};

} // namespace inca

#endif // INCA_BASE_RING_QUEUE_H
