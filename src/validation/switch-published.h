/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_PUBLISHED_H
#define INCA_VALIDATION_SWITCH_PUBLISHED_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** The numbers of others that slots in a switch are put beside. */

/** So many iterations the reference simulator was run for, from 1 on. */
constexpr std::size_t g_referenceIterations = 10;

/**
 * What an independent packet-level simulator of SwitchML (OMNeT++, public) gives: the time from the
 * start until every worker has ended its last update, by iterations. Each is one random run, whose
 * compute times are drawn from a normal distribution with a relative deviation of 2 %. (simulated)
 */
struct ReferenceTimes
{
    std::string trace;
    std::uint64_t gigabitsPerSecond{0};
    std::array<double, g_referenceIterations> seconds{}; ///< after 1, 2, ... iterations
};

/** Five models at 10 and 100 Gb/s. */
const std::vector<ReferenceTimes>& SwitchReferenceTimes();

/** @return those of @p trace at that rate, or nothing */
const ReferenceTimes* FindReferenceTimes(const std::string& trace, std::uint64_t gigabitsPerSecond);

/** Values that a 100 Gb/s worker adds per second (SwitchML, NSDI 2021). */
struct MeasuredRates
{
    std::uint32_t workers{0};
    double switchMlMillions{0}; ///< 256 values per packet (measured, off a plot, +-20)
    double ncclMillions{0};     ///< over RDMA on the same hosts (the same plot)
};

constexpr std::array<MeasuredRates, 3> g_switchMlRates{
    {{4, 2830, 1380}, {8, 2820, 1250}, {16, 2810, 970}}};

/** Values per second at line rate after SwitchML's frame. (derived) */
struct LineRate
{
    std::uint32_t valuesPerPacket{0};
    std::uint64_t gigabitsPerSecond{0};
    double millions{0};
};

/** Its two packet sizes at 10 and 100 Gb/s. */
constexpr std::array<LineRate, 4> g_switchMlLineRates{
    {{64, 10, 236.7}, {64, 100, 2366.9}, {256, 10, 289.3}, {256, 100, 2893.3}}};

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_PUBLISHED_H
