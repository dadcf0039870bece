/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/mpi-ranks.h"

#include "base/errors.h"

namespace inca
{

MpiRanks::MpiRanks(const RunLimits& limits)
    : m_limits(limits)
{
}

MpiRanks::~MpiRanks() = default;

void
MpiRanks::Serve()
{
    throw InvariantError("there is one rank alone");
}

std::unique_ptr<RunSlots>
MpiRanks::Slots(const std::vector<SweepPoint>& points)
{
    return MakeLocalSlots(points, m_limits);
}

void
MpiRanks::Abort(int /*exitCode*/)
{
}

} // namespace inca
