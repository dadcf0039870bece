/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "transport/receive-connection.h"
#include "transport/send-connection.h"

#include "fuzz/input.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace
{

using namespace inca;

constexpr std::uint64_t g_frameBytes = 8;
constexpr int g_mostRounds = 1'000'000; ///< until a fair network has delivered what an input queues

/** Small, or close below 2^64, or anywhere. */
std::uint64_t
AnyNumber(Input& input)
{
    const std::uint64_t drawn = input.Byte();
    if (drawn < 0x80)
    {
        return drawn;
    }
    return drawn < 0xC0 ? 0x7F - drawn : std::uint64_t{input.Number(4)} << (drawn % 33);
}

ns3::Ptr<Frame>
FrameOf(const OutgoingFrame& outgoing)
{
    const auto& message = outgoing.message->message;
    auto frame = MakeTransportFrame(FrameKind::DATA, outgoing.bytes);
    auto& segment = frame->segment;
    segment.number = outgoing.number;
    segment.transmission = outgoing.transmission;
    segment.tag = message.tag;
    segment.messageBytes = message.plainBytes;
    segment.offset = outgoing.offset;
    segment.repeated = outgoing.repeated;
    segment.last = outgoing.offset + outgoing.bytes == message.plainBytes;
    return frame;
}

ns3::Ptr<Frame>
AnyFrame(Input& input, std::uint64_t expected)
{
    auto frame = MakeTransportFrame(FrameKind::DATA, input.Byte());
    auto& segment = frame->segment;
    segment.number = expected + AnyNumber(input);
    segment.transmission = AnyNumber(input);
    segment.tag.ordinal = input.Byte() % 4U;
    segment.messageBytes = AnyNumber(input);
    segment.offset = AnyNumber(input);
    const unsigned flags = input.Byte();
    segment.last = (flags & 1U) != 0;
    segment.repeated = (flags & 2U) != 0;
    segment.tag.grant = (flags & 4U) != 0;
    if ((flags & 8U) != 0)
    {
        frame->bytes = SharedBytes::Of(std::vector<std::uint8_t>(input.Byte()));
    }
    return frame;
}

/** What is on its way, from which any may arrive, at once or again, or be lost. */
template <class Segment>
class Network
{
  public:
    void Enter(Segment segment)
    {
        m_segments.push_back(std::move(segment));
    }

    bool IsEmpty() const
    {
        return m_segments.empty();
    }

    /** @return one of them; not empty. @param stays it is there again */
    Segment Leave(std::size_t place, bool stays)
    {
        const auto at = m_segments.begin() + static_cast<std::ptrdiff_t>(place % m_segments.size());
        auto segment = *at;
        if (!stays)
        {
            m_segments.erase(at);
        }
        return segment;
    }

    void LoseAll()
    {
        m_segments.clear();
    }

  private:
    std::vector<Segment> m_segments;
};

/** A sender, a receiver, and what goes to and fro. */
class Connections
{
  public:
    Connections(std::uint32_t windowFrames, std::uint32_t ackEvery)
        : m_windowFrames(windowFrames),
          m_sender(ns3::Mac48Address(), SendLimits{windowFrames, g_frameBytes, 1000, 5000}),
          m_receiver(std::min(ackEvery, windowFrames), windowFrames)
    {
    }

    /** One of what can happen; the bytes behind it say of which segment. */
    void Do(unsigned operation, Input& input)
    {
        using Action = void (Connections::*)(Input&);
        static constexpr std::array<Action, 10> actions{&Connections::Queue,
                                                        &Connections::Send,
                                                        &Connections::Send,
                                                        &Connections::Arrive,
                                                        &Connections::Arrive,
                                                        &Connections::Lose,
                                                        &Connections::Hear,
                                                        &Connections::Wait,
                                                        &Connections::Forge,
                                                        &Connections::ForgeReceipt};
        (this->*actions[operation % actions.size()])(input);
    }

    /** All that is on its way is lost; then the network delivers in order what is sent. */
    void Finish()
    {
        m_data.LoseAll();
        m_receipts.LoseAll();
        for (int i = 0; !IsAllThere(); ++i)
        {
            Require(i < g_mostRounds);
            SendNext();
            const bool arrives = !m_data.IsEmpty();
            if (arrives)
            {
                Accept(m_data.Leave(0, false));
            }
            while (!m_receipts.IsEmpty())
            {
                HearOf(m_receipts.Leave(0, false));
            }
            Pass(arrives || !m_sender.HasOutstanding() ? 1 : m_sender.DeadlinePs() - m_nowPs);
        }
    }

    /** Of what the sender queued only: nothing was made up. */
    bool IsHonest() const
    {
        return m_isHonest;
    }

  private:
    void Queue(Input& input)
    {
        const auto bytes = input.Byte();
        const bool grant = bytes > 0xF0;
        auto message = std::make_shared<OutgoingMessage>();
        message->message.tag.grant = grant;
        message->message.tag.ordinal = m_queued[grant ? 1 : 0]++;
        message->message.plainBytes = grant ? 0 : bytes;
        m_sender.Queue(std::move(message));
    }

    void Send(Input& /*input*/)
    {
        SendNext();
    }

    void SendNext()
    {
        if (!m_sender.HasFrame())
        {
            return;
        }
        const auto frame = m_sender.NextFrame();
        Require(frame.repeated ? frame.number < m_framesSent : frame.number == m_framesSent);
        m_framesSent += frame.repeated ? 0 : 1;
        Require(m_framesSent - m_acknowledged <= m_windowFrames);
        m_sender.Sent(frame, m_nowPs);
        m_data.Enter(FrameOf(frame));
    }

    void Arrive(Input& input)
    {
        const unsigned drawn = input.Byte();
        if (!m_data.IsEmpty())
        {
            Accept(m_data.Leave(drawn / 2, drawn % 2 == 1));
        }
    }

    void Lose(Input& input)
    {
        const auto place = input.Byte();
        if (!m_data.IsEmpty())
        {
            m_data.Leave(place, false);
        }
    }

    void Hear(Input& input)
    {
        const unsigned drawn = input.Byte();
        if (!m_receipts.IsEmpty())
        {
            HearOf(m_receipts.Leave(drawn / 2, drawn % 2 == 1));
        }
    }

    void Wait(Input& input)
    {
        Pass(std::int64_t{1} << (input.Byte() % 50U));
    }

    void Forge(Input& input)
    {
        m_isHonest = false;
        m_forged.push_back(AnyFrame(input, m_receiver.Receipts().next));
        Accept(m_forged.back());
        const auto isHeld = [](const auto& frame) { return frame->GetReferenceCount() > 1; };
        const auto end = std::stable_partition(m_forged.begin(), m_forged.end(), isHeld);
        m_forged.erase(end, m_forged.end());
        Require(m_forged.size() <= m_windowFrames);
    }

    void ForgeReceipt(Input& input)
    {
        m_isHonest = false;
        HearOf({m_acknowledged + AnyNumber(input), AnyNumber(input), AnyNumber(input)});
    }

    void Accept(const ns3::Ptr<Frame>& frame)
    {
        const auto before = m_receiver.Receipts().next;
        const auto outcome =
            m_receiver.Accept(frame, [this](const ReceivedMessage& message) { Deliver(message); });
        const auto frames = m_receiver.Receipts().next - before;
        Require(frames <= m_windowFrames && (!outcome.duplicate || frames == 0));
        if (outcome.acknowledge)
        {
            m_receipts.Enter(m_receiver.Receipts());
        }
    }

    /** Each message is there once, in the order in which they were queued; grants may go ahead. */
    void Deliver(const ReceivedMessage& message)
    {
        const bool inOrder = message.tag.ordinal == m_delivered[message.tag.grant ? 1 : 0]++;
        Require(inOrder || !m_isHonest);
        Require(message.bytes.size() == 0 || message.bytes.size() == message.plainBytes);
    }

    void HearOf(const Receipt& receipt)
    {
        m_sender.Acknowledge(receipt, m_nowPs);
        if (receipt.next <= m_framesSent)
        {
            m_acknowledged = std::max(m_acknowledged, receipt.next);
        }
    }

    void Pass(std::int64_t ps)
    {
        m_nowPs += ps;
        if (!m_sender.HasOutstanding() || m_sender.DeadlinePs() > m_nowPs)
        {
            return;
        }
        if (const auto transmission = m_sender.TimeOut(m_nowPs))
        {
            const auto probe = MakeTransportFrame(FrameKind::PROBE, 0);
            probe->segment.transmission = transmission;
            m_receiver.Probed(*probe);
            m_receipts.Enter(m_receiver.Receipts());
        }
        Require(m_sender.DeadlinePs() > m_nowPs);
        Require(m_sender.LongestTimeoutPs() >= m_sender.DeadlinePs() - m_nowPs);
    }

    bool IsAllThere() const
    {
        return m_delivered == m_queued;
    }

    std::uint32_t m_windowFrames;
    SendConnection m_sender;
    ReceiveConnection m_receiver;
    Network<ns3::Ptr<Frame>> m_data;
    Network<Receipt> m_receipts;
    std::vector<ns3::Ptr<Frame>> m_forged; ///< that the receiver keeps
    std::int64_t m_nowPs{0};
    std::uint64_t m_framesSent{0};
    std::uint64_t m_acknowledged{0};
    std::array<std::uint32_t, 2> m_queued{}; ///< messages, grants
    std::array<std::uint32_t, 2> m_delivered{};
    bool m_isHonest{true};
};

} // namespace

/* Segments between a sender and a receiver, lost, again, late and out of order: what is queued arrives once, in
 * order, and all of it when the network is fair again. Of segments that nobody sent too much is never kept; a
 * frame that contradicts those before it is refused. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto windowFrames = 1 + input.Byte() % 80U;
    Connections connections(windowFrames, 1 + input.Byte() % 20U);
    try
    {
        while (!input.IsEmpty())
        {
            connections.Do(input.Byte(), input);
        }
    }
    catch (const InvariantError&)
    {
        Require(!connections.IsHonest());
    }
    if (connections.IsHonest())
    {
        connections.Finish();
    }
    return 0;
}
