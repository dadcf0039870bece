/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-state.h"

#include "experiment/links-seen.h"

#include <algorithm>
#include <cstddef>

namespace inca
{

namespace
{

/** The first of many lines, and how many more there are. */
class FirstLines
{
  public:
    void Add(const std::string& line)
    {
        constexpr std::size_t most = 20;
        if (m_told++ < most)
        {
            m_text += "\n  " + line;
            return;
        }
        ++m_more;
    }

    std::string Text() const
    {
        return m_more == 0 ? m_text : m_text + "\n  and " + std::to_string(m_more) + " more";
    }

  private:
    std::string m_text;
    std::size_t m_told{0};
    std::size_t m_more{0};
};

std::string
RankLines(const TrainingJob& job, const std::vector<ns3::Ptr<RankApplication>>& ranks)
{
    FirstLines lines;
    for (std::size_t i = 0; i < ranks.size(); ++i)
    {
        if (!ranks[i]->IsFinished())
        {
            lines.Add(job.NameOf(static_cast<Rank>(i)) + ": " + ranks[i]->State());
        }
    }
    return lines.Text();
}

std::string
SwitchLines(const Cluster& cluster, JobId job)
{
    FirstLines lines;
    const auto& programs = cluster.AggregationOf(job).programs;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        const auto state = programs[i] ? programs[i]->State() : "";
        if (!state.empty())
        {
            lines.Add(cluster.plan.switches[i].name + ": " + state);
        }
    }
    return lines.Text();
}

} // namespace

std::uint64_t
DeliveredBytes(const Cluster& cluster)
{
    std::uint64_t bytes = 0;
    for (const auto& transport : cluster.transports)
    {
        bytes += transport->DeliveredBytes();
    }
    for (const auto& [job, aggregation] : cluster.aggregations)
    {
        for (const auto& client : aggregation.clients)
        {
            bytes += client->ReceivedBytes();
        }
    }
    return bytes;
}

std::int64_t
LongestSilencePs(const Cluster& cluster, const TrainingJob& job)
{
    if (DroppedFrames(LinksOf(cluster, job)) == 0)
    {
        return 0;
    }
    std::int64_t longestPs = 0;
    for (const auto& transport : cluster.transports)
    {
        longestPs = std::max(longestPs, transport->LongestSilencePs());
    }
    for (const auto& client : cluster.AggregationOf(job.id).clients)
    {
        longestPs = std::max(longestPs, client->LongestSilencePs());
    }
    return longestPs;
}

std::string
DescribeState(const Cluster& cluster,
              const TrainingJob& job,
              const std::vector<ns3::Ptr<RankApplication>>& ranks)
{
    return "  " + std::to_string(DroppedFrames(LinksOf(cluster, job))) +
           " frames were dropped so far" + RankLines(job, ranks) + SwitchLines(cluster, job.id);
}

} // namespace inca
