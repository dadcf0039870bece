/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_MESSAGE_TRANSPORT_H
#define INCA_TRANSPORT_MESSAGE_TRANSPORT_H

#include "inca/base/job-id.h"
#include "inca/base/state-visitor.h"
#include "inca/device/message.h"
#include "inca/transport/with-users.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <functional>
#include <map>

namespace inca
{

class Nic;

/**
 * @ingroup inca
 *
 * Messages over one NIC, whatever carries them. This is the boundary between what ranks do and the network: a rank
 * sends, receives, hears that a message has left, and reads ns-3's clock; it never asks what carries its messages.
 * Transports are rows of a catalogue (exchange/transport-catalog.h). One is aggregated to its Nic, and all jobs that use
 * the NIC share it.
 *
 * Ranks say who gets a job's messages (SetReceiver) before the first of them may come, and add themselves as users
 * before they send; when all its users have gone, a transport stops its timers, so that a simulation ends with its last
 * frame. They call Send at any time, also from a receiver, with whole messages of any size, zero included, whose tags are
 * unique among those from this host to the receiver.
 *
 * A transport delivers each message once, whole, in an event of the receiver's node; those of one sender in the order in
 * which they end. It calls `left` once, not before the values have been read for the last time, and not from within Send.
 * A message of a grant takes no host time and goes ahead of others. Plain bytes are what the rank handed over; wire bytes
 * what the network carried of them. At the end of a run the bytes delivered are those of all messages that were sent.
 */
class MessageTransport : public ns3::Object, public WithUsers
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** Gets whole messages, and grants. */
    using Receiver = std::function<void(ReceivedMessage)>;

    /** The transport of the host that has @p address, or of the one that stands in for it. */
    using PeerLookup = std::function<MessageTransport*(ns3::Mac48Address address)>;

    /** Sends and receives over @p nic, which is on a node, from now on; called once. */
    virtual void SetNic(ns3::Ptr<Nic> nic) = 0;

    /** The buffer of the port before this host, which those who send to it share. (bytes) */
    virtual void SetRoom(std::uint64_t /*bytes*/)
    {
    }

    /** How it finds the others of its network. */
    virtual void SetPeers(PeerLookup /*peers*/)
    {
    }

    /** Whether NICs see its messages as frames of their own, which a codec in them can work on. */
    virtual bool HasFrames() const
    {
        return false;
    }

    /** Frames hold multiples of so many values, which a codec decodes together; to be said before the first message. */
    void SetGroup(std::uint64_t values);

    /**
     * Queues a message behind those already queued for the same receiver.
     * @param message whole; a grant has no payload
     * @param left called once when the sender needs it no more: a transport says when; may be empty
     */
    void Send(Message message, std::function<void()> left);

    /**
     * Who gets the whole messages of @p job, and its grants. To be said before the first of them comes:
     * one that nobody receives is an InvariantError.
     */
    void SetReceiver(JobId job, Receiver receiver);

    virtual void VisitState(StateVisitor& visitor) = 0; ///< shows its state

    /**
     * How long it may be silent though its paths let frames through. (ps)
     * @param timeoutsInVain that a sender which never gives up may meet in a row
     */
    virtual double LongestSilencePs(double timeoutsInVain) const = 0;

    /** Counts so far; the trace sources of the same names tell every change. (frames, bytes) @{ */
    std::uint64_t RetransmittedFrames() const ///< frames with payload that were sent again
    {
        return m_retransmittedFrames;
    }

    std::uint64_t DeliveredBytes() const ///< plain payload, each byte once
    {
        return m_deliveredBytes;
    }
    /** @} */

    /** What a MessageTx sink looks like. */
    typedef void (*MessageTracedCallback)(const Message& message);

  protected:
    void DoDispose() override;

    /** Ends the program if a frame holds no payload of whole groups. */
    static void RequireRoom(std::uint64_t payloadBytes);

    /** Gives a whole message to who receives its job. */
    void Deliver(ReceivedMessage message);

    std::uint64_t m_groupValues{1};                           ///< see SetGroup
    ns3::TracedValue<std::uint64_t> m_retransmittedFrames{0}; ///< trace source RetransmittedFrames
    ns3::TracedValue<std::uint64_t> m_deliveredBytes{0};      ///< trace source DeliveredBytes
    std::uint64_t m_apiCalls{0}; ///< sends and deliveries; part of the state, as each happens once

  private:
    virtual void DoSend(Message message, std::function<void()> left) = 0; ///< takes a message

    std::map<JobId, Receiver> m_receivers;           ///< by job
    ns3::TracedCallback<const Message&> m_messageTx; ///< trace source MessageTx
};

} // namespace inca

#endif // INCA_TRANSPORT_MESSAGE_TRANSPORT_H
