/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPORT_EXPORTED_OPERATION_H
#define INCA_EXPORT_EXPORTED_OPERATION_H

#include "exchange/step-plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** One operation of a rank, as others' tools know them. */
struct ExportedOperation
{
    enum class Kind : std::uint8_t
    {
        COMPUTE,
        SEND,
        RECEIVE,
        // -- of all workers, made as the other tool likes
        ALL_REDUCE,
        REDUCE_SCATTER,
        ALL_GATHER,
    };

    Kind kind{Kind::COMPUTE};
    std::string name;
    std::int64_t ps{0};             ///< of COMPUTE
    std::uint64_t bytes{0};         ///< of a message; of the last three, what each worker brings
    Rank peer{0};                   ///< of SEND and RECEIVE
    std::uint32_t tag{0};           ///< the same: the k-th message of one rank to another has tag k
    std::vector<std::size_t> needs; ///< operations before it that must be done
};

} // namespace inca

#endif // INCA_EXPORT_EXPORTED_OPERATION_H
