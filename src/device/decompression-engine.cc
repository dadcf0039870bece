/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/decompression-engine.h"

#include "device/payload-coding.h"
#include "device/stack-payload.h"

#include <algorithm>
#include <cstring>
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
        train.bytes = Decoded(train);
        train.plain = {};
    }
    return PayloadSizes{train.plainBytes, train.wirePayloadBytes};
}

/**
 * Where they were before if they are the same bits: what was coded once before comes through the same again, and
 * then hosts that hold it share one memory. Who sends them on need not code them again, nor who receives that. Once
 * a message has a memory of its own, all that follows in it goes there.
 */
SharedBytes
DecompressionEngine::Decoded(const Train& train)
{
    const auto* const codec = &GetCodec();
    if (auto* const place = m_payloads.PlaceOf(train))
    {
        codec->Decode(train.bytes.data(),
                      train.bytes.size(),
                      reinterpret_cast<float*>(place),
                      train.plainBytes / VALUE_BYTES);
        return m_payloads.Keep(train, place);
    }
    const auto known = train.plain.StreamBy(codec);
    if (known.AreThere() && known.AreThoseOf(train.bytes))
    {
        return train.plain;
    }
    const auto* const bytes =
        DecodeInRoom(*codec, train.bytes.data(), train.bytes.size(), train.plainBytes);
    const bool isSame = train.plain.size() == train.plainBytes &&
                        std::memcmp(bytes, train.plain.data(), train.plainBytes) == 0;
    if (!isSame)
    {
        return m_payloads.Keep(train, bytes);
    }
    if (!known.AreThere())
    {
        train.plain.KeepStream(codec, train.bytes);
    }
    return train.plain;
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
