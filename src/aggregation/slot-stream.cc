/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-stream.h"

#include "base/wire-format.h"

#include "base/errors.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace inca
{

namespace
{

void
RequireAdder(const SlotCoding& coding, WordSum words)
{
    if (words == WordSum::FP32 || (words == WordSum::INT32 && !coding.scale))
    {
        throw InvariantError("words that are neither or-ed nor added by integer adders");
    }
}

} // namespace

SlotStream::SlotStream(const SlotCoding& coding, NetworkSumRequest request)
    : m_coding(&coding),
      m_request(std::move(request))
{
    if (m_request.words)
    {
        RequireAdder(*m_coding, *m_request.words);
    }
    if (m_request.read && ExponentsAhead())
    {
        m_exponents.assign(Blocks(), NO_EXPONENT);
    }
}

std::uint64_t
SlotStream::Blocks() const
{
    const auto perBlock = m_coding->valuesPerPacket;
    return (m_request.values + perBlock - 1) / perBlock;
}

SlotPacket
SlotStream::MakePacket(const SlotTurn& turn, std::uint64_t& clamped) const
{
    SlotPacket packet;
    packet.number = turn.number;
    packet.orWords = m_request.words == WordSum::OR;
    packet.exponent = m_request.words ? m_request.exponent : NO_EXPONENT;
    if (turn.exponentOf && m_request.read)
    {
        const auto values = ReadBlock(*turn.exponentOf);
        packet.exponent = ExponentOf(values.data(), values.size());
    }
    if (turn.block)
    {
        packet.values = static_cast<std::uint32_t>(RangeOf(*turn.block).count);
        packet.payload = m_request.read ? Encode(*turn.block, clamped) : nullptr;
    }
    return packet;
}

std::uint64_t
SlotStream::Take(const SlotTurn& turn, const SlotPacket& sum)
{
    if (turn.exponentOf && !m_exponents.empty())
    {
        m_exponents[*turn.exponentOf] = sum.exponent;
    }
    if (!turn.block)
    {
        return 0;
    }
    m_exponentOfWords = std::max(m_exponentOfWords, sum.exponent);
    const auto range = RangeOf(*turn.block);
    if (m_request.write)
    {
        m_request.write(range, Decode(*turn.block, sum).data());
    }
    return range.count * VALUE_BYTES;
}

void
SlotStream::End()
{
    m_ended = true;
    const auto request = std::exchange(m_request, {}); // whoever is told may ask for more
    if (request.words && request.writeExponent)
    {
        request.writeExponent(m_exponentOfWords);
    }
    request.done();
}

ElementRange
SlotStream::RangeOf(std::uint64_t block) const
{
    const auto begin = block * m_coding->valuesPerPacket;
    return {begin, std::min<std::uint64_t>(m_coding->valuesPerPacket, m_request.values - begin)};
}

std::vector<float>
SlotStream::ReadBlock(std::uint64_t block) const
{
    const auto range = RangeOf(block);
    std::vector<float> values(range.count);
    m_request.read(range, values.data());
    return values;
}

std::int16_t
SlotStream::Exponent(std::uint64_t block) const
{
    return m_exponents.empty() ? m_coding->fixedExponent : m_exponents[block];
}

const BlockScale*
SlotStream::Scale() const
{
    return m_coding->scale && !m_request.words ? &*m_coding->scale : nullptr;
}

SharedBytes
SlotStream::Encode(std::uint64_t block, std::uint64_t& clamped) const
{
    const auto values = ReadBlock(block);
    auto bytes = std::make_shared<std::vector<std::uint8_t>>();
    if (const auto* scale = Scale())
    {
        bytes->reserve(values.size() * VALUE_BYTES);
        clamped += scale->Quantise(values.data(), values.size(), Exponent(block), *bytes);
        return bytes;
    }
    bytes->resize(values.size() * VALUE_BYTES);
    std::memcpy(bytes->data(), values.data(), bytes->size());
    return bytes;
}

std::vector<float>
SlotStream::Decode(std::uint64_t block, const SlotPacket& sum) const
{
    std::vector<float> values(RangeOf(block).count);
    if (!sum.payload || sum.payload->size() != values.size() * VALUE_BYTES)
    {
        throw InvariantError("the sum of packet " + std::to_string(sum.number) +
                             " has not the size of its values");
    }
    if (const auto* scale = Scale())
    {
        scale->Restore(sum.payload->data(), values.size(), Exponent(block), values.data());
        return values;
    }
    std::memcpy(values.data(), sum.payload->data(), sum.payload->size());
    return values;
}

} // namespace inca
