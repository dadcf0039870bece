/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SEND_UNIT_H
#define INCA_EXCHANGE_SEND_UNIT_H

namespace inca
{

/** When a layer's gradient is exchanged. */
enum class SendUnit
{
    LAYER,  ///< each layer by itself
    BUCKET, ///< in buckets that are filled tensor by tensor, as PyTorch's DDP does
    FUSED,  ///< whole layers together while they fit a buffer
    END,    ///< everything at once when backward has ended
};

} // namespace inca

#endif // INCA_EXCHANGE_SEND_UNIT_H
