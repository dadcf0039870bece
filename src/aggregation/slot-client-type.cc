/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The slot client's TypeId, and what its attributes mean.
#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "exchange/adder.h"

#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(SlotClient);

namespace
{

constexpr const char* DEFAULT_ADDER{"int32"};
constexpr const char* BLOCK_SCALING{"block"};
constexpr const char* FIXED_SCALING{"fixed"};

void
CheckOneOf(const std::string& attribute,
           const std::string& value,
           const std::vector<std::string>& known)
{
    if (std::find(known.begin(), known.end(), value) == known.end())
    {
        throw InputError("inca::SlotClient::" + attribute + ": " + UnknownName(value, known));
    }
}

} // namespace

ns3::TypeId
SlotClient::GetTypeId()
{
    static ns3::TypeId tid =
        AddHostAttributes(AddPoolAttributes(ns3::TypeId("inca::SlotClient")
                                                .SetParent<AggregationClient>()
                                                .SetGroupName("Inca")
                                                .AddConstructor<SlotClient>()));
    return tid;
}

ns3::TypeId
SlotClient::AddPoolAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute(
            "Slots",
            "packets that may be on their way: as many as the switches' pools have slots, "
            "else a lost sum may starve a worker",
            ns3::UintegerValue(128),
            ns3::MakeUintegerAccessor(&SlotClient::m_slots),
            ns3::MakeUintegerChecker<std::uint32_t>(1, MAX_SLOTS))
        .AddAttribute("ValuesPerPacket",
                      "values of 4 bytes in a packet",
                      ns3::UintegerValue(256),
                      ns3::MakeUintegerAccessor(&SlotClient::m_valuesPerPacket),
                      ns3::MakeUintegerChecker<std::uint16_t>(1))
        .AddAttribute("Adder",
                      "what the switches add: int32, int32-saturating or fp32",
                      ns3::StringValue(DEFAULT_ADDER),
                      ns3::MakeStringAccessor(&SlotClient::m_adder),
                      ns3::MakeStringChecker())
        .AddAttribute("Scaling",
                      "integers: block (exponents one window ahead) or fixed",
                      ns3::StringValue(BLOCK_SCALING),
                      ns3::MakeStringAccessor(&SlotClient::m_scaling),
                      ns3::MakeStringChecker())
        .AddAttribute("FixedExponent",
                      "of fixed scaling: no value's magnitude is above 2 to this",
                      ns3::IntegerValue(0),
                      ns3::MakeIntegerAccessor(&SlotClient::m_fixedExponent),
                      ns3::MakeIntegerChecker<std::int16_t>())
        .AddAttribute("Timeout",
                      "from a packet's departure to its repetition",
                      ns3::TimeValue(ns3::MilliSeconds(1)),
                      ns3::MakeTimeAccessor(&SlotClient::m_timeout),
                      ns3::MakeTimeChecker(ns3::Time(1)))
        .AddAttribute("DoubleAfter",
                      "timeouts after which the timeout doubles; 0 = never",
                      ns3::UintegerValue(100),
                      ns3::MakeUintegerAccessor(&SlotClient::m_doubleAfter),
                      ns3::MakeUintegerChecker<std::uint32_t>());
}

ns3::TypeId
SlotClient::AddHostAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute("HostByteRate",
                      "plain bytes that a host moves per second, each way; 0 = free",
                      ns3::UintegerValue(0),
                      ns3::MakeUintegerAccessor(&SlotClient::m_hostBytesPerSecond),
                      ns3::MakeUintegerChecker<std::uint64_t>())
        .AddAttribute("HostFrameCost",
                      "what each frame costs a host, sending and receiving",
                      ns3::TimeValue(ns3::Time(0)),
                      ns3::MakeTimeAccessor(&SlotClient::m_hostFrameCost),
                      ns3::MakeTimeChecker(ns3::Time(0)))
        .AddAttribute("HostMessageCost",
                      "what a sum costs a host before its first frame",
                      ns3::TimeValue(ns3::Time(0)),
                      ns3::MakeTimeAccessor(&SlotClient::m_hostMessageCost),
                      ns3::MakeTimeChecker(ns3::Time(0)));
}

void
SlotClient::DoInstall()
{
    CheckOneOf("Adder", m_adder, AdderNames());
    CheckOneOf("Scaling", m_scaling, {BLOCK_SCALING, FIXED_SCALING});
    auto coding = std::make_shared<SlotCoding>();
    coding->valuesPerPacket = m_valuesPerPacket;
    coding->fixedExponent = m_fixedExponent;
    if (MakeAdder(m_adder)->IsExact()) // integers
    {
        coding->scale.emplace(Place().workers);
        coding->exponentsAhead = m_scaling == BLOCK_SCALING;
    }
    m_coding = coding;
    m_sender.emplace(m_slots);
    m_timeouts.emplace(m_slots, m_timeout.GetTimeStep(), m_doubleAfter);
    m_timesSent.assign(m_slots, 0);
}

} // namespace inca
