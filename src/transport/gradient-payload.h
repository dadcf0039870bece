/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_GRADIENT_PAYLOAD_H
#define INCA_TRANSPORT_GRADIENT_PAYLOAD_H

#include "base/shared-bytes.h"
#include "base/word.h"
#include "device/message.h"
#include "exchange/step-plan.h"

#include <functional>
#include <memory>

namespace inca
{

/** @return a payload of bytes that are there: words, or a codec's stream */
std::shared_ptr<const PayloadSource> MakePayload(SharedBytes bytes);

/** @return a payload of @p range of a function of the range, asked for as frames are filled */
std::shared_ptr<const PayloadSource> MakeLazyPayload(ElementRange range,
                                                     std::function<void(ElementRange, Word*)> fill);

} // namespace inca

#endif // INCA_TRANSPORT_GRADIENT_PAYLOAD_H
