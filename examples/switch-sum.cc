/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Switches that add: 8 workers below two leaves and a spine, and a link that loses two frames. Where ns-3 is built with logs,
// try LogComponentEnable("IncaAggregationProgram", LOG_LEVEL_INFO), or IncaSlotClient.
#include "ns3/inca-module.h"

#include <algorithm>
#include <iostream>
#include <vector>

namespace
{

constexpr std::uint32_t g_workers = 8;
constexpr std::uint32_t g_values = 10'000;

/** Worker w's value i, 100 .. 122: what int32 rounds off a sum of these is lost in fp32. */
float
ValueOf(std::uint32_t worker, std::uint64_t i)
{
    return static_cast<float>(100 + worker + i % 16);
}

/** The sum over all workers. */
float
SumOf(std::uint64_t i)
{
    float sum = 0;
    for (std::uint32_t worker = 0; worker < g_workers; ++worker)
    {
        sum += ValueOf(worker, i); // whole numbers below 2^24: exact
    }
    return sum;
}

/** Asks the network to add @p worker's values to those of all others, and puts the sum in @p sum. */
inca::ReductionRequest
MakeRequest(std::uint32_t worker, std::vector<float>& sum)
{
    inca::ReductionRequest request;
    request.size = g_values;
    request.read = [worker](inca::ElementRange range, inca::Word* out) {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            out[i] = inca::BitsOf(ValueOf(worker, range.begin + i));
        }
    };
    request.write = [&sum](inca::ElementRange range, const inca::Word* words) {
        inca::CopyFloats(words, range.count, &sum[range.begin]);
    };
    request.done = [worker] {
        std::cout << "worker " << worker << " has the sum at "
                  << ns3::Simulator::Now().As(ns3::Time::US) << "\n";
    };
    return request;
}

inca::Cluster
MakeCluster(std::uint32_t slots)
{
    inca::TopologySpec spec;
    spec.name = "leaf-spine";
    spec.hosts = g_workers;
    spec.hostsPerLeaf = 4;
    auto cluster = inca::TopologyHelper().Install(inca::MakeTopology(spec));
    inca::AggregationHelper aggregation;
    aggregation.SetAttribute("Slots",
                             ns3::UintegerValue(slots)); // of each switch, and of each worker
    aggregation.Install(cluster, g_workers);
    return cluster;
}

void
PrintCounters(const inca::Cluster& cluster)
{
    const auto& programs = cluster.AggregationOf().programs;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        if (const auto& program = programs[i]) // null: this switch does not add
        {
            const auto& seen = program->Counters();
            std::cout << cluster.plan.switches[i].name << ": " << seen.in << " in, "
                      << seen.combined << " combined, " << seen.forwarded << " forwarded, "
                      << seen.answered << " answered, " << seen.Dropped() << " dropped\n";
        }
    }
}

} // namespace

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    std::uint32_t slots = 4;
    ns3::CommandLine command(__FILE__);
    command.AddValue("slots", "packets that a switch adds at once", slots);
    command.Parse(argc, argv);
    const auto cluster = MakeCluster(slots);

    const auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
    losses->SetList({2, 6});                    // the 3rd and the 7th frame
    cluster.links[5]->SetErrorModel(0, losses); // of those that worker 5 (side 0) sends

    const auto& clients = cluster.AggregationOf().clients;
    std::vector<std::vector<float>> sums(g_workers, std::vector<float>(g_values));
    for (std::uint32_t worker = 0; worker < g_workers; ++worker)
    {
        clients[worker]->Sum(MakeRequest(worker, sums[worker]));
    }
    ns3::Simulator::Run();

    std::vector<float> expected(g_values);
    for (std::uint64_t i = 0; i < g_values; ++i)
    {
        expected[i] = SumOf(i);
    }
    const auto right = std::count(sums.begin(), sums.end(), expected);
    std::cout << right << " of " << g_workers << " workers have the exact sum; worker 5 sent "
              << clients[5]->RetransmittedFrames() << " packets again\n";
    PrintCounters(cluster);
    ns3::Simulator::Destroy();
    return right == g_workers ? 0 : 1;
}
