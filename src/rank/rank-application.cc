/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-application.h"

#include "aggregation/aggregation-client.h"
#include "base/errors.h"
#include "device/byte-rate.h"
#include "device/initial-attribute.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaRank");

NS_OBJECT_ENSURE_REGISTERED(RankApplication);

ns3::TypeId
RankApplication::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::RankApplication")
            .SetParent<ns3::Application>()
            .SetGroupName("Inca")
            .AddConstructor<RankApplication>()
            .AddAttribute(
                "SumRate",
                "At which the host adds plain values to others; by default at no cost.",
                ns3::DataRateValue(ns3::DataRate(NO_LIMIT_BPS)),
                Initially<RankApplication>(ns3::MakeDataRateAccessor(&RankApplication::m_sumRate)),
                ns3::MakeDataRateChecker())
            .AddAttribute(
                "EncodeRate",
                "At which a codec on the host encodes plain values; by default at no cost.",
                ns3::DataRateValue(ns3::DataRate(NO_LIMIT_BPS)),
                Initially<RankApplication>(
                    ns3::MakeDataRateAccessor(&RankApplication::m_encodeRate)),
                ns3::MakeDataRateChecker())
            .AddAttribute(
                "DecodeRate",
                "At which a codec on the host decodes to plain values; by default at no cost.",
                ns3::DataRateValue(ns3::DataRate(NO_LIMIT_BPS)),
                Initially<RankApplication>(
                    ns3::MakeDataRateAccessor(&RankApplication::m_decodeRate)),
                ns3::MakeDataRateChecker())
            .AddTraceSource("ExchangeStart",
                            "This rank begins its first step of an exchange.",
                            ns3::MakeTraceSourceAccessor(&RankApplication::m_exchangeStartTrace),
                            "inca::RankApplication::ExchangeCallback")
            .AddTraceSource("ExchangeEnd",
                            "This rank has ended its last step of an exchange.",
                            ns3::MakeTraceSourceAccessor(&RankApplication::m_exchangeEndTrace),
                            "inca::RankApplication::ExchangeCallback")
            .AddTraceSource("StepMessage",
                            "A message of an exchange has reached this rank whole.",
                            ns3::MakeTraceSourceAccessor(&RankApplication::m_stepMessageTrace),
                            "inca::RankApplication::StepMessageCallback")
            .AddTraceSource("Work",
                            "This rank will compute, copy, code, add or update, from when to when.",
                            ns3::MakeTraceSourceAccessor(&RankApplication::m_workTrace),
                            "inca::RankApplication::WorkCallback");
    return tid;
}

RankApplication::RankApplication()
{
    m_host.worked = [this](const ResourceWork& work) { m_workTrace(m_host.rank, work); };
    m_host.updateShard = [this](const ShardUpdate& update) { UpdateShard(update); };
}

void
RankApplication::SetJob(std::shared_ptr<const TrainingJob> job,
                        std::shared_ptr<const RankAddresses> addresses,
                        std::shared_ptr<ExchangeOrder> order,
                        Rank rank)
{
    NS_LOG_FUNCTION(this << rank);
    m_host.rank = rank;
    m_host.job = std::move(job);
    m_host.addresses = std::move(addresses);
    m_order = std::move(order);
}

void
RankApplication::SetNetwork(ns3::Ptr<MessageTransport> transport, ns3::Ptr<Nic> nic)
{
    NS_LOG_FUNCTION(this);
    m_host.transport = transport;
    m_nic = nic;
}

void
RankApplication::SetValueSink(ValueSink sink)
{
    NS_LOG_FUNCTION(this);
    m_valueSink = std::move(sink);
}

bool
RankApplication::IsFinished() const
{
    return AllExchangesDone();
}

std::int64_t
RankApplication::BusyUntilPs() const
{
    return std::max({m_host.codec.BusyUntilPs(),
                     m_host.sum.BusyUntilPs(),
                     m_host.gpu.BusyUntilPs(),
                     m_host.processor.BusyUntilPs()});
}

std::string
RankApplication::State() const
{
    std::string text;
    for (const auto& [exchange, runner] : m_runners)
    {
        text += (text.empty() ? "" : "; ") + runner->State();
    }
    return text.empty() ? "no exchange is running" : text;
}

void
RankApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_runners.clear();
    m_nic = nullptr;
    m_order = nullptr;
    m_valueSink = nullptr;
    m_host.transport = nullptr;
    m_host.path = nullptr;
    m_host.networkSums = {};
    ns3::Application::DoDispose();
}

void
RankApplication::VisitState(StateVisitor& visitor)
{
    visitor.State(m_runners.size());
    for (const auto& [exchange, runner] : m_runners)
    {
        visitor.State(exchange);
        runner->VisitState(visitor);
    }
    m_host.codec.VisitState(visitor, Activity::CODEC);
    m_host.sum.VisitState(visitor, Activity::SUM);
    m_host.clock.VisitState(visitor);
    m_host.timeline.VisitState(visitor);
}

std::uint32_t
RankApplication::ChunkCount() const
{
    return static_cast<std::uint32_t>(GetJob().chunks.size());
}

bool
RankApplication::AllExchangesDone() const
{
    return m_firstOpen == GetJob().BatchCount() * ChunkCount();
}

/** Registers for messages before the start time: ranks that start earlier send some, which wait for this one. */
void
RankApplication::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_host.transport, "a rank has no transport; TrainingHelper gives it one");
    m_host.path = HostPath::Of(GetNode());
    if (const auto clients = m_nic ? m_nic->GetObject<HostClients>() : nullptr)
    {
        for (const bool inNodes : {false, true})
        {
            m_host.networkSums[inNodes].client = clients->Find(GetJob().id, inNodes);
        }
    }
    m_host.transport->SetReceiver(GetJob().id,
                                  [this](ReceivedMessage message) { Receive(std::move(message)); });
    SetIsUser(true);
    ns3::Application::DoInitialize();
}

void
RankApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    const auto& job = GetJob();
    const auto shareOf = [](std::uint64_t bytesPerSecond, Rank sharers) {
        return bytesPerSecond == 0 ? 0 : std::max<std::uint64_t>(1, bytesPerSecond / sharers);
    };
    const auto adders = job.IsWorker(m_host.rank) ? job.addingGpus : 1;
    m_host.sumBytesPerSecond = shareOf(BytesPerSecond(m_sumRate) * adders, job.sumSharers);
    m_host.codingRates = {shareOf(BytesPerSecond(m_encodeRate), job.codecSharers),
                          shareOf(BytesPerSecond(m_decodeRate), job.codecSharers)};
    m_ready.assign(ChunkCount(), 0);
    m_order->OnGrowth([this] { ns3::Simulator::ScheduleNow([this] { StartExchanges(); }); });
    DoStart();
    StartExchanges();
}

void
RankApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_isStopped = true;
    SetIsUser(false);
}

void
RankApplication::LeaveIfFinished()
{
    NS_LOG_FUNCTION(this);
    if (IsFinished() && AllExchangesDone())
    {
        SetIsUser(false);
    }
}

void
RankApplication::SetIsUser(bool isUser)
{
    NS_LOG_FUNCTION(this << isUser);
    if (std::exchange(m_isUser, isUser) == isUser)
    {
        return;
    }
    isUser ? m_host.transport->AddUser() : m_host.transport->RemoveUser();
    for (const auto& [client, sums, gathers] : m_host.networkSums)
    {
        if (client)
        {
            isUser ? client->AddUser() : client->RemoveUser();
        }
    }
}

/** Starts every exchange that may start now. */
void
RankApplication::StartExchanges()
{
    NS_LOG_FUNCTION(this);
    for (std::size_t lane = 0; lane < (GetJob().gathersApart ? m_lanes.size() : 1); ++lane)
    {
        while (!m_isStopped && m_lanes[lane].running < GetJob().concurrent)
        {
            if (lane == 0 && !m_updated.empty())
            {
                GoOnWithUpdated();
                continue;
            }
            const auto exchange = NextExchange(lane);
            if (!exchange)
            {
                break;
            }
            ++m_lanes[lane].position;
            Start(*exchange);
        }
    }
    LeaveIfFinished();
}

std::size_t
RankApplication::LaneOf(std::uint32_t exchange) const
{
    const bool gathers = GetJob().ChunkOf(exchange).purpose != ExchangePurpose::GRADIENTS;
    return GetJob().gathersApart && gathers ? 1 : 0;
}

/** Whether it gathers weights, of which some are to be made of sums that are still under way beside it. */
bool
RankApplication::AwaitsSums(std::uint32_t exchange) const
{
    const auto& job = GetJob();
    const auto iteration = job.BatchOf(exchange) / job.exchangedBatches;
    return LaneOf(exchange) == 1 &&
           m_endedSums < iteration * job.exchangedBatches * job.GradientChunkCount();
}

/** @return the next one in the order, if this rank may start it; which one it is, workers choose if it is open */
std::optional<std::uint32_t>
RankApplication::NextExchange(std::size_t lane)
{
    PassOverOthers(lane);
    const auto position = m_lanes[lane].position;
    if (position == GetJob().BatchCount() * ChunkCount())
    {
        return std::nullopt;
    }
    if (!GetJob().IsWorker(m_host.rank))
    {
        return m_order->At(position);
    }
    const auto exchange = m_order->Choose(position, m_host.rank);
    const bool awaitsUpdate =
        exchange && !m_summed.empty() &&
        GetJob().BatchOf(*exchange) != GetJob().BatchOf(m_summed.front().exchange);
    const bool isReady = exchange && !awaitsUpdate && !AwaitsSums(*exchange) &&
                         m_ready[*exchange % ChunkCount()] > *exchange / ChunkCount() &&
                         m_order->MayStart(*exchange);
    return isReady ? exchange : std::nullopt;
}

/** Exchanges whose turn it is, of another lane, or of communicators of which this rank is none. */
void
RankApplication::PassOverOthers(std::size_t lane)
{
    NS_LOG_FUNCTION(this << lane);
    for (auto& position = m_lanes[lane].position; position < GetJob().BatchCount() * ChunkCount();
         ++position)
    {
        const auto exchange = m_order->At(position);
        const bool isOfLane = exchange && LaneOf(*exchange) == lane;
        if (!exchange || (isOfLane && GetJob().ChunkOf(*exchange).Involves(m_host.rank)))
        {
            return;
        }
        if (isOfLane)
        {
            CountEnded(*exchange);
        }
    }
}

void
RankApplication::CountEnded(std::uint32_t exchange)
{
    NS_LOG_FUNCTION(this << exchange);
    m_ended.insert(exchange);
    m_endedSums += GetJob().ChunkOf(exchange).purpose == ExchangePurpose::GRADIENTS ? 1 : 0;
    while (m_ended.erase(m_firstOpen) > 0)
    {
        ++m_firstOpen;
    }
}

void
RankApplication::MakeReady(std::uint32_t chunk)
{
    NS_LOG_FUNCTION(this << chunk);
    m_order->ReportReady(m_host.rank, GetJob().ExchangeNumber(m_ready[chunk], chunk));
    ++m_ready[chunk];
    // Not at once: of all that becomes ready at this instant, the lowest layer is to go first.
    ns3::Simulator::ScheduleNow([this] { StartExchanges(); });
}

void
RankApplication::Start(std::uint32_t exchange)
{
    NS_LOG_FUNCTION(this << exchange);
    ++m_lanes[LaneOf(exchange)].running;
    NS_LOG_INFO(GetJob().NameOf(m_host.rank) << " starts exchange " << exchange);
    m_exchangeStartTrace(m_host.rank, exchange);
    const bool isOfGradients = GetJob().ChunkOf(exchange).purpose == ExchangePurpose::GRADIENTS;
    if (GetJob().UpdatesShardsAtEnd() && isOfGradients && GetJob().IsOfLastBatch(exchange))
    {
        m_summed.push_back({exchange, 0, {}});
    }
    Runner(exchange).Start(
        [this, exchange](const StepMessage& message) {
            m_stepMessageTrace(m_host.rank, exchange, message);
        },
        [this, exchange] { End(exchange); });
}

/** @return the exchange, if its shard is to be updated with all others of its iteration; else null */
RankApplication::SummedExchange*
RankApplication::AwaitsUpdate(std::uint32_t exchange)
{
    NS_LOG_FUNCTION(this << exchange);
    const auto found =
        std::find_if(m_summed.begin(), m_summed.end(), [exchange](const SummedExchange& one) {
            return one.exchange == exchange;
        });
    return found == m_summed.end() ? nullptr : &*found;
}

/** While an exchange waits for the update, others may start. */
void
RankApplication::UpdateShard(const ShardUpdate& update)
{
    NS_LOG_FUNCTION(this);
    auto* const summed = AwaitsUpdate(update.exchange);
    if (summed == nullptr)
    {
        m_host.Updater().Run(PathKind::UPDATE, update.durationPs, update.done);
        return;
    }
    summed->durationPs += update.durationPs;
    if (update.parts == 0)
    {
        update.done();
        return;
    }
    summed->goOn.push_back(update.done);
    if (summed->goOn.size() < update.parts)
    {
        return;
    }
    --m_lanes[LaneOf(update.exchange)].running;
    DoShardSummed(update.exchange / ChunkCount(), update.exchange % ChunkCount());
    if (++m_waiting == GetJob().GradientChunkCount())
    {
        UpdateShards();
    }
    StartExchanges();
}

/** All gradients of the iteration are summed: weights are made of them, then handed on in the order of their exchanges. */
void
RankApplication::UpdateShards()
{
    NS_LOG_FUNCTION(this);
    m_waiting = 0;
    const auto durationPs = std::accumulate(
        m_summed.begin(),
        m_summed.end(),
        std::int64_t{0},
        [](std::int64_t sum, const SummedExchange& one) { return sum + one.durationPs; });
    m_host.gpu.Run(PathKind::UPDATE, durationPs, [this] {
        std::move(m_summed.begin(), m_summed.end(), std::back_inserter(m_updated));
        m_summed.clear();
        StartExchanges();
    });
}

/** The first exchange whose shard is updated. */
void
RankApplication::GoOnWithUpdated()
{
    NS_LOG_FUNCTION(this);
    const auto updated = std::move(m_updated.front());
    m_updated.pop_front();
    ++m_lanes[LaneOf(updated.exchange)].running;
    for (const auto& goOn : updated.goOn)
    {
        goOn();
    }
}

void
RankApplication::End(std::uint32_t exchange)
{
    NS_LOG_FUNCTION(this << exchange);
    const auto runner = std::move(m_runners.at(exchange));
    m_runners.erase(exchange);
    --m_lanes[LaneOf(exchange)].running;
    CountEnded(exchange);
    NS_LOG_INFO(GetJob().NameOf(m_host.rank) << " has ended exchange " << exchange);
    m_exchangeEndTrace(m_host.rank, exchange);
    auto outcome = runner->TakeOutcome();
    if (outcome.values && KeepsShardOf(exchange))
    {
        m_host.weights.Keep(GetJob().ChunkOf(exchange).range.begin, *outcome.values);
    }
    if (outcome.values && m_valueSink)
    {
        m_valueSink(m_host.rank, exchange, std::move(outcome));
    }
    if (m_order->cycles && GetJob().IsWorker(m_host.rank))
    {
        m_order->cycles->End(m_host.clock.NowPs());
    }
    if (!m_isStopped)
    {
        DoExchanged(exchange / ChunkCount(), exchange % ChunkCount());
        StartExchanges();
    }
}

/** @return whether weights are made in it, of which this rank keeps its own */
bool
RankApplication::KeepsShardOf(std::uint32_t exchange) const
{
    const auto& job = GetJob();
    return job.GathersWeights() && job.IsOfLastBatch(exchange) &&
           job.ChunkOf(exchange).purpose == ExchangePurpose::GRADIENTS;
}

void
RankApplication::Receive(ReceivedMessage message)
{
    NS_LOG_FUNCTION(this);
    if (!m_isStopped)
    {
        Runner(GetJob().ExchangeOf(message.tag.round)).Deliver(std::move(message));
    }
}

ExchangeRunner&
RankApplication::Runner(std::uint32_t exchange)
{
    NS_LOG_FUNCTION(this << exchange);
    auto& runner = m_runners[exchange];
    if (!runner)
    {
        if (exchange < m_firstOpen || m_ended.count(exchange) > 0)
        {
            throw InvariantError("exchange " + std::to_string(exchange) + " has ended on " +
                                 GetJob().NameOf(m_host.rank) + ", and gets a message");
        }
        runner = std::make_unique<ExchangeRunner>(m_host, exchange, GetJob().ChunkOf(exchange));
    }
    return *runner;
}

} // namespace inca
