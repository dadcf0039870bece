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
DecompressionEngine::DoTransform(Train& train)
{
    if (!train.compressed)
    {
        return Bypass(BypassReason::NOT_COMPRESSED);
    }
    train.compressed = false;
    if (train.kind == TrainKind::STACK)
    {
        return TransformPacket(train);
    }
    if (train.bytes.AreThere())
    {
        train.bytes = SharedBytes::Of(
            DecodePayload(GetCodec(), train.bytes.data(), train.bytes.size(), train.plainBytes));
    }
    return PayloadSizes{train.plainBytes, train.wirePayloadBytes};
}

PayloadSizes
DecompressionEngine::TransformPacket(Train& train)
{
    const auto payload = std::get<StackPayload>(LocatePayload(*train.packet));
    const auto stream = CopyPayload(*train.packet, payload.headerBytes);
    if (train.plainPacket)
    {
        train.packet = train.plainPacket->Copy();
        train.plainPacket = nullptr;
    }
    else
    {
        const auto plain =
            DecodePayload(GetCodec(), stream.data(), stream.size(), payload.plainBytes);
        train.packet = ReplacePayload(*train.packet, payload.headerBytes, plain);
    }
    return {payload.plainBytes, stream.size()};
}

std::uint64_t
DecompressionEngine::DoCycles(const PayloadSizes& sizes) const
{
    return std::max(Cycles(sizes.wireBytes), Cycles(sizes.plainBytes));
}

} // namespace inca
