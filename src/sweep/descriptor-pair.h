/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_DESCRIPTOR_PAIR_H
#define INCA_SWEEP_DESCRIPTOR_PAIR_H

#include <array>
#include <cstddef>
#include <string_view>

namespace inca
{

/** Two ends of what processes tell each other through; what is still here is closed at the end. */
class DescriptorPair
{
  public:
    /** What is written to end 1 is read from end 0. @throws RunError if there is none to be had */
    static DescriptorPair Pipe();

    /** What is written to either end is read from the other. @throws RunError if there is none to be had */
    static DescriptorPair Sockets();

    ~DescriptorPair();

    DescriptorPair(const DescriptorPair&) = delete;
    DescriptorPair& operator=(const DescriptorPair&) = delete;

    int End(std::size_t end) const
    {
        return m_ends[end];
    }

    /** From here on the caller closes it. */
    int Take(std::size_t end);

    void Close(std::size_t end);

  private:
    explicit DescriptorPair(const std::array<int, 2>& ends)
        : m_ends(ends)
    {
    }

    std::array<int, 2> m_ends;
};

/** @return whether all of it could be written */
bool WriteAll(int descriptor, std::string_view text);

} // namespace inca

#endif // INCA_SWEEP_DESCRIPTOR_PAIR_H
