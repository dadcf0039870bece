/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_TRAIN_TEXT_H
#define INCA_DEVICE_TRAIN_TEXT_H

#include "device/train.h"

#include <ostream>

namespace inca
{

/** For logs: "data 3, 02:00:00:00:00:01 to 02:00:00:00:00:02, 1 frame, 1538 bytes". */
std::ostream& operator<<(std::ostream& os, const Train& train);

} // namespace inca

#endif // INCA_DEVICE_TRAIN_TEXT_H
