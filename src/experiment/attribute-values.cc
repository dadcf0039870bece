/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attribute-values.h"

#include "base/attribute-text.h"
#include "base/units.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>

namespace inca
{

namespace
{

using Reader = ns3::Ptr<ns3::AttributeValue> (*)(const std::string& text);

ns3::Ptr<ns3::AttributeValue>
ReadTime(const std::string& text)
{
    return ns3::Create<ns3::TimeValue>(
        ns3::PicoSeconds(static_cast<std::uint64_t>(ParseTimeAttribute(text))));
}

ns3::Ptr<ns3::AttributeValue>
ReadWhole(const std::string& text)
{
    const auto number = ParseWholeAttribute(text);
    if (number < 0)
    {
        throw UnitError("below 0");
    }
    return ns3::Create<ns3::UintegerValue>(static_cast<std::uint64_t>(number));
}

ns3::Ptr<ns3::AttributeValue>
ReadSigned(const std::string& text)
{
    return ns3::Create<ns3::IntegerValue>(ParseWholeAttribute(text));
}

ns3::Ptr<ns3::AttributeValue>
ReadReal(const std::string& text)
{
    return ns3::Create<ns3::DoubleValue>(ParseRealAttribute(text));
}

ns3::Ptr<ns3::AttributeValue>
ReadTruth(const std::string& text)
{
    return ns3::Create<ns3::BooleanValue>(ParseTruthAttribute(text));
}

ns3::Ptr<ns3::AttributeValue>
ReadRate(const std::string& text)
{
    const auto bitsPerSecond = ParseBitRateAttribute(text);
    if (bitsPerSecond == 0)
    {
        throw UnitError("a rate of 0 never ends");
    }
    return ns3::Create<ns3::DataRateValue>(ns3::DataRate(bitsPerSecond));
}

ns3::Ptr<ns3::AttributeValue>
ReadText(const std::string& text)
{
    return ns3::Create<ns3::StringValue>(text);
}

/** Of the types whose values have a text that ns-3 itself reads without ending the process. */
const std::map<std::string, Reader>&
Readers()
{
    static const std::map<std::string, Reader> readers{{"TimeValue", ReadTime},
                                                       {"UintegerValue", ReadWhole},
                                                       {"IntegerValue", ReadSigned},
                                                       {"DoubleValue", ReadReal},
                                                       {"BooleanValue", ReadTruth},
                                                       {"DataRateValue", ReadRate},
                                                       {"StringValue", ReadText},
                                                       {"EnumValue", ReadText}};
    return readers;
}

/** ns-3 names some of its value types with, some without their namespace. */
std::string
TypeOf(const ns3::TypeId::AttributeInformation& attribute)
{
    const auto type = attribute.checker->GetValueTypeName();
    return type.substr(type.rfind(':') + 1);
}

} // namespace

bool
HasText(const ns3::TypeId::AttributeInformation& attribute)
{
    return Readers().count(TypeOf(attribute)) > 0;
}

ns3::Ptr<ns3::AttributeValue>
ReadAttributeValue(const ns3::TypeId::AttributeInformation& attribute, const std::string& text)
{
    const auto reader = Readers().find(TypeOf(attribute));
    if (reader == Readers().end())
    {
        return nullptr;
    }
    try
    {
        return attribute.checker->CreateValidValue(*reader->second(text));
    }
    catch (const UnitError&)
    {
        return nullptr;
    }
}

} // namespace inca
