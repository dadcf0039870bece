/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGES_H
#define INCA_EXCHANGE_EXCHANGES_H

#include "inca/exchange/exchange-entry.h"

#include <cstdint>
#include <memory>

namespace inca
{

/** INCA's own exchanges, as rows of the catalogue. In all of them n is the number of elements. */

/**
 * INCEPTIONN's WA: W workers send their gradients to one aggregator (rank W), which buffers them,
 * adds them from worker 0 upwards, ((g0 + g1) + g2) ..., updates the weights and broadcasts them
 * (Broadcast; position 0 is the aggregator, position i + 1 is worker i).
 *
 * W gradient messages of n; W whole copies of n in weights. The aggregator receives W n and adds
 * (W - 1) n; it sends W n (flat) or ceil(log2(W + 1)) n (binomial). Every worker sends n
 * gradients and receives n weights.
 */
ExchangeEntry WorkerAggregatorExchange();

/**
 * INCEPTIONN's INC: a ring of N >= 2 workers, 2 (N - 1) steps over N blocks (BlockOf): a
 * reduce-scatter, then an all-gather (pieces.h). Gradients only. Block b is added round the
 * ring from worker b, its first sender: ((g[b] + g[b+1]) + ...) + g[b-1]; worker b - 1 owns the
 * sum.
 *
 * With B(b) the size of block b, indices mod N: worker i sends 2 n - B(i+1) - B(i+2),
 * receives 2 n - B(i) - B(i+1) and adds n - B(i), in 2 (N - 1) messages each way. All
 * workers together send 2 (N - 1) n.
 *
 * As in collective libraries, the elements may be cut into channels (BlockOf), which go round the same
 * ring concurrently, so that one adds while another is on the wire (where N divides the elements, it divides
 * those of each channel, too); and each channel into turns, one all-reduce after the other, of W chunks of
 * spec.ringChunkElements (the last turn of the rest). A channel's turns take 2 (N - 1) messages each, and
 * move what is said above, of their own elements.
 *
 * Hosts that cannot send and receive at once need 2 message times per step for even N, and
 * tend to 2 N / (N - 1) for odd N, because then one worker always waits.
 *
 * With spec.phase it is one of the pieces alone, of N - 1 steps (in every turn): worker i ends a
 * reduce-scatter with the weights of block i + 1, and begins an all-gather with them.
 */
ExchangeEntry RingExchange();

/**
 * The two-tree all-reduce (Sanders, Speck, Traeff: "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35, 2009), as NCCL has it: each half of the elements is added
 * up a binary tree of all workers, and its sum comes down the same tree, in a pipeline of chunks of
 * spec.treeChunkElements. The second tree has the workers in reverse order if N is even, and moved by one
 * place if it is odd: a leaf of one tree is inside the other (but for one worker of an odd N), so that all
 * links carry the same load.
 *
 * The odd places of a tree are leaves. Place 0 is the root and has one child, the largest power of two below
 * N. Any other place p, with b its lowest set bit, hangs below p + b, or below p - b if that bit is set in p,
 * too, or p + b is no place.
 *
 * Each tree is a channel (StepPlan::ChannelCount). Chunk k takes 2 D of the K + 2 D - 1 steps, D
 * the depth of the tree: in step k + D - d it leaves depth d upwards, in step k + D + d downwards.
 *
 * With m elements of a tree, its root sends m, a leaf m, others m up and m to each child: 2 (N - 1) m and
 * 2 (N - 1) K messages in all, so 2 (N - 1) n over both, as in a ring; but the first chunk is added up after
 * ceil(log2 N) steps, not N - 1. Order of addition: own, then the child below, then the one above.
 */
ExchangeEntry TreeExchange();

/**
 * Rabenseifner's all-reduce, as MPICH and Open MPI have it (Thakur, Rabenseifner, Gropp: "Optimization
 * of collective communication operations in MPICH", IJHPCA 19(1), 2005): a reduce-scatter by recursive
 * halving, then an all-gather by recursive doubling, among P members, P the largest power of two that is
 * at most N. In step s = 0 .. log2(P) - 1 member i exchanges half of what it still adds with member
 * i xor 2^s; the all-gather goes the same way back. Blocks are those of BlockOf among P.
 *
 * The N - P workers beyond send all their values to a neighbour before, and get the sums from it after:
 * worker 2 i sends to worker 2 i + 1, for i < N - P; these odd ones, and all workers from 2 (N - P) on,
 * are the members, in their order.
 *
 * If P divides n, a member sends and receives 2 n (1 - 1 / P), in 2 log2(P) messages,
 * and adds n (1 - 1 / P); one with a neighbour receives, adds and sends n more. It owns the block whose
 * number is its own with the log2(P) bits reversed. Order of addition: own + neighbour's, then partner after partner.
 *
 * With spec.phase it is the halving alone, after which each worker has the weights of its own block, or the
 * doubling, before which it has; N is a power of two then.
 */
ExchangeEntry HalvingDoublingExchange();

/**
 * Recursive doubling (Thakur, Rabenseifner, Gropp, as above): in step s = 0 .. log2(P) - 1 member i sends all n
 * values to member i xor 2^s, and adds what it gets, so that all have the sum after log2(P) steps. Members, and the
 * N - P workers beyond, are those of halving-doubling.
 *
 * A member sends, receives and adds log2(P) n, in log2(P) messages; one with a neighbour receives, adds and sends n
 * more. Order of addition: own + neighbour's, then what members i xor 1, i xor 2, ... have by then. A lossy codec
 * sets copies apart: each member adds its own values as they are, and its partner's decoded.
 */
ExchangeEntry RecursiveDoublingExchange();

/**
 * All-to-alls, as in compressed all-reduces of 2025: of W workers, worker j sums block j (BlockOf). First worker i sends each
 * its block, to i + 1, i + 2, ..., and its own to itself; each adds what it gets from worker 0 upwards, ((g0 + g1) + g2) ....
 * Then it sends its sum to itself and to all. What it sends to itself is no traffic (IsToSelf), but a host's codec encodes and
 * decodes it as well: all decode the same streams, so their copies are equal, to the bit. A sum is encoded once for all.
 * Every worker sends and receives 2 n - 2 B, in 2 (W - 1) messages each way, and adds (W - 1) B, B being its block.
 *
 * With spec.groupSize G, neither 1 nor W, there are M = W / G groups of consecutive workers, and four steps: in each group as
 * above, of G blocks; between those that have the same place in their groups, of M blocks of these (Transfer::crossesGroups);
 * and back. Order of addition: by rank in each group, then by group. If W divides n, a worker sends 2 (G - 1) n / G in its group,
 * and 2 (M - 1) n / W between groups.
 *
 * Hosts that cannot send and receive at once would wait in a circle. With spec.phase it is the half up to the sums, of which
 * each worker makes weights, or the half behind them.
 */
ExchangeEntry TwoShotExchange();

/**
 * INCEPTIONN, Fig. 1(b): rings in L groups of G consecutive workers (W = L G), an aggregator (rank
 * W) above them. Each group does a ring reduce-scatter and all-gather; its first member sends the
 * group's sum to the aggregator, which adds them from group 0 upwards, updates the weights and
 * broadcasts them to the first members (positions: aggregator, then groups in order); each of them
 * broadcasts them in its group in the same way.
 *
 * Order of addition: block b of G round the group's ring from its member b; then the groups' sums
 * in order.
 *
 * (2 W - L) n gradients travel (2 (G - 1) n in each group, n from each group), and W n weights. The
 * aggregator receives L n and adds (L - 1) n. No rank owns a result that others get coded.
 */
ExchangeEntry HierarchicalAggregatorExchange();

/**
 * INCEPTIONN, Fig. 1(c): rings at both levels, over L groups of G consecutive workers (W = L G).
 * The figure leaves the way down open; here it is read so: each group does a ring reduce-scatter
 * and all-gather; the first members do the same with the groups' sums; then each first member sends
 * block j of the total to its member j (it keeps block 0 and the rest), and an all-gather round the
 * group's ring spreads the blocks. Gradients only.
 *
 * Order of addition: block b of G round the group's ring from its member b; then block c of L of
 * the groups' sums round the ring of first members from group c. The first members own the result.
 *
 * With B = ceil(n / G) in block 0, all workers together send 2 (G - 1) L n (groups) +
 * 2 (L - 1) n (first members) + L (n - B) (scatter) + (G - 1) L n (all-gather), which is
 * (3 W - 2) n - L B.
 */
ExchangeEntry HierarchicalRingExchange();

/**
 * Servers that add: W workers, S servers (ranks W .. W+S-1), server s owns block s (BlockOf) of the
 * tensor. Workers send every server its block; it adds them and returns the sum to each worker in a
 * message of its own. Nobody but the workers updates weights, as in BytePS, so both ways are
 * PayloadKind::GRADIENT and may be coded.
 *
 * Order of addition: from worker 0 upwards, ((g0 + g1) + g2) ..., whenever messages arrive.
 *
 * Every worker sends n and receives n, in S messages each way; with B(s) elements in block s, server s
 * receives W B(s), adds (W - 1) B(s) and sends W B(s). 2 W n travel in all. An empty block takes its
 * messages, too.
 *
 * What goes back is one sum, which a host's codec encodes once for all W messages; an engine does so
 * for each. All workers decode the same stream, so their copies are equal, however lossy the codec:
 * no rank that needs the sum owns it.
 *
 * Servers take part in rounds of W of them (the last may have fewer), so that the first sums
 * come back while gradients still go to the next round. In a round of C servers, worker i begins with
 * the one at i mod C: nobody is everybody's first. Sums come back by a timetable: server s
 * serves worker i in slot (i - s) mod W of its round, where neither has anything else, and both go
 * through their slots in ascending order. So hosts that cannot send and receive at once never wait in a
 * circle: servers take gradients from any worker, thus all of them arrive; from then on the lowest
 * slot that is left has both its ends ready.
 *
 * parameter-server: S = 1. sharded-parameter-server: S = spec.Servers().
 * @{
 */
ExchangeEntry ParameterServerExchange();
ExchangeEntry ShardedParameterServerExchange();
/** @} */

/**
 * The switches add: every worker hands all values to the network in one step and gets their sum
 * (Step::reduction). Workers are the only ranks. The aggregation program decides what the switches do, and
 * how much travels.
 *
 * Where it is sharded, worker w gets the sums of block w alone and makes weights of them; in a second
 * step all workers send their blocks of weights to all, through the same switches, which add nothing.
 * With spec.phase it is one of these steps.
 * @{
 */
ExchangeEntry SwitchSlotsExchange();
ExchangeEntry SwitchTreeExchange();
std::unique_ptr<StepPlan> MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements);
/** @} */

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGES_H
