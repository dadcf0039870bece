/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-helper.h"

#include "base/errors.h"
#include "exchange/exchange-catalog.h"
#include "rank/aggregator-application.h"
#include "rank/worker-application.h"

#include <string>
#include <utility>

namespace inca
{

namespace
{

std::shared_ptr<ExchangeOrder>
MakeOrder(const TrainingJob& job)
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

ns3::Ptr<RankApplication>
MakeRank(const TrainingJob& job, Rank rank)
{
    if (rank < job.workers)
    {
        return ns3::CreateObject<WorkerApplication>();
    }
    return ns3::CreateObject<AggregatorApplication>();
}

bool
NetworkAdds(const StepPlan& plan)
{
    for (std::uint32_t step = 0; step < plan.StepCount(0); ++step)
    {
        if (plan.At(0, step).networkSum)
        {
            return true;
        }
    }
    return false;
}

void
CheckHosts(const TrainingJob& job, const Cluster& cluster)
{
    const auto ranks = job.RankCount();
    if (cluster.hosts.GetN() != ranks)
    {
        throw InputError("the job has " + std::to_string(ranks) + " ranks, but the cluster has " +
                         std::to_string(cluster.hosts.GetN()) + " hosts");
    }
    if (NetworkAdds(*job.chunks.front().rounds.front().plan) &&
        cluster.clients.size() != job.workers)
    {
        throw InputError("the network is to add for the job's " + std::to_string(job.workers) +
                         " workers, but the cluster's switches add for " +
                         std::to_string(cluster.clients.size()) +
                         "; call InstallAggregation(cluster, \"slots\", " +
                         std::to_string(job.workers) + ") first");
    }
}

} // namespace

std::uint32_t
HostsNeeded(const ExchangeSpec& exchange)
{
    return exchange.workers + FindExchange(exchange.algorithm).otherRanks(exchange);
}

std::vector<ns3::Ptr<RankApplication>>
InstallJob(const std::shared_ptr<const TrainingJob>& job, const Cluster& cluster)
{
    if (job->chunks.empty())
    {
        throw InputError("the job exchanges nothing: it has no chunks");
    }
    CheckHosts(*job, cluster);
    const auto ranks = job->RankCount();
    std::vector<ns3::Mac48Address> byRank;
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        byRank.push_back(cluster.Address(rank));
    }
    const auto addresses = std::make_shared<const RankAddresses>(std::move(byRank));
    const auto order = MakeOrder(*job);
    std::vector<ns3::Ptr<RankApplication>> applications;
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        const auto application = MakeRank(*job, rank);
        application->SetJob(job, addresses, order, rank);
        cluster.hosts.Get(rank)->AddApplication(application);
        applications.push_back(application);
    }
    return applications;
}

} // namespace inca
