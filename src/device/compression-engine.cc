/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/compression-engine.h"

#include "device/payload-coding.h"
#include "device/stack-payload.h"

#include <utility>
#include <variant>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(CompressionEngine);

ns3::TypeId
CompressionEngine::GetTypeId()
{
    static ns3::TypeId tid = AddAttributes(ns3::TypeId("inca::CompressionEngine")
                                               .SetParent<Engine>()
                                               .SetGroupName("Inca")
                                               .AddConstructor<CompressionEngine>());
    return tid;
}

std::optional<PayloadSizes>
CompressionEngine::DoTransform(Frame& frame)
{
    if (frame.kind == FrameKind::STACK)
    {
        return TransformPacket(frame);
    }
    if (frame.plainBytes == 0)
    {
        return Bypass(BypassReason::NO_PAYLOAD);
    }
    if (frame.plainBytes % VALUE_BYTES != 0)
    {
        return Bypass(BypassReason::NOT_WHOLE_VALUES);
    }
    frame.compressed = true;
    if (!frame.bytes.AreThere())
    {
        const auto& segment = frame.segment;
        frame.SetWirePayload(
            segment.codedBytes > 0
                ? segment.codedBytes
                : ExpectedStreamBytes(segment.meanBits, segment.offset, frame.plainBytes));
        return PayloadSizes{frame.plainBytes, frame.wirePayloadBytes};
    }
    frame.bytes =
        SharedBytes::Of(EncodePayload(GetCodec(), frame.bytes.data(), frame.bytes.size()));
    frame.SetWirePayload(frame.bytes.size());
    return PayloadSizes{frame.plainBytes, frame.wirePayloadBytes};
}

std::optional<PayloadSizes>
CompressionEngine::TransformPacket(Frame& frame)
{
    const auto located = LocatePayload(*frame.packet);
    if (const auto* reason = std::get_if<BypassReason>(&located))
    {
        return Bypass(*reason);
    }
    const auto& payload = std::get<StackPayload>(located);
    const auto tagged = ReadGradientTag(*frame.packet, payload.headerBytes);
    if (tagged && !tagged->onValue)
    {
        return Bypass(BypassReason::NOT_ON_A_VALUE);
    }
    Bytes stream;
    if (tagged && tagged->meanBits > 0)
    {
        stream.resize(ExpectedStreamBytes(tagged->meanBits, tagged->begin, payload.plainBytes));
        frame.plainPacket = frame.packet;
    }
    else
    {
        const auto plain = CopyPayload(*frame.packet, payload.headerBytes);
        stream = EncodePayload(GetCodec(), plain.data(), plain.size());
    }
    frame.packet = ReplacePayload(*frame.packet, payload.headerBytes, stream);
    frame.compressed = true;
    frame.SetWirePayload(frame.packet->GetSize());
    return PayloadSizes{payload.plainBytes, stream.size()};
}

std::uint64_t
CompressionEngine::DoCycles(const PayloadSizes& sizes) const
{
    return Cycles(sizes.plainBytes);
}

} // namespace inca
