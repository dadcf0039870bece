/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/clockless-replay.h"

#include "base/errors.h"
#include "base/integer-scale.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** @return all elements between the first and the last one that a step is about, at either end of its messages */
ElementRange
TouchedBy(const Step& step)
{
    auto touched = step.reduction.value_or(ElementRange{});
    for (const auto* transfers : {&step.sends, &step.receives})
    {
        for (const auto& transfer : *transfers)
        {
            touched = Spanned(Spanned(touched, transfer.range), transfer.RangeAtPeer());
        }
    }
    return touched;
}

/** Refuses a window that has a part of what changes its place on its way, and not all of it at both ends. */
void
RequireBothEnds(Rank rank, const Transfer& send, ElementRange window)
{
    if (send.shift == 0)
    {
        return;
    }
    const auto both = Spanned(send.range, send.RangeAtPeer());
    const auto here = Clip(both, window).count;
    if (here > 0 && here < both.count)
    {
        throw InvariantError("a window cuts what rank " + std::to_string(rank) +
                             " sends to another place");
    }
}

} // namespace

ClocklessReplay::ClocklessReplay(
    const StepPlan& plan, WorkerWords own, ValueHooks hooks, Wire wire, SendSeen seen)
    : m_plan(plan),
      m_own(std::move(own)),
      m_hooks(std::move(hooks)),
      m_wire(std::move(wire)),
      m_seen(std::move(seen)),
      m_ranks(plan.RankCount())
{
    for (Rank rank = 0; rank < m_ranks.size(); ++rank)
    {
        const auto ownOfRank = [this, rank](ElementRange range, Word* out) {
            m_own(rank, range, out);
        };
        m_ranks[rank].values = std::make_unique<RankValues>(ElementRange{}, ownOfRank, m_hooks);
        m_ranks[rank].steps = plan.StepCount(rank);
    }
}

void
ClocklessReplay::Run(ElementRange window)
{
    Restart(window);
    while (!m_ready.empty())
    {
        const auto rank = lastReadyFirst ? m_ready.back() : m_ready.front();
        lastReadyFirst ? m_ready.pop_back() : m_ready.pop_front();
        Advance(rank);
    }
    for (Rank rank = 0; rank < m_ranks.size(); ++rank)
    {
        RequireFinished(rank);
    }
}

/** Nobody has begun: a window that could not be ended leaves nothing behind. */
void
ClocklessReplay::Restart(ElementRange window)
{
    m_window = window;
    m_summing.clear();
    m_ready.clear();
    for (Rank rank = 0; rank < m_ranks.size(); ++rank)
    {
        auto& state = m_ranks[rank];
        state.values->Restart(window);
        state.next = 0;
        state.begun = false;
        state.summed = false;
        state.inbox.clear();
        m_ready.push_back(rank);
    }
}

/** Executes the steps of @p rank up to the first that lacks a message or a sum. */
void
ClocklessReplay::Advance(Rank rank)
{
    auto& state = m_ranks[rank];
    while (state.next < state.steps)
    {
        if (const auto elsewhere = state.begun ? 0 : StepsElsewhere(state); elsewhere > 0)
        {
            state.next += elsewhere;
            continue;
        }
        if (!state.begun)
        {
            Begin(rank, state);
        }
        if (FirstMissing(state) != nullptr || LacksSum(state))
        {
            return;
        }
        Finish(state);
    }
}

/** How many steps, from the one on that it is at, are known to have nothing to do with the window: some of them. */
std::uint32_t
ClocklessReplay::StepsElsewhere(const RankState& state) const
{
    const auto isElsewhere = [this](ElementRange range) {
        return Clip(range, m_window).count == 0;
    };
    if (state.next % GROUP_STEPS == 0 && state.next + GROUP_STEPS <= state.touched.size() &&
        isElsewhere(state.touchedByGroup[state.next / GROUP_STEPS]))
    {
        return GROUP_STEPS;
    }
    return state.next < state.touched.size() && isElsewhere(state.touched[state.next]) ? 1 : 0;
}

void
ClocklessReplay::Begin(Rank rank, RankState& state)
{
    state.step = m_plan.At(rank, state.next);
    state.begun = true;
    Touch(state);
    for (std::uint32_t i = 0; i < state.step.sends.size(); ++i)
    {
        const auto& send = state.step.sends[i];
        const auto range = Clip(send.range, m_window);
        RequireBothEnds(rank, send, m_window);
        if (range.count > 0)
        {
            Deliver(rank, send, Sent({rank, state.next, i}, state, range));
        }
    }
    if (!LacksSum(state) || rank >= m_plan.WorkerCount())
    {
        return;
    }
    const auto [members, member] = SummandsOf(state.step, rank, m_plan.WorkerCount());
    if (++m_summing[state.step.among] == members)
    {
        m_summing.erase(state.step.among);
        MakeSum(SummedBy(state.step));
    }
}

/** Notes what the step under way is about. */
void
ClocklessReplay::Touch(RankState& state)
{
    if (state.next < state.touched.size())
    {
        return;
    }
    if (state.next % GROUP_STEPS == 0)
    {
        state.touchedByGroup.emplace_back();
    }
    state.touched.push_back(TouchedBy(state.step));
    state.touchedByGroup.back() = Spanned(state.touchedByGroup.back(), state.touched.back());
}

bool
ClocklessReplay::LacksSum(const RankState& state) const
{
    return state.step.reduction && !state.summed && Clip(*state.step.reduction, m_window).count > 0;
}

std::vector<Rank>
ClocklessReplay::SummedBy(const Step& step) const
{
    if (step.among != nullptr)
    {
        return *step.among;
    }
    std::vector<Rank> workers(m_plan.WorkerCount());
    std::iota(workers.begin(), workers.end(), 0U);
    return workers;
}

/** All whose values are added are at it. */
void
ClocklessReplay::MakeSum(const std::vector<Rank>& members)
{
    const Step step = m_ranks[members.front()].step;
    for (const auto worker : members)
    {
        RequireSameSum(worker, members.front());
    }
    const auto range = *step.reduction;
    const bool isForAll = step.phase == SumPhase::ALL_REDUCE;
    const auto sum = isForAll ? Added(step, range, members) : std::vector<Word>();
    for (Rank i = 0; i < members.size(); ++i)
    {
        isForAll ? m_ranks[members[i]].values->Store(
                       Clip(range, m_window), sum.data(), PayloadKind::GRADIENT)
                 : ShareOut(i, members, step);
    }
    for (const auto worker : members)
    {
        m_ranks[worker].summed = true;
        m_ready.push_back(worker);
    }
}

/** What of a worker's block is in the window; its parts are for some workers each. */
void
ClocklessReplay::ShareOut(Rank owner, const std::vector<Rank>& members, const Step& step)
{
    const auto block = OwnPart(step, members[owner], m_plan.WorkerCount());
    auto& ofOwner = *m_ranks[members[owner]].values;
    for (Rank i = 0; i < step.oneIn; ++i)
    {
        const auto part = PartOf(block, owner, owner + i, step.oneIn);
        const auto here = Clip(part, m_window);
        if (here.count > 0 && step.phase == SumPhase::REDUCE_SCATTER)
        {
            ofOwner.Store(here, Added(step, part, members).data(), PayloadKind::GRADIENT);
        }
        for (Rank to = i;
             here.count > 0 && step.phase == SumPhase::ALL_GATHER && to < members.size();
             to += step.oneIn)
        {
            const auto member = (owner + to) % members.size();
            if (member != owner)
            {
                m_ranks[members[member]].values->Store(here, ofOwner.Held(here), step.gathered);
            }
        }
    }
    if (step.update && Clip(block, m_window).count > 0)
    {
        ofOwner.Update(block);
    }
}

/** What the network makes of their words of what of @p range is in the window. */
std::vector<Word>
ClocklessReplay::Added(const Step& step, ElementRange range, const std::vector<Rank>& members)
{
    const auto& network = m_hooks.Of(step);
    RequireWholeBlocks(network, range);
    const auto here = Clip(range, m_window);
    std::vector<const Word*> words;
    for (const auto worker : members)
    {
        words.push_back(m_ranks[worker].values->Held(here));
    }
    std::vector<Word> sum(here.count);
    network.add(words, here.count, sum.data());
    for (const auto* own : words)
    {
        const auto& largest = network.largest;
        m_misfits += largest ? CountBeyond(own, here.count, *largest) : 0;
    }
    return sum;
}

void
ClocklessReplay::RequireWholeBlocks(const NetworkReduction& network, ElementRange range) const
{
    const auto here = Clip(range, m_window);
    const auto block = network.block;
    if (!network.add)
    {
        throw InvariantError("the network adds, and no hook says how");
    }
    if ((here.begin - range.begin) % block != 0 ||
        (here.count % block != 0 && here.End() != range.End()))
    {
        throw InvariantError("elements " + std::to_string(here.begin) + " .. " +
                             std::to_string(here.End()) + " cut a block of " +
                             std::to_string(block) + " that the network adds together");
    }
}

void
ClocklessReplay::RequireSameSum(Rank worker, Rank first) const
{
    const auto& state = m_ranks[worker];
    const auto& step = m_ranks[first].step;
    if (!state.begun || !state.step.reduction || !(state.step.reduction == step.reduction) ||
        state.step.phase != step.phase)
    {
        throw InvariantError("worker " + std::to_string(worker) +
                             " has the network add other elements than worker " +
                             std::to_string(first));
    }
}

std::vector<Word>
ClocklessReplay::Sent(const PlannedSend& place, const RankState& state, ElementRange range)
{
    const auto& send = state.step.sends[place.send];
    std::vector<Word> words(range.count);
    state.values->Read(range, words.data());
    if (m_seen)
    {
        m_seen(place, send, range, words.data());
    }
    if (m_wire)
    {
        ChangeFloats(range.count, words.data(), [&](float* values, std::uint64_t count) {
            m_wire(place.rank, send, values, count);
        });
    }
    return words;
}

void
ClocklessReplay::Deliver(Rank from, const Transfer& send, std::vector<Word> words)
{
    auto& receiver = m_ranks[send.peer];
    receiver.inbox[from].push_back(std::move(words));
    if (receiver.begun)
    {
        m_ready.push_back(send.peer); // it may be waiting for this
    }
}

/** The first receive in the window whose message is not there yet, or null. */
const Transfer*
ClocklessReplay::FirstMissing(const RankState& state) const
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

void
ClocklessReplay::Finish(RankState& state)
{
    std::vector<std::vector<Word>> messages;
    std::vector<const Word*> received;
    for (const auto& receive : state.step.receives)
    {
        messages.push_back(Take(state, receive));
        received.push_back(messages.back().data());
    }
    state.values->Receive(state.step, received);
    state.begun = false;
    state.summed = false;
    ++state.next;
}

std::vector<Word>
ClocklessReplay::Take(RankState& state, const Transfer& receive) const
{
    if (Clip(receive.range, m_window).count == 0)
    {
        return {};
    }
    auto& box = state.inbox[receive.peer];
    auto words = std::move(box.front());
    box.pop_front();
    return words;
}

void
ClocklessReplay::RequireFinished(Rank rank) const
{
    const auto& state = m_ranks[rank];
    if (state.next < state.steps)
    {
        const auto* missing = FirstMissing(state);
        const auto summing = m_summing.find(state.step.among);
        throw InvariantError(
            "rank " + std::to_string(rank) + " waits in step " + std::to_string(state.next) +
            " for " +
            (missing != nullptr
                 ? "rank " + std::to_string(missing->peer) + ", which sends nothing"
                 : "the network's sum, which " +
                       std::to_string(summing == m_summing.end() ? 0 : summing->second) + " of " +
                       std::to_string(SummedBy(state.step).size()) + " workers take part in"));
    }
}

} // namespace inca
