/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An all-reduce as SimGrid simulates it, for a comparison of speed (NOTES.md). It is no part of the build:
//     g++ -O2 -std=c++17 test/bench/simgrid-flows.cc -o simgrid-flows -lsimgrid
//     simgrid-flows WORKERS star|leaves late|alike ring|two-shot      100 MB over links of 10 Gb/s; leaves of 16 below 4 spines
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sg = simgrid::s4u;

namespace
{

constexpr std::uint64_t BYTES{100'000'000};
constexpr int HOSTS_PER_LEAF{16};
constexpr int SPINES{4};

void
Ring(int rank, int workers, double startSeconds)
{
    sg::this_actor::sleep_for(startSeconds);
    auto* const to = sg::Mailbox::by_name(std::to_string((rank + 1) % workers));
    auto* const from = sg::Mailbox::by_name(std::to_string(rank));
    static int payload;
    for (int step = 0; step < 2 * (workers - 1); ++step)
    {
        auto sent = to->put_async(&payload, BYTES / static_cast<std::uint64_t>(workers));
        from->get<int>();
        sent->wait();
    }
}

/** Each sends a block to each other one, twice. */
void
TwoShot(int rank, int workers, double startSeconds)
{
    sg::this_actor::sleep_for(startSeconds);
    static int payload;
    const auto boxOf = [](int from, int to) {
        return sg::Mailbox::by_name(std::to_string(from) + "-" + std::to_string(to));
    };
    for (int shot = 0; shot < 2; ++shot)
    {
        std::vector<sg::CommPtr> sent;
        for (int i = 1; i < workers; ++i)
        {
            sent.push_back(boxOf(rank, (rank + i) % workers)
                               ->put_async(&payload, BYTES / static_cast<std::uint64_t>(workers)));
        }
        for (int i = 1; i < workers; ++i)
        {
            boxOf((rank + i) % workers, rank)->get<int>();
        }
        for (auto& one : sent)
        {
            one->wait();
        }
    }
}

const sg::Link*
MakeLink(sg::NetZone* zone, const std::string& name)
{
    return zone->create_split_duplex_link(name, 10e9 / 8)->set_latency(1e-6)->seal();
}

} // namespace

int
main(int argc, char** argv)
{
    sg::Engine engine(&argc, argv);
    const int workers = std::stoi(argv[1]);
    const bool hasLeaves = std::string(argv[2]) == "leaves";
    const bool isLate = std::string(argv[3]) == "late";
    const bool isRing = std::string(argv[4]) == "ring";
    auto* const zone = sg::create_full_zone("zone");
    std::vector<sg::Host*> hosts;
    std::vector<const sg::SplitDuplexLink*> links;
    std::vector<const sg::SplitDuplexLink*> trunks;
    for (int rank = 0; rank < workers; ++rank)
    {
        hosts.push_back(zone->create_host(std::to_string(rank), 1e9)->seal());
        links.push_back(dynamic_cast<const sg::SplitDuplexLink*>(
            MakeLink(zone, "link" + std::to_string(rank))));
    }
    for (int trunk = 0; hasLeaves && trunk < workers / HOSTS_PER_LEAF * SPINES; ++trunk)
    {
        trunks.push_back(dynamic_cast<const sg::SplitDuplexLink*>(
            MakeLink(zone, "trunk" + std::to_string(trunk))));
    }
    for (int i = 0; i < workers * (isRing ? 1 : workers - 1); ++i) // in a ring only neighbours talk
    {
        const int rank = i % workers;
        const int next = (rank + 1 + i / workers) % workers;
        std::vector<sg::LinkInRoute> route{{links[rank], sg::LinkInRoute::Direction::UP}};
        if (hasLeaves && rank / HOSTS_PER_LEAF != next / HOSTS_PER_LEAF)
        {
            const int spine = next % SPINES;
            route.emplace_back(trunks[rank / HOSTS_PER_LEAF * SPINES + spine],
                               sg::LinkInRoute::Direction::UP);
            route.emplace_back(trunks[next / HOSTS_PER_LEAF * SPINES + spine],
                               sg::LinkInRoute::Direction::DOWN);
        }
        route.emplace_back(links[next], sg::LinkInRoute::Direction::DOWN);
        zone->add_route(hosts[rank]->get_netpoint(),
                        hosts[next]->get_netpoint(),
                        nullptr,
                        nullptr,
                        route,
                        false);
    }
    zone->seal();
    for (int rank = 0; rank < workers; ++rank)
    {
        sg::Actor::create("rank",
                          hosts[rank],
                          isRing ? Ring : TwoShot,
                          rank,
                          workers,
                          isLate && rank == 0 ? 1e-3 : 0.0);
    }
    engine.run();
    std::printf("%.6f s\n", sg::Engine::get_clock());
}
