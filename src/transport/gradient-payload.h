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

/**
 * A payload of @p range of a function of the range, asked for as frames are filled: in memory of its own for
 * some frames at a time, for a message that an engine makes other bytes of.
 */
std::shared_ptr<const PayloadSource> MakeLazyPayload(ElementRange range,
                                                     std::function<void(ElementRange, Word*)> fill);

/** The same in one memory, in which the message arrives (ReceiveConnection). */
std::shared_ptr<const PayloadSource> MakeGrowingPayload(
    ElementRange range, std::function<void(ElementRange, Word*)> fill);

} // namespace inca

#endif // INCA_TRANSPORT_GRADIENT_PAYLOAD_H
