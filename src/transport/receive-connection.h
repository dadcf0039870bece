/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_RECEIVE_CONNECTION_H
#define INCA_TRANSPORT_RECEIVE_CONNECTION_H

#include "inca/base/shared-bytes.h"
#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"
#include "inca/device/message.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace inca
{

/** What a receiver has of a connection: what an acknowledgement says. */
struct Receipt
{
    /** How many frames behind the first missing one an acknowledgement tells of. */
    static constexpr std::uint64_t HELD_FRAMES{64};

    std::uint64_t next{0};  ///< the first frame that is missing
    std::uint64_t held{0};  ///< bit i: frame next + 1 + i is there
    std::uint64_t heard{0}; ///< the last transmission that arrived, a frame or a probe
    /** Frames that the receiver takes without an acknowledgement from now on. */
    std::uint32_t credit{std::numeric_limits<std::uint32_t>::max()};
};

/** What became of a frame that arrived. */
struct ReceiveOutcome
{
    bool duplicate{false};           ///< it was there already
    bool acknowledge{false};         ///< an acknowledgement is due
    std::uint64_t deliveredBytes{0}; ///< plain payload that is now in order
};

/**
 * The receiver's half of a connection, without a clock: puts frames in order and assembles
 * messages. It holds at most a window of frames that came too early; what is beyond
 * is dropped, as if it were lost.
 */
class ReceiveConnection
{
  public:
    using Receiver = std::function<void(ReceivedMessage)>; ///< gets whole messages, and grants

    /**
     * @param ackEvery frames in order per acknowledgement, at least 1
     * @param windowFrames how many its sender sends without an acknowledgement
     */
    ReceiveConnection(std::uint32_t ackEvery, std::uint32_t windowFrames);

    /**
     * Takes a DATA frame; @p receiver gets the messages that it completes.
     * @throws InvariantError if it does not go on with the message that the ones before it began
     */
    ReceiveOutcome Accept(const ns3::Ptr<Frame>& frame, const Receiver& receiver);

    /** Takes a PROBE frame, which asks for a receipt. */
    void Probed(const Frame& probe)
    {
        m_heard = probe.segment.transmission;
    }

    /** Shows its state: of the connection that @p self has from @p from. */
    void VisitState(StateVisitor& visitor, ns3::Mac48Address from, ns3::Mac48Address self);

    /** Whether a message has begun to come and is not whole. */
    bool IsReceiving() const
    {
        return m_message.has_value() || !m_early.empty();
    }

    /** How many frames its sender may have under way, to be told with the next receipt; at least 1. */
    void SetCredit(std::uint32_t frames)
    {
        m_credit = frames;
    }

    /** What is there now. */
    Receipt Receipts() const
    {
        return {m_next, m_held, m_heard, m_credit};
    }

    // -- kept for its receiver
    bool isVisited{false}; ///< stands among those that a StateVisitor goes over

  private:
    /** Takes the frame that is next, and gives @p receiver the message that it ends. */
    void DeliverInOrder(const Frame& frame, const Receiver& receiver, ReceiveOutcome& outcome);
    void Advance();
    void MarkHeld(const Frame& early); ///< sets the bit of a frame in m_held, if it has one
    void Assemble(const Frame& frame); ///< adds a frame to its message, which it may begin
    /** Throws an InvariantError if @p frame does not go on with the message. */
    void RequireNextPart(const Frame& frame) const;

    std::uint32_t m_ackEvery;          ///< frames in order per acknowledgement
    std::uint32_t m_windowFrames;      ///< frames that it takes, from the next one on
    std::uint32_t m_credit;            ///< as told last
    std::uint32_t m_unacknowledged{0}; ///< frames in order since the last acknowledgement
    std::uint64_t m_next{0};           ///< number of the first frame that is missing
    std::uint64_t m_held{0};           ///< as a receipt says it
    std::uint64_t m_heard{0};          ///< the last transmission that arrived
    std::map<std::uint64_t, ns3::Ptr<Frame>> m_early; ///< by number
    std::optional<ReceivedMessage> m_message;         ///< being assembled
    std::vector<std::uint8_t> m_gathered;             ///< its bytes so far
    std::uint64_t m_assembledBytes{0};                ///< of it
};

} // namespace inca

#endif // INCA_TRANSPORT_RECEIVE_CONNECTION_H
