/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_GRADIENT_PAYLOAD_H
#define INCA_TRANSPORT_GRADIENT_PAYLOAD_H

#include "base/large-memory.h"
#include "base/word.h"
#include "codec/codec.h"
#include "device/message.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace inca
{

/** @return a payload of these words */
std::shared_ptr<const PayloadSource> MakeWordPayload(LargeWords words);

/** @return a payload of @p range of a function of the range, asked for as frames are filled */
std::shared_ptr<const PayloadSource> MakeLazyPayload(ElementRange range,
                                                     std::function<void(ElementRange, Word*)> fill);

/** @return a payload of bytes, such as a codec's stream */
std::shared_ptr<const PayloadSource> MakeBytePayload(std::vector<std::uint8_t> bytes);

} // namespace inca

#endif // INCA_TRANSPORT_GRADIENT_PAYLOAD_H
