/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_MODEL_TRANSPORT_H
#define INCA_MODEL_TRANSPORT_H

#include "model/message.h"

#include "ns3/object.h"

#include <cstdint>
#include <functional>

namespace inca
{

/**
 * INCA's light transport on one host: messages in, frames out, and back. Aggregated to a node that has a Nic.
 */
class Transport : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    using Reached = std::function<void()>;
    using Receiver = std::function<void(ReceivedMessage)>;

    /**
     * Queues a message behind those already queued for the same receiver.
     * @param left called once when the message's first @p leftBytes plain bytes have left the NIC
     *        (at once, in an event of its own, for 0 of a message with payload)
     */
    void Send(Message message, std::uint64_t leftBytes, Reached left);

    /**
     * @param reached called once when the first @p bytes plain bytes of that message were delivered
     *        to this host (at once if they are there already); a message's last byte is announced
     *        before the receiver gets the message
     */
    void WatchReceive(ns3::Mac48Address from, MessageTag tag, std::uint64_t bytes, Reached reached);

    /** Who gets whole messages; control messages too. */
    void SetReceiver(Receiver receiver);
};

} // namespace inca

#endif // INCA_MODEL_TRANSPORT_H
