/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_APPLICATION_H
#define INCA_RANK_RANK_APPLICATION_H

#include "job/exchange-order.h"
#include "rank/exchange-runner.h"

#include "ns3/application.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace inca
{

/**
 * One rank of a training job: takes part in the job's exchanges, in the job's order, at most
 * `concurrent` at a time. What a worker computes, and what an aggregator does not, is added by the
 * subclasses. Its node has a Transport, and among its HostClients one of the job if switches add for it.
 */
class RankApplication : public ns3::Application
{
  public:
    static ns3::TypeId GetTypeId();

    RankApplication();

    /** Takes what a rank has at the end of an exchange; only called when values travel. */
    using ValueSink =
        std::function<void(Rank rank, std::uint32_t exchange, ExchangeOutcome outcome)>;

    /** To be called once, before the application starts; all but @p rank is the same on all ranks. */
    void SetJob(std::shared_ptr<const TrainingJob> job,
                std::shared_ptr<const RankAddresses> addresses,
                std::shared_ptr<ExchangeOrder> order,
                Rank rank);

    void SetValueSink(ValueSink sink);

    const TrainingJob& GetJob() const
    {
        return *m_host.job;
    }

    JobClock& GetClock()
    {
        return m_host.clock;
    }

    const Timeline& GetTimeline() const
    {
        return m_host.timeline;
    }

    /** @return whether everything that this rank has to do is done */
    virtual bool IsFinished() const = 0;

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

    RankHost& GetHost()
    {
        return m_host;
    }

    Rank GetRank() const
    {
        return m_host.rank;
    }

    std::uint32_t ChunkCount() const;
    bool AllExchangesDone() const;

    /** Starts every exchange that may start now. */
    void StartExchanges();

    /** A worker has what it exchanges as @p chunk of a micro-batch (TrainingJob::BatchOf); to be said once. */
    void ReportReady(std::uint32_t batch, std::uint32_t chunk);

  private:
    void StartApplication() override;

    // -- of a rank that has nothing of its own to be ready with, unless overridden
    virtual void DoStart()
    {
    }

    /** @return whether this rank may decide which exchange goes next */
    virtual bool DoChooses() const
    {
        return false;
    }

    virtual bool DoIsReady(std::uint32_t /*batch*/, std::uint32_t /*chunk*/) const
    {
        return true;
    }

    virtual void DoExchanged(std::uint32_t /*batch*/, std::uint32_t /*chunk*/)
    {
    }

    void Receive(ReceivedMessage message);
    ExchangeRunner& Runner(std::uint32_t exchange);
    bool IsReady(std::uint32_t exchange) const;
    bool KeepsShardOf(std::uint32_t exchange) const;
    void Start(std::uint32_t exchange);
    void End(std::uint32_t exchange);

    std::uint64_t m_sumRate{0};    ///< attribute
    std::uint64_t m_encodeRate{0}; ///< attribute
    std::uint64_t m_decodeRate{0}; ///< attribute
    RankHost m_host;
    std::shared_ptr<ExchangeOrder> m_order;
    ValueSink m_valueSink;
    std::map<std::uint32_t, std::unique_ptr<ExchangeRunner>>
        m_runners; ///< running, or met by a message
    std::uint32_t m_running{0};
    std::uint32_t m_position{0}; ///< in the order: the next one to start
    std::uint32_t m_ended{0};
    ns3::TracedCallback<Rank, std::uint32_t> m_exchangeStartTrace;
    ns3::TracedCallback<Rank, std::uint32_t> m_exchangeEndTrace;
    ns3::TracedCallback<Rank, std::uint32_t, const StepMessage&> m_stepMessageTrace;
    ns3::TracedCallback<Rank, const ResourceWork&> m_workTrace;
};

} // namespace inca

#endif // INCA_RANK_RANK_APPLICATION_H
