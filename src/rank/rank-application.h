/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_APPLICATION_H
#define INCA_RANK_RANK_APPLICATION_H

#include "inca/device/nic.h"
#include "inca/job/exchange-order.h"
#include "inca/rank/exchange-runner.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * One rank of a training job: takes part in the job's exchanges, in the job's order, at most
 * `concurrent` at a time. By itself it computes nothing of its own, as an aggregator or a server, which adds what workers
 * send it, updates the weights if it is an aggregator, and sends them, or the sums, on; what a worker computes is added by
 * a subclass. Among the HostClients of its NIC is one of the job if switches add for it.
 *
 * From its stop time on it begins no exchange, and takes no message; what its host is at work on ends.
 */
class RankApplication : public ns3::Application
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    RankApplication();

    /** Takes what a rank has at the end of an exchange; only called when values travel. */
    using ValueSink =
        std::function<void(Rank rank, std::uint32_t exchange, ExchangeOutcome outcome)>;

    /** To be called once, before the application starts; all but @p rank is the same on all ranks. */
    void SetJob(std::shared_ptr<const TrainingJob> job,
                std::shared_ptr<const RankAddresses> addresses,
                std::shared_ptr<ExchangeOrder> order,
                Rank rank);

    /** Whether it has started: its attributes stay as they are then. */
    bool IsInUse() const
    {
        return !m_ready.empty();
    }

    /**
     * What carries its messages, to be said before it starts, and the NIC below that, where switches may add.
     * @param transport over the NIC, or over the node's stack
     * @param nic null: there is none of INCA's
     * @{
     */
    void SetNetwork(ns3::Ptr<MessageTransport> transport, ns3::Ptr<Nic> nic);

    /** What carries its messages. */
    ns3::Ptr<MessageTransport> GetTransport() const
    {
        return m_host.transport;
    }
    /** @} */

    void SetValueSink(ValueSink sink); ///< null: nobody takes them

    /** Who is told when it begins a step; null: nobody. */
    void SetStepSink(std::function<void(const StepBegin&)> sink)
    {
        m_host.stepBegun = std::move(sink);
    }

    /** Shows how far its exchanges are, where steps are part of a period; what else it does is none. */
    void VisitState(StateVisitor& visitor);

    /** The job of which it is a rank. */
    const TrainingJob& GetJob() const
    {
        return *m_host.job;
    }

    /** The clock of all its work and waits. */
    JobClock& GetClock()
    {
        return m_host.clock;
    }

    /** What it has done so far. */
    const Timeline& GetTimeline() const
    {
        return m_host.timeline;
    }

    /** @return whether everything that this rank has to do is done */
    virtual bool IsFinished() const;

    /** @return until when this rank works, and waits for nobody but time; past: it has nothing to do (ps) */
    virtual std::int64_t BusyUntilPs() const;

    /** For people, when a run stands still: what this rank waits for. */
    virtual std::string State() const;

    /** Signature of ExchangeStart and ExchangeEnd. */
    using ExchangeCallback = void (*)(Rank rank, std::uint32_t exchange);
    /** Signature of StepMessage. */
    using StepMessageCallback = void (*)(Rank rank,
                                         std::uint32_t exchange,
                                         const StepMessage& message);
    /** Signature of Work. */
    using WorkCallback = void (*)(Rank rank, const ResourceWork& work);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

    /** What it lends to its exchanges. */
    RankHost& GetHost()
    {
        return m_host;
    }

    /** In which exchanges start. */
    ExchangeOrder& GetOrder()
    {
        return *m_order;
    }

    /** Which rank it is. */
    Rank GetRank() const
    {
        return m_host.rank;
    }

    std::uint32_t ChunkCount() const; ///< exchanges of a batch
    bool AllExchangesDone() const;    ///< whether none is left

    /** To be called when something has ended: a rank that is finished uses its transport no more. */
    void LeaveIfFinished();

    /** A worker has what it exchanges as @p chunk of its next batch, which may start. */
    void MakeReady(std::uint32_t chunk);

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** A worker begins its program. */
    virtual void DoStart()
    {
    }

    /** A worker has what an exchange brings. */
    virtual void DoExchanged(std::uint32_t /*batch*/, std::uint32_t /*chunk*/)
    {
    }

    /** This rank has its shard of a chunk's sums, whose exchange goes on when the shard is updated. */
    virtual void DoShardSummed(std::uint32_t /*batch*/, std::uint32_t /*chunk*/)
    {
    }

    /** An exchange of gradients whose shard is updated when all shards are summed. */
    struct SummedExchange
    {
        std::uint32_t exchange{0};               ///< its number, over all batches
        std::int64_t durationPs{0};              ///< of the update
        std::vector<std::function<void()>> goOn; ///< of all its parts, once all have their sums
    };

    /** Exchanges that follow each other in the order: all of them, or those of one communicator. */
    struct Lane
    {
        std::uint32_t running{0};  ///< exchanges that do not wait for an update
        std::uint32_t position{0}; ///< in the order: the next one to start
    };

    void SetIsUser(bool isUser); ///< of transport and aggregation client
    void StartExchanges();
    void Receive(ReceivedMessage message);          ///< gives a message to its exchange
    ExchangeRunner& Runner(std::uint32_t exchange); ///< of an exchange, made if it has none
    std::optional<std::uint32_t> NextExchange(std::size_t lane);
    void PassOverOthers(std::size_t lane);
    std::size_t LaneOf(std::uint32_t exchange) const; ///< in which it starts
    bool AwaitsSums(std::uint32_t exchange) const;
    void CountEnded(std::uint32_t exchange); ///< moves on behind exchanges that have ended
    bool KeepsShardOf(std::uint32_t exchange) const;
    void Start(std::uint32_t exchange); ///< begins an exchange
    SummedExchange* AwaitsUpdate(std::uint32_t exchange);
    void UpdateShard(const ShardUpdate& update);
    void UpdateShards();
    void GoOnWithUpdated();
    void End(std::uint32_t exchange); ///< an exchange has ended

    ns3::DataRate m_sumRate;                ///< attribute
    ns3::DataRate m_encodeRate;             ///< attribute
    ns3::DataRate m_decodeRate;             ///< attribute
    RankHost m_host;                        ///< what exchanges share
    ns3::Ptr<Nic> m_nic;                    ///< may be null
    bool m_isStopped{false};                ///< its stop time has come
    std::shared_ptr<ExchangeOrder> m_order; ///< in which exchanges start
    bool m_isUser{false};                   ///< of what sends for it
    ValueSink m_valueSink;                  ///< may be empty
    std::map<std::uint32_t, std::unique_ptr<ExchangeRunner>>
        m_runners;                        ///< running, or met by a message
    std::vector<std::uint32_t> m_ready;   ///< by chunk: batches of which a worker has it
    std::vector<SummedExchange> m_summed; ///< in the order of their starts
    std::deque<SummedExchange> m_updated; ///< and not yet handed on
    std::uint32_t m_waiting{0};           ///< of m_summed: have all their sums
    std::array<Lane, 2> m_lanes;          ///< the second: gathers of TrainingJob::gathersApart
    std::uint32_t m_endedSums{0};         ///< exchanges of gradients that have ended
    std::uint32_t m_firstOpen{0};         ///< exchange that has not ended
    std::set<std::uint32_t> m_ended;      ///< exchanges behind it that have
    ns3::TracedCallback<Rank, std::uint32_t> m_exchangeStartTrace; ///< trace source ExchangeStart
    ns3::TracedCallback<Rank, std::uint32_t> m_exchangeEndTrace;   ///< trace source ExchangeEnd
    ns3::TracedCallback<Rank, std::uint32_t, const StepMessage&>
        m_stepMessageTrace;                                     ///< trace source StepMessage
    ns3::TracedCallback<Rank, const ResourceWork&> m_workTrace; ///< trace source Work
};

} // namespace inca

#endif // INCA_RANK_RANK_APPLICATION_H
