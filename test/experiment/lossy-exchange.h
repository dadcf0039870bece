/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_LOSSY_EXCHANGE_H
#define INCA_TEST_EXPERIMENT_LOSSY_EXCHANGE_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** What an exchange under loss is reckoned with. */
struct LossyPath
{
    double loss{0};                  ///< of a frame from host to host
    std::int64_t framePs{1'230'400}; ///< 1460 bytes of payload at 10 Gb/s
    std::int64_t delayPs{
        3'230'400}; ///< of a full frame once it has left: 2 links, and the switch's port
    std::int64_t ackDelayPs{2'134'400};          ///< of 84 bytes
    std::int64_t firstTimeoutPs{10'000'000'000}; ///< until an acknowledgement has come
    std::int64_t timeoutPs{1'000'000'000};
    std::uint64_t ackEvery{16};
};

/**
 * When the last rank ends its plan, reckoned without ns-3 and without INCA's transport: hosts that
 * cost nothing, ports that nothing queues in, and frames that are lost independently. Each pair of ranks
 * has a sender that learns, with every acknowledgement that gets through, what was lost before what it
 * answers, and that asks, after a timeout, with a probe. Messages are below a window. (ps)
 */
std::int64_t LossyExchangePs(const StepPlan& plan, const LossyPath& path, std::uint64_t seed);

/** Switches that add, as a tree: the parent of each node; the root's is itself. Workers have no child. */
struct LossyTree
{
    std::vector<std::size_t> parents;
    double loss{0}; ///< of a packet on a link
    std::uint64_t packets{0};
    std::uint64_t slots{0};
    std::int64_t hopPs{0}; ///< of a packet over a link
    std::int64_t timeoutPs{1'000'000'000};
};

/** When the last worker has all sums: slots do not wait for each other, and timeouts do not double. (ps) */
std::int64_t LossySlotsPs(const LossyTree& tree, std::uint64_t seed);

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_LOSSY_EXCHANGE_H
