/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_COMPRESSION_ENGINE_H
#define INCA_DEVICE_COMPRESSION_ENGINE_H

#include "device/engine.h"

namespace inca
{

/**
 * The engine between host and queue: ceil(plain bytes / width) cycles whatever the ratio
 * (INCEPTIONN, section V). With values each payload becomes a stream of its own; without, the stream
 * after a message's first m values has floor(m * mean bits / 8) bytes and a frame gets the
 * difference between its ends.
 */
class CompressionEngine : public Engine
{
  public:
    static ns3::TypeId GetTypeId();

  private:
    std::optional<PayloadSizes> DoTransform(Frame& frame) override;
    std::optional<PayloadSizes> TransformPacket(Frame& frame);
    std::uint64_t DoCycles(const PayloadSizes& sizes) const override;
};

} // namespace inca

#endif // INCA_DEVICE_COMPRESSION_ENGINE_H
