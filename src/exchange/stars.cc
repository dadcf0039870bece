/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchanges.h"
#include "exchange/pieces.h"

#include <algorithm>

namespace inca
{

namespace
{

std::vector<std::string>
AggregatorComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    ComplainOfBroadcast(spec, texts);
    return texts;
}

std::vector<std::string>
ServerComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.servers && (*spec.servers == 0 || *spec.servers > MOST_RANKS))
    {
        texts.push_back("cluster.servers: must be 1.." + std::to_string(MOST_RANKS) + ", got " +
                        std::to_string(*spec.servers));
    }
    return texts;
}

std::unique_ptr<StepPlan>
MakeWorkerAggregator(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto seatOf = [workers = spec.workers](Rank rank) {
        return std::optional(Seat{{workers, 0, 1}, rank == workers ? 0 : rank + 1});
    };
    return std::make_unique<ComposedPlan>(
        spec.workers,
        1,
        elements,
        std::vector<PlanPart>{{SumAtRoot(spec.workers + 1, elements), seatOf},
                              {Broadcast(spec, spec.workers + 1, elements), seatOf}});
}

class ParameterServer : public StepPlan
{
  public:
    ParameterServer(Rank workers, Rank servers, std::uint64_t elements)
        : StepPlan(workers, servers, elements),
          m_workers(workers),
          m_servers(servers)
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return 1 + (rank < m_workers ? m_servers : 1);
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        if (rank < m_workers)
        {
            return step == 0 ? SendBlocks(rank) : GetSum(rank, step - 1);
        }
        return step == 0 ? AddBlock(rank - m_workers) : ReturnSum(rank - m_workers);
    }

  private:
    Step SendBlocks(Rank worker) const
    {
        Step send;
        for (Rank i = 0; i < m_servers; ++i)
        {
            const auto round = RoundOf(i);
            const auto server = round.first + (worker + i - round.first) % round.servers;
            send.sends.push_back({m_workers + server, Block(server), PayloadKind::GRADIENT});
        }
        return send;
    }

    Step GetSum(Rank worker, Rank index) const
    {
        // Slots ascend as servers descend from the worker's own place in the round.
        const auto round = RoundOf(index);
        const auto start = std::min(worker, round.servers - 1);
        const auto server =
            round.first + (start + round.servers - (index - round.first)) % round.servers;
        Step get;
        get.receives = {{m_workers + server, Block(server), PayloadKind::GRADIENT}};
        return get;
    }

    Step AddBlock(Rank server) const
    {
        Step add;
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            add.receives.push_back(Operand(worker, Block(server), worker == 0));
        }
        return add;
    }

    Step ReturnSum(Rank server) const
    {
        Step send;
        for (Rank i = 0; i < m_workers; ++i)
        {
            send.sends.push_back({(server + i) % m_workers, Block(server), PayloadKind::GRADIENT});
        }
        return send;
    }

    /** Servers that are served together. */
    struct Round
    {
        Rank first;
        Rank servers;
    };

    Round RoundOf(Rank server) const
    {
        const auto first = server / m_workers * m_workers;
        return {first, std::min(m_workers, m_servers - first)};
    }

    ElementRange Block(Rank server) const
    {
        return BlockOf(Elements(), m_servers, server);
    }

    Rank m_workers;
    Rank m_servers;
};

/**
 * As many servers as workers: server s + 1 gets from, and returns to, worker i + 1 when server s does so of
 * worker i. A server that gets before it may return takes workers in the order of their numbers.
 */
ShiftSymmetry
ServerSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const bool isNone = alternates || spec.Servers() != spec.workers;
    return isNone ? ShiftSymmetry{} : ShiftSymmetry{2, true, false, 2};
}

} // namespace

ExchangeEntry
WorkerAggregatorExchange()
{
    ExchangeEntry aggregator{"worker-aggregator",
                             "workers send gradients to one aggregator, which returns the weights",
                             MakeWorkerAggregator,
                             AggregatorComplaints};
    aggregator.otherRanks = [](const ExchangeSpec&) -> Rank { return 1; };
    aggregator.returnsWeights = true;
    return aggregator;
}

ExchangeEntry
ParameterServerExchange()
{
    ExchangeEntry server{
        "parameter-server",
        "workers send gradients to one server, which returns the sums",
        [](const ExchangeSpec& spec, std::uint64_t elements) -> std::unique_ptr<StepPlan> {
            return std::make_unique<ParameterServer>(spec.workers, 1, elements);
        }};
    server.otherRanks = [](const ExchangeSpec&) -> Rank { return 1; };
    return server;
}

ExchangeEntry
ShardedParameterServerExchange()
{
    ExchangeEntry servers{
        "sharded-parameter-server",
        "workers send a block to each of several servers, which return its sum",
        [](const ExchangeSpec& spec, std::uint64_t elements) -> std::unique_ptr<StepPlan> {
            return std::make_unique<ParameterServer>(spec.workers, spec.Servers(), elements);
        },
        ServerComplaints};
    servers.otherRanks = [](const ExchangeSpec& spec) { return spec.Servers(); };
    servers.onServers = true;
    servers.blocks = [](const ExchangeSpec& spec) { return std::uint64_t{spec.Servers()}; };
    servers.symmetry = ServerSymmetry;
    return servers;
}

} // namespace inca
