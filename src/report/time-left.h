/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TIME_LEFT_H
#define INCA_REPORT_TIME_LEFT_H

#include <optional>
#include <string>

namespace inca
{

/** How long a work still takes, by which share of it is over, and how long that took. */
class TimeLeft
{
  public:
    /** @param share of the work that is done, 0..1 @param seconds since it began */
    void Tell(double share, double seconds);

    /** As last told, in seconds; empty before there is enough to tell it from. */
    std::optional<double> Seconds() const;

  private:
    double m_share{0};
    double m_seconds{0};
};

/** "12 s left", "1.5 min left"; empty if it is not known, and in the last second. */
std::string LeftText(std::optional<double> seconds);

} // namespace inca

#endif // INCA_REPORT_TIME_LEFT_H
