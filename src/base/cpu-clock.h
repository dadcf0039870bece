/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_CPU_CLOCK_H
#define INCA_BASE_CPU_CLOCK_H

#include <ctime>

namespace inca
{

/** CPU time of this process since it was made: whatever else the machine does, it counts what this one did. */
class CpuClock
{
  public:
    double Seconds() const
    {
        return static_cast<double>(std::clock() - m_begin) / CLOCKS_PER_SEC;
    }

  private:
    std::clock_t m_begin{std::clock()};
};

} // namespace inca

#endif // INCA_BASE_CPU_CLOCK_H
