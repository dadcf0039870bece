/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_ARRIVING_PAYLOADS_H
#define INCA_DEVICE_ARRIVING_PAYLOADS_H

#include "base/shared-bytes.h"
#include "device/train.h"

#include "ns3/mac48-address.h"

#include <cstdint>
#include <map>

namespace inca
{

/**
 * Where decoded payloads stand: those of a message that arrive in their order behind each other, in one memory of
 * the message, so that whoever takes them need not copy them there; from the first that comes too early on, by
 * themselves. Of each sender one message at a time. A byte is written once.
 */
class ArrivingPayloads
{
  public:
    /**
     * @return where the payload of @p train will stand behind what has come of its message, to be written there;
     *         null if it is the first, or does not go on with that
     */
    std::uint8_t* PlaceOf(const Train& train);

    /** @param bytes the payload of @p train, as many as its plain ones; copied, unless they are in their place */
    SharedBytes Keep(const Train& train, const std::uint8_t* bytes);

  private:
    struct Message
    {
        MessageTag tag;
        std::uint64_t next{0}; ///< where the next payload begins (bytes)
        SharedBytes memory;
        std::uint8_t* first{nullptr};
    };

    /** The message of @p train, if its payload is the next one of that; else null. */
    Message* MessageOf(const Train& train);

    std::map<ns3::Mac48Address, Message> m_messages; ///< begun in order, and not ended
};

} // namespace inca

#endif // INCA_DEVICE_ARRIVING_PAYLOADS_H
