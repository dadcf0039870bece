/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/switches-seen.h"

#include "base/errors.h"
#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "plan/sum-cost.h"

#include "ns3/uinteger.h"

#include <cstddef>
#include <string>

namespace inca
{

namespace
{

/** 0 for a program that counts its memory in something else. */
std::uint64_t
SlotsOf(const AggregationProgram& program)
{
    ns3::UintegerValue slots(0);
    program.GetAttributeFailSafe("Slots", slots);
    return slots.Get();
}

SwitchRow
RowOf(const std::string& name, const AggregationProgram& program)
{
    const auto& seen = program.Counters();
    return {name,
            seen.in,
            seen.combined,
            seen.forwarded,
            seen.answered,
            seen.duplicates,
            seen.late,
            seen.noSlot,
            seen.foreign,
            seen.made,
            program.SlotsPeak(),
            SlotsOf(program),
            program.MemoryBytes()};
}

void
CheckProgram(const std::string& name, const AggregationCounters& seen)
{
    if (seen.in != seen.combined + seen.forwarded + seen.answered + seen.Dropped())
    {
        throw InvariantError(
            name + ": " + std::to_string(seen.in) + " packets in are not those combined (" +
            std::to_string(seen.combined) + "), forwarded (" + std::to_string(seen.forwarded) +
            "), answered (" + std::to_string(seen.answered) + ") and dropped (" +
            std::to_string(seen.Dropped()) + ")");
    }
}

/** Payload of all sums that @p worker gets in the whole run: words, whatever the gradients' type. */
std::uint64_t
DueBytes(const TrainingJob& job, const ReductionCounts& sums, Rank worker)
{
    std::uint64_t words = 0;
    for (const auto& [sum, count] : sums)
    {
        words += count * WordsGot(sum, worker, job.workers);
    }
    return words * VALUE_BYTES * job.BatchCount();
}

} // namespace

std::vector<SwitchRow>
SwitchesOf(const Cluster& cluster, JobId job)
{
    std::vector<SwitchRow> rows;
    const auto& programs = cluster.AggregationOf(job).programs;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        if (programs[i])
        {
            rows.push_back(RowOf(cluster.plan.switches[i].name, *programs[i]));
        }
    }
    return rows;
}

ClientsSeen
ClientsOf(const Cluster& cluster, JobId job)
{
    ClientsSeen seen;
    for (const auto& client : cluster.AggregationOf(job).clients)
    {
        seen.retransmittedFrames += client->RetransmittedFrames();
        seen.clampedValues += client->ClampedValues();
    }
    return seen;
}

void
CheckSwitches(const Cluster& cluster, const TrainingJob& job)
{
    const auto& [hosts, clients, programs] = cluster.AggregationOf(job.id);
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        if (programs[i])
        {
            CheckProgram(cluster.plan.switches[i].name, programs[i]->Counters());
        }
    }
    const auto sums = clients.empty() ? ReductionCounts{} : ReductionsOf(job);
    for (Rank worker = 0; worker < clients.size(); ++worker)
    {
        const auto due = DueBytes(job, sums, worker);
        const auto got = clients[worker]->ReceivedBytes();
        if (got != due)
        {
            throw InvariantError("worker " + std::to_string(worker) + " has got " +
                                 std::to_string(got) + " of " + std::to_string(due) +
                                 " bytes of sums");
        }
    }
}

} // namespace inca
