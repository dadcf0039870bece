/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/aggregator-application.h"

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(AggregatorApplication);

ns3::TypeId
AggregatorApplication::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::AggregatorApplication")
                                 .SetParent<RankApplication>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<AggregatorApplication>();
    return tid;
}

bool
AggregatorApplication::IsFinished() const
{
    return AllExchangesDone();
}

void
AggregatorApplication::DoStart()
{
}

bool
AggregatorApplication::DoChooses() const
{
    return false; // it has nothing of its own to be ready with
}

bool
AggregatorApplication::DoIsReady(std::uint32_t /*batch*/, std::uint32_t /*chunk*/) const
{
    return true;
}

void
AggregatorApplication::DoExchanged(std::uint32_t /*batch*/, std::uint32_t /*chunk*/)
{
}

} // namespace inca
