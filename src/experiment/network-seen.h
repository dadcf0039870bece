/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_NETWORK_SEEN_H
#define INCA_EXPERIMENT_NETWORK_SEEN_H

#include "inca/helper/cluster.h"
#include "inca/job/training-job.h"
#include "inca/plan/plan.h"
#include "inca/rank/rank-application.h"
#include "inca/record/run-record.h"
#include "inca/topology/topology-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** What the plan's hosts are called, by what they are to their job: "worker 0"; of several jobs "job 1 worker 0". */
std::vector<std::string> HostNames(const Plan& plan);

/**
 * Both directions of every link as they stand now: host by host, then between switches.
 * @param hosts names of the first hosts; others are called "host 7"
 */
std::vector<LinkRow> LinksOf(const Cluster& cluster, const std::vector<std::string>& hosts = {});

/** What those of the whole of @p topology are called, in that order. @param hosts as LinksOf */
std::vector<LinkEnds> NamedLinks(const TopologyPlan& topology,
                                 const std::vector<std::string>& hosts);

std::uint64_t DroppedFrames(const std::vector<LinkRow>& links);

/**
 * At a run's end: what went into a port came out or was dropped, and nothing is held.
 * @throws InvariantError naming the port
 */
void CheckConservation(const std::vector<LinkRow>& links);

/** The switches that add for @p job, as they stand now; empty where none does. */
std::vector<SwitchRow> SwitchesOf(const Cluster& cluster, JobId job);

/** What the workers' sides of them have done, together. */
struct ClientsSeen
{
    std::uint64_t retransmittedFrames{0};
    std::uint64_t clampedValues{0}; ///< did not fit their block's scale, or were no numbers
};

ClientsSeen ClientsOf(const Cluster& cluster, JobId job);

/**
 * At a run's end: every packet that a switch took became something that has a name, and every worker
 * has got all its sums.
 * @throws InvariantError naming the switch, or the worker
 */
void CheckSwitches(const Cluster& cluster, const TrainingJob& job);

/** Payload that hosts have got so far, each byte once: grows while a run goes on. */
std::uint64_t DeliveredBytes(const Cluster& cluster);

/**
 * How long all senders may wait for what was lost though their paths let packets through; 0 if nothing
 * was. (ps) A timeout is in vain unless a probe, its answer and the frame that is sent again get through, each over two links
 * per tier of switches. So many in a row that a run without a fault meets once in 10^12 times; at least 64, as full queues
 * drop by no known share.
 * @param lossRate of each link, below 1
 */
std::int64_t LongestSilencePs(const Cluster& cluster, double lossRate);

/** A job and its ranks that are simulated. */
struct RanksOfJob
{
    const TrainingJob& job;
    const std::vector<ns3::Ptr<RankApplication>>& ranks;
};

/**
 * For people, when a run stands still: what was dropped, then the ranks that are not finished and
 * what they wait for, then the switches, which of their slots wait for whom, and what they dropped.
 * Indented lines; of many, the first.
 */
std::string DescribeState(const Cluster& cluster, const std::vector<RanksOfJob>& jobs);

/**
 * What the links, or the switches that add, of a whole network have seen, where some ranks were simulated for all
 * (FoldChoice): each has seen what the one has that stands for it. @{
 */
std::vector<LinkRow> WholeLinks(const Plan& plan, const std::vector<LinkRow>& simulated);
std::vector<SwitchRow> WholeSwitches(const PlannedJob& planned,
                                     const std::vector<SwitchRow>& simulated);
/** @} */

} // namespace inca

#endif // INCA_EXPERIMENT_NETWORK_SEEN_H
