/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_EXCHANGE_ORDER_H
#define INCA_JOB_EXCHANGE_ORDER_H

#include "inca/exchange/step-plan.h"
#include "inca/job/fusion-cycles.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace inca
{

/**
 * The order in which the exchanges of a job start, the same on every rank: ranks that chose
 * differently would wait for each other for ever. Exchange e moves chunk e mod C of iteration e / C;
 * all exchanges of an iteration come before those of the next.
 *
 * In the order of readiness it is known beforehand. By priority it grows as the run goes: the
 * first rank that can start one more exchange chooses among those that are ready there, and every
 * other rank follows. That choice reaches the others at no cost, as from an ideal coordinator.
 *
 * Such a coordinator may also hold every exchange back until all workers are ready for it
 * (StartTogether); by priority, the choice is then made among those that all are ready for.
 */
class ExchangeOrder
{
  public:
    /** Chunks go in their own order. */
    explicit ExchangeOrder(std::uint32_t chunks);

    /** @param priorities by chunk; of those ready, the lowest goes first, and the lower chunk on a tie */
    explicit ExchangeOrder(const std::vector<std::uint32_t>& priorities);

    /** @return the exchange at @p position; empty if it is open */
    std::optional<std::uint32_t> At(std::uint32_t position) const;

    /**
     * The exchange at @p position, which @p worker chooses now if it is open; workers ask for positions
     * in order.
     * @return empty if it is open and the worker has nothing that it may start
     */
    std::optional<std::uint32_t> Choose(std::uint32_t position, Rank worker);

    /**
     * Workers start an exchange only when all of the @p workers have reported to be ready for it. To
     * be said before the first report.
     */
    void StartTogether(std::uint32_t workers);

    /** Says that @p worker is ready for @p exchange; each says so once. */
    void ReportReady(Rank worker, std::uint32_t exchange);

    /** @return whether a worker that is ready for @p exchange need not wait for others */
    bool MayStart(std::uint32_t exchange) const;

    /**
     * @p grown is called whenever the order has grown by choice, or the last worker has become ready
     * for an exchange that starts together. It may not ask or tell this order anything: who goes on
     * by it does so afterwards, in simulated time in an event of its own.
     */
    void OnGrowth(std::function<void()> grown);

    /** In which workers start buckets, before they are ready for the exchanges of these; empty: they do so at once. */
    std::optional<FusionCycles> cycles;

  private:
    /** Exchanges that may be chosen, and some that were, as places in the order that all being ready gives. */
    using Places =
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<std::uint32_t>>;

    void TellGrowth() const;
    void AddReady(Rank worker, std::uint32_t exchange);
    bool IsOver(std::uint32_t place) const;
    std::uint32_t ExchangeAt(std::uint32_t place) const;

    std::uint32_t m_chunks;
    std::vector<std::uint32_t>
        m_byPriority; ///< chunks, the first to go first; empty: in their own order
    std::vector<std::uint32_t> m_placeOf; ///< by chunk: where it stands there
    std::vector<Places> m_mayGo;          ///< by worker; one for all that start together
    std::vector<std::uint32_t> m_chosen;  ///< exchanges, by position
    std::vector<bool> m_taken;            ///< places of the iteration that is open
    std::uint32_t m_together{0};          ///< workers that wait for each other; 0: none does
    std::vector<std::uint32_t> m_ready;   ///< by exchange: workers that have reported
    std::vector<std::function<void()>> m_grown;
};

} // namespace inca

#endif // INCA_JOB_EXCHANGE_ORDER_H
