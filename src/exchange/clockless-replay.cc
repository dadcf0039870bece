/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/clockless-replay.h"

#include "base/errors.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace inca
{

namespace
{

using Values = std::vector<float>;

/** One rank under way. */
struct RankState
{
    RankValues values;
    std::uint32_t steps;
    std::uint32_t next{0};                      ///< the step that it is at, or will be
    Step step{};                                ///< that step, once it has begun
    bool begun{false};                          ///< its sends have left
    std::map<Rank, std::deque<Values>> inbox{}; ///< by sender, in the order of sending
};

/** All ranks, for one window. */
class WindowReplay
{
  public:
    WindowReplay(const Program& program,
                 const WorkerGradient& own,
                 const ValueHooks& hooks,
                 const Wire& wire,
                 ElementRange window)
        : m_program(program),
          m_wire(wire),
          m_window(window)
    {
        m_ranks.reserve(program.RankCount());
        for (Rank rank = 0; rank < program.RankCount(); ++rank)
        {
            const auto ownOfRank = [&own, rank](ElementRange range, float* out) {
                own(rank, range, out);
            };
            m_ranks.push_back({RankValues(window, ownOfRank, hooks), program.StepCount(rank)});
        }
    }

    void Run()
    {
        for (Rank rank = 0; rank < m_ranks.size(); ++rank)
        {
            m_ready.push_back(rank);
        }
        while (!m_ready.empty())
        {
            const auto rank = m_ready.front();
            m_ready.pop_front();
            Advance(rank);
        }
        for (Rank rank = 0; rank < m_ranks.size(); ++rank)
        {
            RequireFinished(rank);
        }
    }

    void Result(Rank worker, Values& values) const
    {
        values.resize(m_window.count);
        m_ranks[worker].values.Read(m_window, values.data());
    }

  private:
    /** Executes the steps of @p rank up to the first that lacks a message. */
    void Advance(Rank rank)
    {
        auto& state = m_ranks[rank];
        while (state.next < state.steps)
        {
            if (!state.begun)
            {
                Begin(rank, state);
            }
            if (FirstMissing(state) != nullptr)
            {
                return;
            }
            Finish(state);
        }
    }

    void Begin(Rank rank, RankState& state)
    {
        state.step = m_program.At(rank, state.next);
        state.begun = true;
        for (const auto& send : state.step.sends)
        {
            const auto range = Clip(send.range, m_window);
            if (range.count > 0)
            {
                Deliver(rank, send, Sent(rank, state, send.leg, range));
            }
        }
    }

    Values Sent(Rank rank, const RankState& state, Leg leg, ElementRange range) const
    {
        Values values(range.count);
        state.values.Read(range, values.data());
        if (m_wire)
        {
            m_wire(rank, leg, values.data(), range.count);
        }
        return values;
    }

    void Deliver(Rank from, const Transfer& send, Values values)
    {
        auto& receiver = m_ranks[send.peer];
        receiver.inbox[from].push_back(std::move(values));
        if (receiver.begun)
        {
            m_ready.push_back(send.peer); // it may be waiting for this
        }
    }

    /** The first receive in the window whose message is not there yet, or null. */
    const Transfer* FirstMissing(const RankState& state) const
    {
        for (const auto& receive : state.step.receives)
        {
            const auto box = state.inbox.find(receive.peer);
            if (Clip(receive.range, m_window).count > 0 &&
                (box == state.inbox.end() || box->second.empty()))
            {
                return &receive;
            }
        }
        return nullptr;
    }

    void Finish(RankState& state) const
    {
        std::vector<Values> messages;
        std::vector<const float*> received;
        messages.reserve(state.step.receives.size());
        received.reserve(state.step.receives.size());
        for (const auto& receive : state.step.receives)
        {
            messages.push_back(Take(state, receive));
        }
        for (const auto& message : messages)
        {
            received.push_back(message.data());
        }
        state.values.Receive(state.step, received);
        state.begun = false;
        ++state.next;
    }

    Values Take(RankState& state, const Transfer& receive) const
    {
        if (Clip(receive.range, m_window).count == 0)
        {
            return {};
        }
        auto& box = state.inbox[receive.peer];
        auto values = std::move(box.front());
        box.pop_front();
        return values;
    }

    void RequireFinished(Rank rank) const
    {
        const auto& state = m_ranks[rank];
        if (state.next < state.steps)
        {
            throw InvariantError(
                "rank " + std::to_string(rank) + " waits in step " + std::to_string(state.next) +
                " for rank " + std::to_string(FirstMissing(state)->peer) + ", which sends nothing");
        }
    }

    const Program& m_program;
    const Wire& m_wire;
    ElementRange m_window;
    std::vector<RankState> m_ranks;
    std::deque<Rank> m_ready; ///< ranks that may be able to go on
};

} // namespace

ClocklessReplay::ClocklessReplay(const Program& program,
                                 WorkerGradient own,
                                 ValueHooks hooks,
                                 Wire wire)
    : m_program(program),
      m_own(std::move(own)),
      m_hooks(std::move(hooks)),
      m_wire(std::move(wire))
{
}

void
ClocklessReplay::Run(ElementRange window, std::vector<std::vector<float>>& perWorker) const
{
    WindowReplay replay(m_program, m_own, m_hooks, m_wire, window);
    replay.Run();
    perWorker.resize(m_program.WorkerCount());
    for (Rank worker = 0; worker < m_program.WorkerCount(); ++worker)
    {
        replay.Result(worker, perWorker[worker]);
    }
}

} // namespace inca
