/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A ring all-reduce of 100 MB over a star of 10 Gb/s, by INCA and by SimGrid's flows (S4U, the same
// messages over split-duplex links, without SimGrid's correction factors), in turns, each run in a process
// of its own: CPU time of the runs, median of 7. usage: inca-bench-simgrid [WORKERS...]
#include "experiment/run-experiment.h"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

namespace s4u = simgrid::s4u;

constexpr std::uint64_t BYTES{100'000'000};
constexpr double BYTES_PER_SECOND{1.25e9};
constexpr double LATENCY_SECONDS{1e-6};
constexpr std::uint32_t RUNS{7};

/** Of one run. (seconds) */
struct Timing
{
    double cpu{0};
    double simulated{0};
};

double
Cpu(std::clock_t begin)
{
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/** The workers' links, each with a host. */
std::vector<s4u::Host*>
MakeStar(std::uint32_t workers)
{
    auto* zone = s4u::create_star_zone("star");
    std::vector<s4u::Host*> hosts;
    for (std::uint32_t i = 0; i < workers; ++i)
    {
        hosts.push_back(zone->create_host("host " + std::to_string(i), 1e9));
        auto* link = zone->create_split_duplex_link("link " + std::to_string(i), BYTES_PER_SECOND)
                         ->set_latency(LATENCY_SECONDS);
        link->seal();
        const s4u::LinkInRoute up{link, s4u::LinkInRoute::Direction::UP};
        zone->add_route(hosts.back()->get_netpoint(), nullptr, nullptr, nullptr, {up}, true);
    }
    zone->seal();
    return hosts;
}

Timing
RunSimGrid(std::uint32_t workers)
{
    int argc = 2;
    std::array<char, 8> name{"simgrid"};
    std::array<char, 32> quiet{"--log=root.thres:critical"};
    std::array<char*, 3> argv{name.data(), quiet.data(), nullptr};
    s4u::Engine engine(&argc, argv.data());
    s4u::Engine::set_config("network/model:CM02");
    s4u::Engine::set_config("network/crosstraffic:0");
    s4u::Engine::set_config("network/TCP-gamma:0");
    const auto hosts = MakeStar(workers);
    std::vector<s4u::Mailbox*> mailboxes;
    for (std::uint32_t i = 0; i < workers; ++i)
    {
        mailboxes.push_back(s4u::Mailbox::by_name(std::to_string(i)));
    }
    static int token = 0;
    for (std::uint32_t i = 0; i < workers; ++i)
    {
        s4u::Actor::create("worker " + std::to_string(i), hosts[i], [&mailboxes, workers, i] {
            for (std::uint32_t step = 0; step < 2 * (workers - 1); ++step)
            {
                const auto sent = mailboxes[(i + 1) % workers]->put_async(&token, BYTES / workers);
                mailboxes[i]->get<int>();
                sent->wait();
            }
        });
    }
    const auto begin = std::clock();
    engine.run();
    return {Cpu(begin), s4u::Engine::get_clock()};
}

Timing
RunInca(std::uint32_t workers)
{
    Scenario scenario;
    scenario.training.trace = "tensor:" + std::to_string(BYTES) + "B";
    scenario.cluster.workers = workers;
    scenario.host.sumBytesPerSecond = 0; // SimGrid's workers add nothing
    const auto begin = std::clock();
    const auto record = RunExperiment(scenario, {});
    return {Cpu(begin), static_cast<double>(record.results.iterationTimePs) * 1e-12};
}

/** In a process of its own: SimGrid has one engine in each, ever. */
Timing
InAProcess(const std::function<Timing()>& run)
{
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
    {
        throw std::runtime_error("no pipe");
    }
    std::fflush(stdout); // else the child has it, too
    const auto child = fork();
    if (child == 0)
    {
        const auto timing = run();
        const bool told = write(ends[1], &timing, sizeof timing) == sizeof timing;
        _exit(told ? 0 : 1);
    }
    Timing timing;
    const bool got = read(ends[0], &timing, sizeof timing) == sizeof timing;
    close(ends[0]);
    close(ends[1]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!got || status != 0)
    {
        throw std::runtime_error("a run has failed");
    }
    return timing;
}

Timing
Median(std::vector<Timing> timings)
{
    std::sort(timings.begin(), timings.end(), [](const Timing& a, const Timing& b) {
        return a.cpu < b.cpu;
    });
    return timings[timings.size() / 2];
}

void
Compare(std::uint32_t workers)
{
    std::vector<Timing> inca;
    std::vector<Timing> simgrid;
    for (std::uint32_t run = 0; run < RUNS; ++run)
    {
        inca.push_back(InAProcess([workers] { return RunInca(workers); }));
        simgrid.push_back(InAProcess([workers] { return RunSimGrid(workers); }));
    }
    const auto ours = Median(std::move(inca));
    const auto theirs = Median(std::move(simgrid));
    fmt::print("| {} | {:.3f} s | {:.3f} s | {:.2f} | {:.3f} ms | {:.3f} ms |\n",
               workers,
               ours.cpu,
               theirs.cpu,
               ours.cpu / theirs.cpu,
               ours.simulated * 1e3,
               theirs.simulated * 1e3);
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    std::vector<std::uint32_t> sizes;
    for (int i = 1; i < argc; ++i)
    {
        sizes.push_back(static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)));
    }
    fmt::print(
        "| workers | INCA, CPU time | SimGrid, CPU time | ratio | INCA says | SimGrid says |\n"
        "|---|---|---|---|---|---|\n");
    for (const auto workers : sizes.empty() ? std::vector<std::uint32_t>{64, 256, 1024} : sizes)
    {
        inca::Compare(workers);
    }
    return 0;
}
