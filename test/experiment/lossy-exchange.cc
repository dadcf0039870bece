/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/lossy-exchange.h"

#include "base/random.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t FRAME_VALUES{365};
constexpr unsigned MOST_DOUBLINGS{6};
constexpr unsigned MOST_DOUBLINGS_AFTER_LOSS{3};

/** What is to happen, by time, then in the order in which it was said. */
class Agenda
{
  public:
    void At(std::int64_t timePs, std::function<void()> action)
    {
        m_events.emplace(std::make_pair(timePs, m_count++), std::move(action));
    }

    void Run()
    {
        while (!m_events.empty())
        {
            const auto next = m_events.extract(m_events.begin());
            m_nowPs = next.key().first;
            next.mapped()();
        }
    }

    std::int64_t NowPs() const
    {
        return m_nowPs;
    }

  private:
    std::map<std::pair<std::int64_t, std::uint64_t>, std::function<void()>> m_events;
    std::uint64_t m_count{0};
    std::int64_t m_nowPs{0};
};

/** One sender and its receiver: which frames there are, and which have arrived. */
class Pair
{
  public:
    Pair(Agenda& agenda,
         const LossyPath& path,
         RandomStream& random,
         std::function<void()> onMessage)
        : m_agenda(agenda),
          m_path(path),
          m_random(random),
          m_onMessage(std::move(onMessage))
    {
    }

    /** @return when its last frame has left */
    std::int64_t Send(std::uint64_t frames)
    {
        for (std::uint64_t i = 0; i < frames; ++i)
        {
            m_frames.push_back({i + 1 == frames, false, 0});
            Transmit(m_frames.size() - 1);
        }
        Watch();
        return m_freePs;
    }

  private:
    struct Frame
    {
        bool last;    ///< of a message
        bool arrived; ///< the truth, which the sender does not know
        std::size_t tries;
    };

    static constexpr std::size_t PROBE{~std::size_t{0}};

    bool GetsThrough()
    {
        return m_random.Uniform() >= m_path.loss;
    }

    void Transmit(std::size_t frame)
    {
        const bool isProbe = frame == PROBE;
        const auto transmission = m_sent.size();
        m_sent.push_back(frame);
        m_freePs = std::max(m_freePs, m_agenda.NowPs()) + (isProbe ? 0 : m_path.framePs);
        m_quietPs = isProbe ? m_quietPs : m_freePs;
        m_lastRepeat = !isProbe && m_frames[frame].tries++ > 0 ? transmission : m_lastRepeat;
        if (GetsThrough())
        {
            m_agenda.At(m_freePs + (isProbe ? m_path.ackDelayPs : m_path.delayPs),
                        [this, transmission] { Arrive(transmission); });
        }
    }

    void Arrive(std::size_t transmission)
    {
        const auto frame = m_sent[transmission];
        bool answer = frame == PROBE;
        if (!answer)
        {
            const bool gap = frame != m_next || m_early > 0 || m_frames[frame].tries > 1;
            m_frames[frame].arrived = true;
            ++m_early;
            answer = Deliver() || gap || m_unanswered >= m_path.ackEvery;
        }
        m_unanswered = answer ? 0 : m_unanswered;
        if (answer && GetsThrough())
        {
            m_agenda.At(m_agenda.NowPs() + m_path.ackDelayPs,
                        [this, transmission, next = m_next] { Learn(transmission, next); });
        }
    }

    /** @return whether a message ended */
    bool Deliver()
    {
        bool ended = false;
        while (m_next < m_frames.size() && m_frames[m_next].arrived)
        {
            --m_early;
            ++m_unanswered;
            if (m_frames[m_next++].last)
            {
                ended = true;
                m_onMessage();
            }
        }
        return ended;
    }

    void Learn(std::size_t transmission, std::size_t next)
    {
        const bool advances = next > m_base;
        if (advances && m_doublings == 0 && LastTry(next - 1) >= m_lastRepeat)
        {
            m_timeoutPs = m_path.timeoutPs;
        }
        m_base = std::max(m_base, next);
        bool lost = false;
        for (; m_known <= transmission; ++m_known)
        {
            const auto frame = m_sent[m_known];
            if (frame != PROBE && !m_frames[frame].arrived)
            {
                lost = true;
                Transmit(frame);
            }
        }
        const bool beyondGap = m_sent[transmission] != PROBE && m_sent[transmission] >= next;
        if (advances || lost || beyondGap)
        {
            m_doublings = 0;
            m_quietPs = std::max(m_quietPs, m_agenda.NowPs());
        }
        Watch();
    }

    std::size_t LastTry(std::size_t frame) const
    {
        const auto found = std::find(m_sent.rbegin(), m_sent.rend(), frame);
        return static_cast<std::size_t>(std::distance(found, m_sent.rend())) - 1;
    }

    std::int64_t DeadlinePs() const
    {
        return m_quietPs + (m_timeoutPs << m_doublings);
    }

    void Watch()
    {
        const bool isLate = !m_watched || m_lookPs > DeadlinePs();
        if (isLate && m_base < m_frames.size())
        {
            m_watched = true;
            m_lookPs = std::max(m_agenda.NowPs(), DeadlinePs());
            m_agenda.At(m_lookPs, [this] { Look(); });
        }
    }

    void Look()
    {
        if (!m_watched || m_lookPs != m_agenda.NowPs())
        {
            return; // there was an earlier one
        }
        m_watched = false;
        if (m_base < m_frames.size() && DeadlinePs() <= m_agenda.NowPs())
        {
            m_quietPs = m_agenda.NowPs();
            m_doublings = std::min(m_doublings + 1,
                                   m_lastRepeat == 0 ? MOST_DOUBLINGS : MOST_DOUBLINGS_AFTER_LOSS);
            Transmit(PROBE);
        }
        Watch();
    }

    Agenda& m_agenda;
    const LossyPath& m_path;
    RandomStream& m_random;
    std::function<void()> m_onMessage;
    std::vector<Frame> m_frames;
    std::vector<std::size_t> m_sent; ///< by transmission: the frame
    std::size_t m_known{0};          ///< transmissions whose fate the sender knows
    std::size_t m_base{0};           ///< frames below it are acknowledged
    std::size_t m_next{0};           ///< frames below it are delivered
    std::size_t m_early{0};          ///< arrived, not delivered
    std::size_t m_unanswered{0};
    std::size_t m_lastRepeat{0};
    std::int64_t m_timeoutPs{m_path.firstTimeoutPs};
    std::int64_t m_freePs{0};
    std::int64_t m_quietPs{0};
    unsigned m_doublings{0};
    bool m_watched{false};
    std::int64_t m_lookPs{0};
};

/** All ranks of a plan, each in its current step. */
class Ranks
{
  public:
    Ranks(const StepPlan& plan, const LossyPath& path, std::uint64_t seed)
        : m_plan(plan),
          m_path(path),
          m_random(seed, 0),
          m_states(plan.RankCount())
    {
    }

    std::int64_t EndPs()
    {
        for (Rank rank = 0; rank < m_states.size(); ++rank)
        {
            Begin(rank);
        }
        m_agenda.Run();
        return m_endPs;
    }

  private:
    struct State
    {
        std::uint32_t step{0};
        std::size_t leaving{0}; ///< sends that have not left
        Step now;
        std::map<Rank, std::size_t> arrived; ///< messages not yet received by a step
    };

    void Begin(Rank rank)
    {
        auto& state = m_states[rank];
        if (state.step == m_plan.StepCount(rank))
        {
            m_endPs = std::max(m_endPs, m_agenda.NowPs());
            return;
        }
        state.now = m_plan.At(rank, state.step);
        state.leaving = state.now.sends.size();
        for (const auto& send : state.now.sends)
        {
            const auto frames =
                std::max<std::uint64_t>(1, (send.range.count + FRAME_VALUES - 1) / FRAME_VALUES);
            const auto leftPs = PairOf(rank, send.peer).Send(frames);
            m_agenda.At(leftPs, [this, rank] {
                --m_states[rank].leaving;
                EndIfDone(rank);
            });
        }
        m_agenda.At(m_agenda.NowPs(), [this, rank, step = state.step] {
            if (m_states[rank].step == step)
            {
                EndIfDone(rank);
            }
        });
    }

    void EndIfDone(Rank rank)
    {
        auto& state = m_states[rank];
        const auto& receives = state.now.receives;
        const bool allThere = std::all_of(receives.begin(), receives.end(), [&](const auto& r) {
            return state.arrived[r.peer] > 0;
        });
        if (state.step == m_plan.StepCount(rank) || state.leaving > 0 || !allThere)
        {
            return;
        }
        for (const auto& receive : receives)
        {
            --state.arrived[receive.peer];
        }
        ++state.step;
        Begin(rank);
    }

    Pair& PairOf(Rank from, Rank to)
    {
        auto& pair = m_pairs[{from, to}];
        if (!pair)
        {
            pair = std::make_unique<Pair>(m_agenda, m_path, m_random, [this, from, to] {
                ++m_states[to].arrived[from];
                EndIfDone(to);
            });
        }
        return *pair;
    }

    const StepPlan& m_plan;
    const LossyPath& m_path;
    Agenda m_agenda;
    RandomStream m_random;
    std::vector<State> m_states;
    std::map<std::pair<Rank, Rank>, std::unique_ptr<Pair>> m_pairs;
    std::int64_t m_endPs{0};
};

/** The packets of one slot, one after the other. */
class OneSlot
{
  public:
    OneSlot(const LossyTree& tree, std::uint64_t packets, RandomStream& random)
        : m_tree(tree),
          m_packets(packets),
          m_random(random),
          m_nodes(tree.parents.size())
    {
        for (std::size_t node = 0; node < m_nodes.size(); ++node)
        {
            m_nodes[node].sums.assign(packets, 0);
            m_nodes[node].there.resize(packets);
            if (Parent(node) != node)
            {
                m_nodes[Parent(node)].children.push_back(node);
            }
        }
    }

    std::int64_t EndPs()
    {
        for (std::size_t node = 0; node < m_nodes.size(); ++node)
        {
            if (IsWorker(node) && m_packets > 0)
            {
                Send(node, 0);
            }
        }
        m_agenda.Run();
        return m_endPs;
    }

  private:
    struct Node
    {
        std::vector<std::size_t> children;
        std::vector<char> sums;                   ///< by packet: whether its sum is there
        std::vector<std::set<std::size_t>> there; ///< by packet: who contributed
    };

    std::size_t Parent(std::size_t node) const
    {
        return m_tree.parents[node];
    }

    bool IsWorker(std::size_t node) const
    {
        return m_nodes[node].children.empty();
    }

    void Travel(std::function<void()> arrive)
    {
        if (m_random.Uniform() >= m_tree.loss)
        {
            m_agenda.At(m_agenda.NowPs() + m_tree.hopPs, std::move(arrive));
        }
    }

    /** Worker @p node sends, and again until the sum is there. */
    void Send(std::size_t node, std::uint64_t packet)
    {
        if (m_nodes[node].sums[packet] == 0)
        {
            Up(node, packet);
            m_agenda.At(m_agenda.NowPs() + m_tree.timeoutPs,
                        [this, node, packet] { Send(node, packet); });
        }
    }

    void Up(std::size_t node, std::uint64_t packet)
    {
        Travel([this, node, packet] { Contribute(Parent(node), node, packet); });
    }

    void Contribute(std::size_t node, std::size_t child, std::uint64_t packet)
    {
        auto& at = m_nodes[node];
        at.there[packet].insert(child);
        if (at.sums[packet] != 0)
        {
            Down(child, packet); // an answer
        }
        else if (at.there[packet].size() == at.children.size())
        {
            Parent(node) == node ? Complete(node, packet) : Up(node, packet);
        }
    }

    void Complete(std::size_t node, std::uint64_t packet)
    {
        auto& at = m_nodes[node];
        if (at.sums[packet] != 0)
        {
            return;
        }
        at.sums[packet] = 1;
        for (const auto child : at.children)
        {
            Down(child, packet);
        }
        if (IsWorker(node))
        {
            m_endPs = m_agenda.NowPs();
            if (packet + 1 < m_packets)
            {
                Send(node, packet + 1);
            }
        }
    }

    void Down(std::size_t child, std::uint64_t packet)
    {
        Travel([this, child, packet] { Complete(child, packet); });
    }

    const LossyTree& m_tree;
    std::uint64_t m_packets;
    RandomStream& m_random;
    Agenda m_agenda;
    std::vector<Node> m_nodes;
    std::int64_t m_endPs{0};
};

} // namespace

std::int64_t
LossyExchangePs(const StepPlan& plan, const LossyPath& path, std::uint64_t seed)
{
    return Ranks(plan, path, seed).EndPs();
}

std::int64_t
LossySlotsPs(const LossyTree& tree, std::uint64_t seed)
{
    RandomStream random(seed, 0);
    std::int64_t endPs = 0;
    for (std::uint64_t slot = 0; slot < std::min(tree.slots, tree.packets); ++slot)
    {
        const auto packets = (tree.packets - slot + tree.slots - 1) / tree.slots;
        endPs = std::max(endPs, OneSlot(tree, packets, random).EndPs());
    }
    return endPs;
}

} // namespace inca
