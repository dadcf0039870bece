/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/positive-time.h"

#include "ns3/nstime.h"

namespace inca
{

namespace
{

class PositiveTimeChecker : public ns3::AttributeChecker
{
  public:
    bool Check(const ns3::AttributeValue& value) const override
    {
        const auto* time = dynamic_cast<const ns3::TimeValue*>(&value);
        return time != nullptr && time->Get().IsStrictlyPositive();
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::TimeValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "Time, above 0";
    }

    ns3::Ptr<ns3::AttributeValue> Create() const override
    {
        return ns3::Create<ns3::TimeValue>();
    }

    bool Copy(const ns3::AttributeValue& source, ns3::AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const ns3::TimeValue*>(&source);
        auto* to = dynamic_cast<ns3::TimeValue*>(&destination);
        if (from == nullptr || to == nullptr)
        {
            return false;
        }
        *to = *from;
        return true;
    }
};

} // namespace

ns3::Ptr<const ns3::AttributeChecker>
MakePositiveTimeChecker()
{
    return ns3::Create<PositiveTimeChecker>();
}

} // namespace inca
