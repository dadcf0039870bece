/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_SPEC_H
#define INCA_EXCHANGE_EXCHANGE_SPEC_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

/** Everything that any exchange can be told; each reads what concerns it. */
struct ExchangeSpec
{
    std::string algorithm{"ring"};
    Rank workers{4};
    std::string broadcast{"binomial"};             ///< flat, binomial or chain
    std::uint64_t segmentElements{128 * 1024 / 4}; ///< of the chain broadcast
    Rank groupSize{4};             ///< of the hierarchies; workers must be a multiple
    std::optional<Rank> servers{}; ///< of sharded-parameter-server; empty: as many as workers
    bool sharded{false}; ///< each worker updates the block that it sums, and passes on weights
    SumPhase phase{SumPhase::ALL_REDUCE}; ///< another one only if sharded
    std::uint32_t ringChannels{1};
    std::uint64_t ringChunkElements{0};             ///< 0: as large as a channel's blocks
    std::uint64_t treeChunkElements{64 * 1024 / 4}; ///< at least 1
    std::uint64_t bytesPerElement{4};               ///< with which complaints tell chunks in bytes
};

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_SPEC_H
