/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/random-loss.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaRandomLoss");

NS_OBJECT_ENSURE_REGISTERED(RandomLoss);

namespace
{

/** At ns-3's default seed and run, 1 and 1, it depends on @p seed and @p stream alone. */
RandomStream
StreamOf(std::uint64_t seed, std::uint64_t stream)
{
    using Ns3 = ns3::RngSeedManager;
    return RandomStream(seed ^ MixBits(MixBits(Ns3::GetSeed() - 1) + Ns3::GetRun() - 1), stream);
}

} // namespace

ns3::TypeId
RandomLoss::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::RandomLoss")
                                 .SetParent<ns3::ErrorModel>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<RandomLoss>()
                                 .AddAttribute("ErrorRate",
                                               "share of frames that are lost, 0 to 1",
                                               ns3::DoubleValue(0),
                                               ns3::MakeDoubleAccessor(&RandomLoss::m_rate),
                                               ns3::MakeDoubleChecker<double>(0, 1));
    return tid;
}

RandomLoss::RandomLoss()
    : RandomLoss(0, 0, ns3::RngSeedManager::GetNextStreamIndex())
{
    m_givenRate.reset();
}

RandomLoss::RandomLoss(double rate, std::uint64_t seed, std::uint64_t stream)
    : m_givenRate(rate),
      m_rate(rate),
      m_seed(seed),
      m_streamNumber(stream),
      m_stream(StreamOf(seed, stream))
{
}

void
RandomLoss::NotifyConstructionCompleted()
{
    NS_LOG_FUNCTION(this);
    m_rate = m_givenRate.value_or(m_rate);
    ns3::ErrorModel::NotifyConstructionCompleted();
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
    NS_LOG_FUNCTION(this);
    return m_stream.Uniform() < m_rate;
}

void
RandomLoss::DoReset()
{
    NS_LOG_FUNCTION(this);
    m_stream = StreamOf(m_seed, m_streamNumber);
}

} // namespace inca
