/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_TRACED_COUNT_H
#define INCA_DEVICE_TRACED_COUNT_H

#include "inca/base/state-visitor.h"

#include "ns3/traced-value.h"

#include <cstdint>

namespace inca
{

/** As StateVisitor::Count of a counter whose changes are traced: who is moved on tells it once. */
inline void
CountTraced(StateVisitor& visitor, ns3::TracedValue<std::uint64_t>& counter)
{
    std::uint64_t count = counter;
    if (visitor.Count(count) > 0)
    {
        counter = count;
    }
}

} // namespace inca

#endif // INCA_DEVICE_TRACED_COUNT_H
