/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_PARAMETER_SERVER_H
#define INCA_EXCHANGE_PARAMETER_SERVER_H

#include "exchange/exchange-spec.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * Servers that add: W workers, S servers (ranks W .. W+S-1), server s owns block s (BlockOf) of the
 * tensor. Workers send every server its block; it adds them and returns the sum to each worker in a
 * message of its own. Nobody but the workers updates weights, as in BytePS, so both ways are
 * PayloadKind::GRADIENT and may be coded.
 *
 * Order of addition: from worker 0 upwards, ((g0 + g1) + g2) ..., whenever messages arrive.
 *
 * With n elements and B(s) in block s: every worker sends n and receives n, in S messages each way;
 * server s receives W B(s), adds (W - 1) B(s) and sends W B(s). 2 W n travel in all. An empty block
 * takes its messages, too.
 *
 * What goes back is one sum, which a host's codec encodes once for all W messages; an engine does so
 * for each. All workers decode the same stream, so their copies are equal, however lossy the codec:
 * no rank that needs the sum owns it.
 *
 * Servers have their turns in rounds of W of them (the last may have fewer), so that the first sums
 * come back while gradients still go to the next round. In a round of C servers, worker i begins with
 * the one at i mod C: nobody is everybody's first. What comes back keeps to a timetable: server s
 * serves worker i in slot (i - s) mod W of its round, where neither has anything else, and both go
 * through their slots in ascending order. So hosts that cannot send and receive at once wait for no
 * circle: servers take gradients from whoever comes, thus all of them arrive; from then on the lowest
 * slot that is left has both its ends ready.
 * @{
 */

/** S = 1, the whole tensor; spec.servers is not looked at. */
std::unique_ptr<StepPlan> MakeParameterServer(const ExchangeSpec& spec, std::uint64_t elements);

/** S = spec.servers, at least 1; if that is not given, as many as workers. */
std::unique_ptr<StepPlan> MakeShardedParameterServer(const ExchangeSpec& spec,
                                                     std::uint64_t elements);

/** @} */

} // namespace inca

#endif // INCA_EXCHANGE_PARAMETER_SERVER_H
