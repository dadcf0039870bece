/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/message-transport.h"

#include "base/errors.h"
#include "device/set-up-error.h"

#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaMessageTransport");

NS_OBJECT_ENSURE_REGISTERED(MessageTransport);

ns3::TypeId
MessageTransport::GetTypeId()
{
    constexpr const char* countSink = "ns3::TracedValueCallback::Uint64";
    static ns3::TypeId tid =
        ns3::TypeId("inca::MessageTransport")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddTraceSource("RetransmittedFrames",
                            "data frames sent again",
                            ns3::MakeTraceSourceAccessor(&MessageTransport::m_retransmittedFrames),
                            countSink)
            .AddTraceSource("DeliveredBytes",
                            "plain payload, each byte once",
                            ns3::MakeTraceSourceAccessor(&MessageTransport::m_deliveredBytes),
                            countSink)
            .AddTraceSource("MessageTx",
                            "a message, or a grant, was queued to be sent",
                            ns3::MakeTraceSourceAccessor(&MessageTransport::m_messageTx),
                            "inca::MessageTransport::MessageTracedCallback");
    return tid;
}

void
MessageTransport::SetReceiver(JobId job, Receiver receiver)
{
    NS_LOG_FUNCTION(this);
    m_receivers[job] = std::move(receiver);
}

void
MessageTransport::SetGroup(std::uint64_t values)
{
    NS_LOG_FUNCTION(this << values);
    NS_ABORT_MSG_IF(m_apiCalls > 0 && values > m_groupValues,
                    "a codec comes before the first message");
    m_groupValues = std::max(m_groupValues, values); // powers of two
}

void
MessageTransport::RequireRoom(std::uint64_t payloadBytes)
{
    INCA_ABORT_MSG_IF(payloadBytes == 0,
                      "no frame holds the values that the codec decodes together");
}

void
MessageTransport::Send(Message message, std::function<void()> left)
{
    NS_LOG_FUNCTION(this << message.to << message.plainBytes);
    ++m_apiCalls;
    NS_LOG_INFO((message.tag.grant ? "grants" : "sends")
                << " message " << message.tag.ordinal << " of round " << message.tag.round << " to "
                << message.to << ", " << message.plainBytes << " bytes");
    m_messageTx(message);
    DoSend(std::move(message), std::move(left));
}

void
MessageTransport::Deliver(ReceivedMessage message)
{
    NS_LOG_FUNCTION(this);
    NS_LOG_INFO("got " << (message.tag.grant ? "grant " : "message ") << message.tag.ordinal
                       << " of round " << message.tag.round << " from " << message.from);
    ++m_apiCalls;
    const auto found = m_receivers.find(message.tag.job);
    if (found == m_receivers.end())
    {
        throw InvariantError("a host got a message of " + message.tag.job.Text() +
                             ", of which it receives nothing");
    }
    found->second(std::move(message));
}

void
MessageTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_receivers.clear();
    ns3::Object::DoDispose();
}

} // namespace inca
