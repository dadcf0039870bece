/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_RENDEZVOUS_H
#define INCA_TEST_EXCHANGE_RENDEZVOUS_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <optional>

namespace inca
{

/**
 * Executes a plan on half-duplex hosts that know no buffers: a rank does one thing at a time, in
 * the order of its steps (in a step its sends, then its receives, or the other way round with
 * receiveFirst). A message takes one unit of time, whatever its size, and both ends are at it all
 * the time. The receives of one step come one by one, as their senders turn up. What the network
 * adds takes one unit of time too, once all workers are at it.
 *
 * @return message times until all ranks are done, or nothing if they wait for each other for ever
 */
std::optional<std::uint64_t> RendezvousTime(const StepPlan& plan);

} // namespace inca

#endif // INCA_TEST_EXCHANGE_RENDEZVOUS_H
