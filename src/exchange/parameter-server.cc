/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/parameter-server.h"

#include <algorithm>

namespace inca
{

namespace
{

class ParameterServer : public StepPlan
{
  public:
    ParameterServer(Rank workers, Rank servers, std::uint64_t elements)
        : m_workers(workers),
          m_servers(servers),
          m_elements(elements)
    {
    }

    Rank WorkerCount() const override
    {
        return m_workers;
    }

    Rank RankCount() const override
    {
        return m_workers + m_servers;
    }

    std::uint64_t Elements() const override
    {
        return m_elements;
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

    /** Servers that have their turn together. */
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
        return BlockOf(m_elements, m_servers, server);
    }

    Rank m_workers;
    Rank m_servers;
    std::uint64_t m_elements;
};

} // namespace

std::unique_ptr<StepPlan>
MakeParameterServer(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<ParameterServer>(spec.workers, 1, elements);
}

std::unique_ptr<StepPlan>
MakeShardedParameterServer(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<ParameterServer>(
        spec.workers, spec.servers.value_or(spec.workers), elements);
}

} // namespace inca
