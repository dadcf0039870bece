/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_LIBRARY_H
#define INCA_EXCHANGE_LIBRARY_H

#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/protocol-costs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What a library of collectives does with a tensor of some size. */
struct LibraryPick
{
    ExchangeSpec spec;
    std::string protocol{}; ///< for people; empty: the library has one
    ProtocolCosts costs{};
    std::optional<ProtocolCosts> costsBetween{}; ///< groups, where these have others
};

/**
 * The libraries that pick an exchange by ranks and size (exchange.library); "none" leaves it to the scenario.
 *
 * openmpi: the fixed decisions of Open MPI 4.1's coll/tuned (coll_tuned_decision_fixed.c) for sums that commute. Its
 * segmented ring has one segment, so it is the ring; its reduction with a broadcast is a tree without chunks. Messages
 * beyond 64 KiB, btl/tcp's eager limit, wait for a round trip; where a pair exchanges such messages, over its one
 * connection, one goes after the other. (Recursive doubling of 1 MiB on 8 hosts with 10 GbE takes 5.5 ms; both ways at
 * once it would take 2.7.)
 *
 * gloo: the ring of gloo::allreduce, which PyTorch calls: segments of at most 1 MiB, at least 2 for each rank and
 * chunk, two of them under way; each is a turn of one of two channels here.
 *
 * nccl: by NCCL 2.30's tuning model (src/graph/tuning.cc, constants of machines with up to 8 Hopper GPUs): of ring and
 * tree, each with the protocols LL, LL128 and Simple, what it expects to take the shortest time. Channels and chunks are
 * its; base and latencies of hops are costs of hosts. LL sends as many bytes of flags as of data, LL128 one for each 15.
 * Sums that are shared out and gathers are rings, of as many channels as there are, so that both have the same shards; in hybrid
 * sharding the groups that share out, of one channel, and the replicas each have a pick of their own.
 */
std::vector<std::string> LibraryNames();

/** Whether @p library picks reduce-scatters and all-gathers, too. */
bool PicksShards(const std::string& library);

/** The most GPUs of a machine that nccl's constants are of: one as large as a rack has hops of its own, and NVLS. */
constexpr Rank MOST_NCCL_GPUS{8};

/**
 * What @p spec.library does with an exchange of @p elements; "none": what the spec says.
 * @param bytes that it sees, coded ones where a host codes before it; not given: spec.bytesPerElement each
 */
LibraryPick PickExchange(const ExchangeSpec& spec,
                         std::uint64_t elements,
                         std::optional<std::uint64_t> bytes = {});

} // namespace inca

#endif // INCA_EXCHANGE_LIBRARY_H
