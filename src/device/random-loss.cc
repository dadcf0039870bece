/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/random-loss.h"

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(RandomLoss);

ns3::TypeId
RandomLoss::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::RandomLoss")
                                 .SetParent<ns3::ErrorModel>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<RandomLoss>();
    return tid;
}

RandomLoss::RandomLoss()
    : RandomLoss(0, 0, 0)
{
}

RandomLoss::RandomLoss(double rate, std::uint64_t seed, std::uint64_t stream)
    : m_rate(rate),
      m_seed(seed),
      m_streamNumber(stream),
      m_stream(seed, stream)
{
}

std::int64_t
RandomLoss::AssignStreams(std::int64_t stream)
{
    m_streamNumber = static_cast<std::uint64_t>(stream);
    DoReset();
    return 1;
}

bool
RandomLoss::DoCorrupt(ns3::Ptr<ns3::Packet> /*packet*/)
{
    return m_stream.Uniform() < m_rate;
}

void
RandomLoss::DoReset()
{
    m_stream = RandomStream(m_seed, m_streamNumber);
}

} // namespace inca
