/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-helper.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "exchange/exchange-catalog.h"
#include "exchange/shift-symmetry.h"
#include "job/data-parallel.h"
#include "rank/rank-application.h"
#include "rank/worker-application.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace inca
{

namespace
{

std::shared_ptr<ExchangeOrder>
MakeUnboundOrder(const TrainingJob& job)
{
    if (!job.priority)
    {
        return std::make_shared<ExchangeOrder>(static_cast<std::uint32_t>(job.chunks.size()));
    }
    std::vector<std::uint32_t> priorities;
    for (const auto& chunk : job.chunks)
    {
        priorities.push_back(chunk.firstLayer);
    }
    return std::make_shared<ExchangeOrder>(std::move(priorities));
}

/** @param workers that ask for it */
std::shared_ptr<ExchangeOrder>
MakeOrder(const TrainingJob& job, Rank workers)
{
    auto order = MakeUnboundOrder(job);
    if (job.startTogether)
    {
        order->StartTogether(workers);
    }
    return order;
}

ns3::Ptr<RankApplication>
MakeRank(const TrainingJob& job, Rank rank)
{
    if (job.IsWorker(rank))
    {
        return ns3::CreateObject<WorkerApplication>();
    }
    return ns3::CreateObject<RankApplication>();
}

/** Who would get the messages of the other job. */
void
RequireNewId(const TrainingJob& job, const ns3::Ptr<ns3::Node>& node, std::uint32_t host)
{
    for (std::uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        const auto rank = ns3::DynamicCast<RankApplication>(node->GetApplication(i));
        if (rank && rank->GetJob().id == job.id)
        {
            throw InputError("host " + std::to_string(host) + " has a rank of " + job.id.Text() +
                             " already: give every job an id of its own");
        }
    }
}

void
CheckHosts(const TrainingJob& job, const Cluster& cluster, const std::vector<std::uint32_t>& hosts)
{
    const auto ranks = job.RankCount();
    if (hosts.size() != ranks)
    {
        throw InputError("the job has " + std::to_string(ranks) + " ranks, but is put on " +
                         std::to_string(hosts.size()) + " hosts");
    }
    cluster.RequireHosts(hosts);
    for (const auto host : hosts)
    {
        RequireNewId(job, cluster.hosts.Get(host), host);
    }
}

void
CheckAggregation(const TrainingJob& job,
                 const Cluster& cluster,
                 const std::vector<std::uint32_t>& ofWorkers)
{
    if (!NetworkAdds(*job.chunks.front().rounds.front().plan))
    {
        return;
    }
    const auto& added = cluster.AggregationOf(job.id).hosts;
    if (added != ofWorkers)
    {
        throw InputError("the network is to add for the " + std::to_string(job.workers) +
                         " workers of " + job.id.Text() + ", but the cluster's switches add for " +
                         (added.empty() ? "none" : "other hosts") +
                         " of its; call InstallAggregation for them first");
    }
}

void
RequireChunks(const TrainingJob& job)
{
    if (job.chunks.empty())
    {
        throw InputError("the job exchanges nothing: it has no chunks");
    }
    for (const auto& chunk : job.chunks)
    {
        const bool isOfSome = chunk.rounds.back().plan->GetCommunicators() != nullptr;
        if (chunk.rounds.back().plan->RankCount() != job.RankCount())
        {
            throw InputError("exchanges of one job are plans of different numbers of ranks");
        }
        if (isOfSome && (chunk.coding || job.priority || job.startTogether))
        {
            throw InputError("exchanges in communicators have neither a coding of sketches, nor priorities, nor a common start");
        }
    }
}

/** @param hub what all frames to ranks that are not simulated pass */
void
ReflectRanks(const Cluster& cluster, Switch* hub, Rank ranks, Rank simulated, bool bitwise)
{
    const auto reflect = [hub, first = cluster.hostsBefore, ranks, simulated, bitwise](ns3::Ptr<Frame> frame,
                                                                                       std::size_t from) {
        const auto to = HostAt(frame->destination) - first;
        if (to >= simulated)
        {
            const auto sender = HostAt(frame->source) - first;
            frame->destination = HostAddress(first + StandInOf(to, simulated));
            frame->source = HostAddress(first + SenderSeen(sender, to, simulated, ranks, bitwise));
        }
        hub->Forward(std::move(frame), from);
    };
    for (const auto kind : {FrameKind::STACK, FrameKind::DATA, FrameKind::ACK, FrameKind::PROBE})
    {
        hub->SetFrameReceiver(kind, reflect);
    }
}

/**
 * What a simulated rank sends to rank r arrives at the rank that stands for r, as if it came from
 * as far before that one (SenderSeen). It passes a switch at the top, as r is plugged into another one below. Of several
 * switches, ports count where the order of events decides, as that may be another one for other ranks.
 */
void
ReflectRanks(const Cluster& cluster, Rank ranks, Rank simulated, bool bitwise)
{
    const auto top = std::max_element(cluster.plan.switches.begin(),
                                      cluster.plan.switches.end(),
                                      [](const auto& a, const auto& b) { return a.tier < b.tier; })
                         ->tier;
    for (std::size_t number = 0; number < cluster.switches.size(); ++number)
    {
        if (cluster.plan.switches[number].tier == top)
        {
            ReflectRanks(cluster, ns3::PeekPointer(cluster.switches[number]), ranks, simulated, bitwise);
        }
        for (std::size_t port = 0; cluster.switches.size() > 1 && port < cluster.switches[number]->PortCount(); ++port)
        {
            cluster.switches[number]->GetPort(port)->CountTies();
        }
    }
    for (const auto& nic : cluster.nics)
    {
        nic->CountTies();
    }
}

/** @return the job with programs for its workers */
std::shared_ptr<const TrainingJob>
WithProgram(const std::shared_ptr<const TrainingJob>& job)
{
    if (!job->programs.empty())
    {
        return job;
    }
    auto made = std::make_shared<TrainingJob>(*job);
    made->programs = {MakeDataParallelProgram(*job)};
    return made;
}

std::vector<ns3::Ptr<RankApplication>>
Install(const std::shared_ptr<const TrainingJob>& given,
        const Cluster& cluster,
        const std::vector<std::uint32_t>& hosts,
        std::vector<ns3::Mac48Address> byRank,
        const std::shared_ptr<ExchangeOrder>& order)
{
    const auto job = WithProgram(given);
    const auto addresses = std::make_shared<const RankAddresses>(std::move(byRank));
    std::vector<ns3::Ptr<RankApplication>> applications;
    for (Rank rank = 0; rank < hosts.size(); ++rank)
    {
        ThrowIfInterrupted();
        const auto application = MakeRank(*job, rank);
        application->SetJob(job, addresses, order, rank);
        application->SetNic(cluster.nics[hosts[rank]]);
        cluster.hosts.Get(hosts[rank])->AddApplication(application);
        applications.push_back(application);
    }
    return applications;
}

} // namespace

std::uint32_t
HostsNeeded(const ExchangeSpec& exchange)
{
    return exchange.workers + ExchangeCatalog().Find(exchange.algorithm).otherRanks(exchange);
}

std::vector<ns3::Ptr<RankApplication>>
InstallJob(const Cluster& cluster,
           const std::shared_ptr<const TrainingJob>& job,
           const std::vector<std::uint32_t>& hosts)
{
    RequireChunks(*job);
    CheckHosts(*job, cluster, hosts);
    const std::vector<std::uint32_t> ofWorkers(hosts.begin(), hosts.begin() + job->workers);
    CheckAggregation(*job, cluster, ofWorkers);
    std::vector<ns3::Mac48Address> byRank;
    for (const auto host : hosts)
    {
        byRank.push_back(cluster.Address(host));
    }
    return Install(job, cluster, hosts, std::move(byRank), MakeOrder(*job, job->workers));
}

std::vector<ns3::Ptr<RankApplication>>
InstallFoldedJob(const Cluster& cluster,
                 const std::shared_ptr<const TrainingJob>& job,
                 Rank simulated,
                 bool bitwise)
{
    RequireChunks(*job);
    std::vector<std::uint32_t> hosts(simulated);
    std::iota(hosts.begin(), hosts.end(), 0U);
    cluster.RequireHosts(hosts);
    CheckAggregation(*job, cluster, hosts);
    std::vector<ns3::Mac48Address> byRank;
    for (Rank rank = 0; rank < job->RankCount(); ++rank)
    {
        byRank.push_back(HostAddress(cluster.hostsBefore + rank));
    }
    ReflectRanks(cluster, job->RankCount(), simulated, bitwise);
    return Install(
        job, cluster, hosts, std::move(byRank), MakeOrder(*job, job->WorkersAmong(simulated)));
}

std::vector<ns3::Ptr<RankApplication>>
InstallJob(const Cluster& cluster, const std::shared_ptr<const TrainingJob>& job)
{
    std::vector<std::uint32_t> hosts(job->chunks.empty() ? 0 : job->RankCount());
    std::iota(hosts.begin(), hosts.end(), 0U);
    return InstallJob(cluster, job, hosts);
}

} // namespace inca
