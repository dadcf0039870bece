/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/trip-saving.h"

#include "exchange/slot-scheme.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace inca
{

namespace
{

/** What it is if it is raised by a quarter. */
template <typename Number>
Number
Raised(Number number)
{
    return static_cast<Number>(std::ceil(static_cast<double>(number) * RAISE));
}

/** What one frame of each trip takes where a frame takes longest. */
double
FramePs(const TripTimes& times)
{
    return times.busyFrames == 0
               ? 0
               : static_cast<double>(times.busyPs) * static_cast<double>(times.count) /
                     static_cast<double>(times.busyFrames);
}

/** What is left beside the resource that works longest, if @p frames pass it in each trip. */
double
IdlePs(const TripTimes& times, double frames)
{
    const auto workPs = std::max(static_cast<double>(times.busyPs), frames * FramePs(times));
    return std::max(0.0, static_cast<double>(times.allPs) - workPs);
}

/** How a window lets a message go. */
struct WindowTrips
{
    double count;  ///< for which the message waits
    double frames; ///< of each
    double first;  ///< of these, for which the first answer waits
};

/**
 * An answer is for several frames, so what is left of a window waits with those of the next one, whose answer comes
 * earlier by it.
 * @param all frames that follow each other
 */
WindowTrips
TripsOf(std::uint32_t message, std::uint32_t all, std::uint32_t window, std::uint32_t ackEvery)
{
    const auto together = std::min({window, ackEvery, message});
    const auto frames = window / together * together;
    const double waiting = all > window ? all - window : 0;
    return {std::ceil(waiting / frames),
            static_cast<double>(frames),
            static_cast<double>(together - (window - frames))};
}

/** @param message its frames */
TripSaving
SavingOfWindow(std::uint32_t message,
               const TripTimes& times,
               std::uint32_t window,
               std::uint32_t ackEvery)
{
    constexpr std::uint32_t many{1U << 24U};
    const auto all = message > window ? message : many; // short ones wait for those before them
    const auto trips = TripsOf(message, all, window, ackEvery);
    const auto raised = TripsOf(message, all, Raised(window), ackEvery);
    const auto allPs = static_cast<double>(times.allPs);
    const auto raisedPs = allPs + (raised.first - trips.first) * FramePs(times);
    return {allPs - raised.count / trips.count * raisedPs, IdlePs(times, trips.frames)};
}

/** @param stream its packets with values, times 2, and 1 if as many go ahead without as there are slots */
TripSaving
SavingOfSlots(std::uint32_t stream, const TripTimes& times, std::uint64_t slots, bool isAlone)
{
    const auto tripsOf = [stream](std::uint64_t of) {
        const auto packets = stream / 2;
        const auto ahead = stream % 2 == 1 ? std::min<std::uint64_t>(of, packets) : 0;
        return static_cast<double>(packets + ahead) / static_cast<double>(of);
    };
    auto trips = tripsOf(slots);
    auto raised = tripsOf(Raised(slots));
    if (trips > 1 && isAlone)
    {
        trips = std::ceil(trips) - 1; // the first slots are not waited for
        raised = std::ceil(raised) - 1;
    }
    return {static_cast<double>(times.allPs) * (1 - raised / trips),
            IdlePs(times, static_cast<double>(slots))};
}

} // namespace

TripSaving
SavingOf(PathKind limit, std::uint32_t detail, const TripTimes& times, const Resolved& resolved)
{
    const auto window = resolved.window;
    const bool isWindow = limit == PathKind::WINDOW;
    const auto slots = isWindow ? 0 : ReadSlotFormat(resolved.scenario.rowSettings).slots;
    if (detail == 0) // of flows: many trips
    {
        const auto number = isWindow ? window : slots;
        const auto left = static_cast<double>(number) / static_cast<double>(Raised(number));
        return {static_cast<double>(times.allPs) * (1 - left), IdlePs(times, 0)};
    }
    return isWindow ? SavingOfWindow(detail, times, window, resolved.scenario.transport.ackEvery)
                    : SavingOfSlots(detail, times, slots, resolved.concurrent == 1);
}

} // namespace inca
