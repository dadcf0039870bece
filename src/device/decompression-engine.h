/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_DECOMPRESSION_ENGINE_H
#define INCA_DEVICE_DECOMPRESSION_ENGINE_H

#include "device/engine.h"

namespace inca
{

/**
 * The engine between link and host: max(ceil(wire / width), ceil(plain / width)) cycles from when
 * the last byte has arrived. The host gets what the wire carried: a lossy codec's loss is real.
 */
class DecompressionEngine : public Engine
{
  public:
    static ns3::TypeId GetTypeId();

  private:
    std::optional<PayloadSizes> DoTransform(Frame& frame) override;
    PayloadSizes TransformPacket(Frame& frame);
    std::uint64_t DoCycles(const PayloadSizes& sizes) const override;
};

} // namespace inca

#endif // INCA_DEVICE_DECOMPRESSION_ENGINE_H
