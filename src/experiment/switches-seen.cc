/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/switches-seen.h"

#include "base/errors.h"
#include "plan/rank-work.h"

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

/** Payload of all sums that each worker gets in the whole run. */
std::uint64_t
DueBytes(const TrainingJob& job)
{
    std::uint64_t elements = 0;
    for (const auto& [each, count] : WorkOf(job, 0).networkSums)
    {
        elements += each * count;
    }
    return elements * job.bytesPerElement * job.iterations;
}

} // namespace

std::vector<SwitchRow>
SwitchesOf(const Cluster& cluster)
{
    std::vector<SwitchRow> rows;
    for (std::size_t i = 0; i < cluster.programs.size(); ++i)
    {
        if (cluster.programs[i])
        {
            rows.push_back(RowOf(cluster.plan.switches[i].name, *cluster.programs[i]));
        }
    }
    return rows;
}

ClientsSeen
ClientsOf(const Cluster& cluster)
{
    ClientsSeen seen;
    for (const auto& client : cluster.clients)
    {
        seen.retransmittedFrames += client->RetransmittedFrames();
        seen.clampedValues += client->ClampedValues();
    }
    return seen;
}

void
CheckSwitches(const Cluster& cluster, const TrainingJob& job)
{
    for (std::size_t i = 0; i < cluster.programs.size(); ++i)
    {
        if (cluster.programs[i])
        {
            CheckProgram(cluster.plan.switches[i].name, cluster.programs[i]->Counters());
        }
    }
    const auto due = cluster.clients.empty() ? 0 : DueBytes(job);
    for (Rank worker = 0; worker < cluster.clients.size(); ++worker)
    {
        const auto got = cluster.clients[worker]->ReceivedBytes();
        if (got != due)
        {
            throw InvariantError("worker " + std::to_string(worker) + " has got " +
                                 std::to_string(got) + " of " + std::to_string(due) +
                                 " bytes of sums");
        }
    }
}

} // namespace inca
