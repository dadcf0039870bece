/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_GRADIENT_TAG_H
#define INCA_DEVICE_GRADIENT_TAG_H

#include "ns3/tag.h"

#include <cstdint>

namespace inca
{

/**
 * A byte tag on a piece of a message that travels over ns-3's own UDP or TCP: tells the engine where
 * in the message the piece lies. Pieces should be no longer than a segment; of a piece that is cut
 * at both ends nobody can say where its bytes stand.
 */
class GradientTag : public ns3::Tag
{
  public:
    static ns3::TypeId GetTypeId();

    GradientTag() = default;

    /**
     * @param message numbers the sender's messages
     * @param offset where the piece begins in the message (plain bytes)
     * @param bytes the piece's length
     * @param meanBits a value in the engine's stream if only sizes travel; 0 = the bytes are values
     */
    GradientTag(std::uint64_t message, std::uint64_t offset, std::uint64_t bytes, double meanBits);

    std::uint64_t Message() const
    {
        return m_message;
    }

    std::uint64_t Offset() const
    {
        return m_offset;
    }

    std::uint64_t Bytes() const
    {
        return m_bytes;
    }

    double MeanBits() const
    {
        return m_meanBits;
    }

    ns3::TypeId GetInstanceTypeId() const override;
    std::uint32_t GetSerializedSize() const override;
    void Serialize(ns3::TagBuffer buffer) const override;
    void Deserialize(ns3::TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

  private:
    std::uint64_t m_message{0};
    std::uint64_t m_offset{0};
    std::uint64_t m_bytes{0};
    double m_meanBits{0};
};

} // namespace inca

#endif // INCA_DEVICE_GRADIENT_TAG_H
