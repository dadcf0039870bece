/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_RING_H
#define INCA_EXCHANGE_RING_H

#include "exchange/exchange-spec.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * INCEPTIONN's INC: a ring of N >= 2 workers, 2 (N - 1) steps over N blocks (BlockOf): a
 * reduce-scatter, then an all-gather (ring-pieces.h). Gradients only. Block b is added round the
 * ring from worker b, its first sender: ((g[b] + g[b+1]) + ...) + g[b-1]; worker b - 1 owns the
 * sum.
 *
 * With n elements, B(b) the size of block b, indices mod N: worker i sends 2 n - B(i+1) - B(i+2),
 * receives 2 n - B(i) - B(i+1) and adds n - B(i), in 2 (N - 1) messages each way. All
 * workers together send 2 (N - 1) n.
 *
 * As collective libraries do, the elements may be cut into channels (BlockOf), which go round the same
 * ring at the same time, so that one adds while another is on the wire (where N divides the elements, it divides those of
 * each channel, too); and each channel into turns,
 * one all-reduce after the other, of W chunks of spec.ringChunkElements (the last one of what is left).
 * A channel's turns take 2 (N - 1) messages each, and move what is said above, of their own elements.
 *
 * Hosts that cannot send and receive at once need 2 message times per step for even N, and
 * tend to 2 N / (N - 1) for odd N, because then one worker always waits.
 *
 * With spec.phase it is one of the pieces alone, of N - 1 steps (in every turn): worker i ends a reduce-scatter with
 * the weights of block i + 1, and begins an all-gather with them.
 */
std::unique_ptr<StepPlan> MakeRing(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_RING_H
