/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_PACKET_FIELDS_H
#define INCA_DEVICE_PACKET_FIELDS_H

#include <cstdint>

namespace inca
{

/**
 * The fields that stand behind UDP in packets of an aggregation program that are not those of slots.
 * Its programs and clients make them with their packets; frames are as long as they say, and captures
 * show them. Many trains may share one.
 */
class PacketFields
{
  public:
    PacketFields() = default;
    virtual ~PacketFields() = default;
    PacketFields(const PacketFields&) = delete;
    PacketFields& operator=(const PacketFields&) = delete;

    /** How long they are, always. (bytes) */
    virtual std::uint32_t Bytes() const = 0;

    /** Writes them in network order. @param to has room for Bytes() */
    virtual void Write(std::uint8_t* to) const = 0;
};

} // namespace inca

#endif // INCA_DEVICE_PACKET_FIELDS_H
