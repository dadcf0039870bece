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
CompressionEngine::DoTransform(Train& train)
{
    if (train.kind == TrainKind::STACK)
    {
        return TransformPacket(train);
    }
    if (train.plainBytes == 0)
    {
        return Bypass(BypassReason::NO_PAYLOAD);
    }
    if (train.plainBytes % VALUE_BYTES != 0)
    {
        return Bypass(BypassReason::NOT_WHOLE_VALUES);
    }
    train.compressed = true;
    if (!train.bytes.AreThere())
    {
        const auto& segment = train.segment;
        train.SetWirePayload(
            segment.codedBytes > 0
                ? segment.codedBytes
                : ExpectedStreamBytes(segment.meanBits, segment.offset, train.plainBytes));
        return PayloadSizes{train.plainBytes, train.wirePayloadBytes};
    }
    train.bytes =
        SharedBytes::Of(EncodePayload(GetCodec(), train.bytes.data(), train.bytes.size()));
    train.SetWirePayload(train.bytes.size());
    return PayloadSizes{train.plainBytes, train.wirePayloadBytes};
}

std::optional<PayloadSizes>
CompressionEngine::TransformPacket(Train& train)
{
    const auto located = LocatePayload(*train.packet);
    if (const auto* reason = std::get_if<BypassReason>(&located))
    {
        return Bypass(*reason);
    }
    const auto& payload = std::get<StackPayload>(located);
    const auto tagged = ReadGradientTag(*train.packet, payload.headerBytes);
    if (tagged && !tagged->onValue)
    {
        return Bypass(BypassReason::NOT_ON_A_VALUE);
    }
    Bytes stream;
    if (tagged && tagged->meanBits > 0)
    {
        stream.resize(ExpectedStreamBytes(tagged->meanBits, tagged->begin, payload.plainBytes));
        train.plainPacket = train.packet;
    }
    else
    {
        const auto plain = CopyPayload(*train.packet, payload.headerBytes);
        stream = EncodePayload(GetCodec(), plain.data(), plain.size());
    }
    train.packet = ReplacePayload(*train.packet, payload.headerBytes, stream);
    train.compressed = true;
    train.SetWirePayload(train.packet->GetSize());
    return PayloadSizes{payload.plainBytes, stream.size()};
}

std::uint64_t
CompressionEngine::DoCycles(const PayloadSizes& sizes) const
{
    return Cycles(sizes.plainBytes);
}

} // namespace inca
