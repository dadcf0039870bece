/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/mpi-ranks.h"

#include "base/errors.h"

namespace inca
{

MpiRanks::MpiRanks() = default;

MpiRanks::~MpiRanks() = default;

void
MpiRanks::Serve(const RunLimits& /*limits*/)
{
    throw InvariantError("there is one rank alone");
}

std::unique_ptr<RunSlots>
MpiRanks::Slots(const RunLimits& limits)
{
    return MakeLocalSlots(limits);
}

void
MpiRanks::Abort(int /*exitCode*/)
{
}

} // namespace inca
