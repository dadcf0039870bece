/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/decompression-engine.h"

#include "device/payload-coding.h"
#include "device/stack-payload.h"

#include <algorithm>
#include <variant>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(DecompressionEngine);

ns3::TypeId
DecompressionEngine::GetTypeId()
{
    static ns3::TypeId tid = AddAttributes(ns3::TypeId("inca::DecompressionEngine")
                                               .SetParent<Engine>()
                                               .SetGroupName("Inca")
                                               .AddConstructor<DecompressionEngine>());
    return tid;
}

std::optional<PayloadSizes>
DecompressionEngine::DoTransform(Frame& frame)
{
    if (!frame.compressed)
    {
        return Bypass(BypassReason::NOT_COMPRESSED);
    }
    frame.compressed = false;
    if (frame.kind == FrameKind::STACK)
    {
        return TransformPacket(frame);
    }
    if (frame.bytes.AreThere())
    {
        frame.bytes = SharedBytes::Of(
            DecodePayload(GetCodec(), frame.bytes.data(), frame.bytes.size(), frame.plainBytes));
    }
    return PayloadSizes{frame.plainBytes, frame.wirePayloadBytes};
}

PayloadSizes
DecompressionEngine::TransformPacket(Frame& frame)
{
    const auto payload = std::get<StackPayload>(LocatePayload(*frame.packet));
    const auto stream = CopyPayload(*frame.packet, payload.headerBytes);
    if (frame.plainPacket)
    {
        frame.packet = frame.plainPacket->Copy();
        frame.plainPacket = nullptr;
    }
    else
    {
        const auto plain =
            DecodePayload(GetCodec(), stream.data(), stream.size(), payload.plainBytes);
        frame.packet = ReplacePayload(*frame.packet, payload.headerBytes, plain);
    }
    return {payload.plainBytes, stream.size()};
}

std::uint64_t
DecompressionEngine::DoCycles(const PayloadSizes& sizes) const
{
    return std::max(Cycles(sizes.wireBytes), Cycles(sizes.plainBytes));
}

} // namespace inca
