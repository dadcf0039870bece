/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_UNEVEN_TRAFFIC_H
#define INCA_PLAN_UNEVEN_TRAFFIC_H

#include "exchange/exchange-spec.h"
#include "plan/rank-frames.h"

#include <memory>

namespace inca
{

/** @param spec of a ring, or of as many servers as workers */
std::unique_ptr<const UnevenTraffic> MakeUnevenTraffic(const ExchangeSpec& spec,
                                                       const Framing& framing);

} // namespace inca

#endif // INCA_PLAN_UNEVEN_TRAFFIC_H
