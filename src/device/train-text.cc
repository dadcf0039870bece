/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/train-text.h"

#include <array>

namespace inca
{

namespace
{

/** By TrainKind. */
constexpr std::array<const char*, TRAIN_KINDS> g_kinds{
    "packet", "data", "acknowledgement", "probe", "values to add"};

std::uint64_t
NumberOf(const Train& train)
{
    return train.kind == TrainKind::AGGREGATION ? train.aggregation.packet.number
                                                : train.segment.number;
}

} // namespace

std::ostream&
operator<<(std::ostream& os, const Train& train)
{
    os << g_kinds[static_cast<std::size_t>(train.kind)];
    if (train.kind != TrainKind::STACK)
    {
        os << " " << NumberOf(train);
    }
    return os << ", " << train.source << " to " << train.destination << ", 1 frame, "
              << train.wireBytes << " bytes";
}

} // namespace inca
