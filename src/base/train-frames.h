/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_TRAIN_FRAMES_H
#define INCA_BASE_TRAIN_FRAMES_H

#include <cstdint>

namespace inca
{

/** What may be asked of a train: as many as an acknowledgement tells of. (frames) */
constexpr std::uint32_t MOST_TRAIN_FRAMES{64};

/** That a message has at least, so that who goes first matters for no more of it. (trains) */
constexpr std::uint32_t TRAINS_PER_MESSAGE{16};

} // namespace inca

#endif // INCA_BASE_TRAIN_FRAMES_H
