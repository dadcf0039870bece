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

} // namespace inca
