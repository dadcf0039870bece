/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_POSITIVE_TIME_H
#define INCA_DEVICE_POSITIVE_TIME_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

namespace inca
{

/**
 * @return a checker of times of at least a picosecond. ns3::MakeTimeChecker(ns3::Time(1)) is none: types are
 * registered while ns-3 counts nanoseconds, so that it means 1 ns for ever.
 */
ns3::Ptr<const ns3::AttributeChecker> MakePositiveTimeChecker();

} // namespace inca

#endif // INCA_DEVICE_POSITIVE_TIME_H
