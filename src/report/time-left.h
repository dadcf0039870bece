/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TIME_LEFT_H
#define INCA_REPORT_TIME_LEFT_H

#include <optional>
#include <string>

namespace inca
{

/**
 * How long a work still takes, by how long its share so far took. What comes before the first share (reading,
 * planning, building) does not count, and a share that falls is a new beginning.
 */
class TimeLeft
{
  public:
    /** @param share of the work that is done, 0..1 @param nowSeconds of any clock that only goes on */
    void Tell(double share, double nowSeconds);

    /** As last told, in seconds; empty before there is enough to tell it from. */
    std::optional<double> Seconds() const;

  private:
    struct Mark
    {
        double share{0};
        double seconds{0};
    };

    std::optional<Mark> m_first;
    Mark m_last;
};

/** "12 s left", "1.5 min left"; empty if it is not known, and in the last second. */
std::string LeftText(std::optional<double> seconds);

} // namespace inca

#endif // INCA_REPORT_TIME_LEFT_H
