/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_MESSAGE_H
#define INCA_DEVICE_MESSAGE_H

#include "inca/base/job-id.h"
#include "inca/base/shared-bytes.h"
#include "inca/base/state-visitor.h"
#include "inca/device/mac-hash.h"

#include "ns3/mac48-address.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace inca
{

class Codec;

/** Shows by what an engine codes, and how many bits it makes of a value. */
inline void
VisitCoding(StateVisitor& visitor, const Codec* codec, double meanBits)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &meanBits, sizeof bits);
    visitor.State(reinterpret_cast<std::uintptr_t>(codec));
    visitor.State(bits);
}

/** Names a message among all between two hosts; the transport carries it and reads nothing into it. */
struct MessageTag
{
    JobId job;                ///< whose message it is
    std::uint32_t round{0};   ///< which round, over all rounds of all exchanges of the job
    std::uint32_t ordinal{0}; ///< which message of that round from this sender to this receiver
    /** A grant: without payload, free of host costs, ahead of other messages. */
    bool grant{false};
    bool inside{false}; ///< between GPUs of one node: free of host costs

    /** Whether both name the same message. */
    bool operator==(const MessageTag& other) const
    {
        return job == other.job && round == other.round && ordinal == other.ordinal &&
               grant == other.grant;
    }

    /** Shows which message it is of those from one host to the other, or of which one it is the grant, which goes the other way. */
    void VisitState(StateVisitor& visitor, ns3::Mac48Address from, ns3::Mac48Address to) const
    {
        visitor.State(std::uint64_t{round} << 1U | std::uint64_t{grant});
        if (!visitor.HasSteps())
        {
            visitor.State(ordinal); // there is no other one in a period
            return;
        }
        visitor.MessageNumber(grant ? WayNumber(to, from) : WayNumber(from, to), round, ordinal);
    }
};

/** One message as its sender hands it over. */
struct Message
{
    ns3::Mac48Address to;        ///< the host that gets it
    MessageTag tag;              ///< no other message from here to that host has the same
    std::uint64_t plainBytes{0}; ///< 0 is one frame without payload
    bool compressible{false};    ///< marks its frames for the engines
    /** By which engines code its values, as long as it is under way; null: by that of the NIC. */
    const Codec* codec{nullptr};
    double meanBits{32}; ///< of a value in the engine's stream, all included, when none travel
    SharedBytes payload; ///< none: sizes only
    /** Where only sizes travel, but what the engines make of each frame is known; else null. (bytes) */
    std::shared_ptr<const std::vector<std::uint16_t>> codedSizes;
    std::int64_t sentPs{0}; ///< what ReceivedMessage::sentPs will be; nothing depends on it

    /** Shows which message of @p from it is, and all that its frames are made of but for when it was sent. */
    void VisitState(StateVisitor& visitor, ns3::Mac48Address from) const
    {
        tag.VisitState(visitor, from, to);
        visitor.State(plainBytes << 1U | std::uint64_t{compressible});
        VisitCoding(visitor, codec, meanBits);
    }
};

/** One message as its receiver gets it, whole, once. */
struct ReceivedMessage
{
    ns3::Mac48Address from;            ///< the host that sent it
    MessageTag tag;                    ///< as its sender said
    std::uint64_t plainBytes{0};       ///< as its sender said; 0 for a grant, too
    std::uint64_t wirePayloadBytes{0}; ///< payload as it arrived from the wire, each byte once
    SharedBytes bytes;                 ///< plainBytes of them when values travel, else none
    std::int64_t sentPs{0};            ///< when its sender handed it over, as that one says
};

} // namespace inca

#endif // INCA_DEVICE_MESSAGE_H
