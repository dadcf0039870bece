/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/exchange-walk.h"

#include "base/interrupt.h"
#include "base/wire-format.h"
#include "plan/fold-choice.h"
#include "plan/message-times.h"
#include "plan/resource-times.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

namespace inca
{

namespace
{

/** A message on its way. */
struct Posted
{
    LimitedTime begin; ///< its sender takes it up
    LimitedTime held;  ///< it is not there before, for the messages before it fill the window
    const MessageTimes* times;
};

/** What a rank has sent to the peer to which it sent last, and when it will know that it is there. */
struct SentBefore
{
    struct Message
    {
        std::uint64_t end; ///< frames of the connection until after its last
        LimitedTime acknowledged;
    };

    Rank peer{0};
    std::uint64_t frames{0};
    std::deque<Message> messages;

    /** When a window of @p window frames lets frame number @p frame go, for messages before it. */
    LimitedTime Open(std::uint64_t frame, std::uint64_t window) const
    {
        const auto found =
            std::find_if(messages.rbegin(), messages.rend(), [frame, window](const auto& message) {
                return message.end + window <= frame + 1;
            });
        return found == messages.rend() ? LimitedTime{} : found->acknowledged;
    }
};

/** Where one rank is. */
struct RankAt
{
    std::uint32_t index{0}; ///< of its step
    bool inStep{false};
    Step step;
    std::size_t there{0}; ///< the first of the step's receives that nobody has sent yet
    LimitedTime sent;     ///< its sends have left, as far as its receives wait for them
    LimitedTime encoding; ///< of the step's sends
    SentBefore before;
    std::multimap<Rank, Posted> mailbox; ///< by sender, each one's in its order
};

/** What a rank's messages cost at each stage that they share. */
using StageLoads = std::array<LimitedTime, RECEIVER_STAGES>;

class Walk
{
  public:
    Walk(const Scenario& scenario,
         const TrainingJob& job,
         const NetworkSpeed& network,
         const NetworkSumTimes* sums,
         const JobChunk& chunk,
         const StepPlan& strand,
         std::vector<LimitedTime>& times,
         std::vector<StageLoads>& loads)
        : m_scenario(scenario),
          m_job(job),
          m_messages(scenario, job, network),
          m_sums(sums),
          m_chunk(chunk),
          m_plan(strand),
          m_times(times),
          m_loads(loads),
          m_ranks(times.size()),
          m_bitwise(SymmetryOf(scenario).bitwise)
    {
    }

    void Go()
    {
        for (Rank rank = 0; rank < m_ranks.size(); ++rank)
        {
            m_runnable.push_back(rank);
        }
        while (!m_runnable.empty())
        {
            ThrowIfInterrupted(); // a ring of all workers there can be is walked through for minutes
            const auto rank = m_runnable.front();
            m_runnable.pop_front();
            while (Advance(rank))
            {
            }
        }
    }

  private:
    /** @return whether @p rank has ended a step */
    bool Advance(Rank rank)
    {
        auto& at = m_ranks[rank];
        if (at.index == m_plan.StepCount(rank))
        {
            return false;
        }
        if (!at.inStep)
        {
            Begin(rank);
        }
        if (at.step.networkSum)
        {
            return false; // all workers go on together
        }
        if (!AllSent(at))
        {
            return false;
        }
        m_times[rank] = End(rank);
        ++at.index;
        at.inStep = false;
        return true;
    }

    void Begin(Rank rank)
    {
        auto& at = m_ranks[rank];
        at.step = m_plan.At(rank, at.index);
        at.inStep = true;
        at.there = 0;
        at.encoding = {};
        if (at.step.networkSum)
        {
            AwaitAll(at.step);
        }
        else if (!ReceivesFirst(at.step))
        {
            at.sent = Send(rank, m_times[rank]);
        }
    }

    void AwaitAll(const Step& step)
    {
        const auto workers = std::min<Rank>(m_job.workers, static_cast<Rank>(m_times.size()));
        if (++m_atSum < workers)
        {
            return;
        }
        m_atSum = 0;
        const auto ends = SumEnds(step, {m_times.begin(), m_times.begin() + workers});
        for (Rank worker = 0; worker < workers; ++worker)
        {
            m_times[worker] = ends[worker];
            ++m_ranks[worker].index;
            m_ranks[worker].inStep = false;
            m_runnable.push_back(worker);
        }
    }

    /** @return by worker, as @p begins */
    std::vector<LimitedTime> SumEnds(const Step& step, const std::vector<LimitedTime>& begins) const
    {
        const auto words = step.networkSum->count;
        const auto halves = step.networkHalves;
        if (halves == Halves::BOTH)
        {
            return m_sums->One(words, begins);
        }
        const auto leg = halves == Halves::ALL_GATHER ? Leg::WEIGHT : Leg::GRADIENT;
        const auto perWord = VALUE_BYTES / m_job.BytesPerElement(leg);
        return m_sums->Shared({words, halves, static_cast<std::uint32_t>(perWord)}, begins);
    }

    bool AllSent(RankAt& at) const
    {
        const auto& receives = at.step.receives;
        while (at.there < receives.size() && at.mailbox.count(receives[at.there].peer) > 0)
        {
            ++at.there;
        }
        return at.there == receives.size();
    }

    bool Alternates() const
    {
        return m_scenario.host.duplex < 1.0;
    }

    bool ReceivesFirst(const Step& step) const
    {
        return Alternates() && step.receiveFirst && !step.receives.empty();
    }

    /** The part of @p parcel that moves before the other direction begins. */
    Parcel Share(Parcel parcel) const
    {
        const auto share = (1.0 - m_scenario.host.duplex) * static_cast<double>(parcel.bytes);
        parcel.bytes = static_cast<std::uint64_t>(share);
        return parcel;
    }

    bool IsHostCoded(const Transfer& transfer) const
    {
        return m_job.hostCodec != nullptr && transfer.leg == Leg::GRADIENT;
    }

    LimitedTime Work(ElementRange range, std::uint64_t bytesPerSecond) const
    {
        return OnHost(range.count * m_job.bytesPerElement, bytesPerSecond);
    }

    /** @return when receives may begin that wait for the sends */
    LimitedTime Send(Rank rank, LimitedTime now)
    {
        auto& at = m_ranks[rank];
        const auto& sends = at.step.sends;
        for (std::size_t i = 0; i < sends.size(); ++i)
        {
            const auto& transfer = sends[i];
            if (IsHostCoded(transfer) && !RepeatsSend(at.step, i))
            {
                const auto encoding = Work(transfer.range, m_scenario.codec.encodeBytesPerSecond);
                at.encoding += encoding;
                now += encoding;
            }
            const auto parcel = m_messages.ParcelOf(m_chunk, transfer.leg, transfer.range);
            const auto& times = m_messages.Of(parcel, rank, transfer.peer);
            now = Post(rank, transfer.peer, now, times);
            const bool opens = Alternates() && !at.step.receives.empty() && i + 1 == sends.size();
            if (!opens)
            {
                now += times.leave;
            }
            else if (const auto part = Share(parcel); part.bytes > 0)
            {
                now += m_messages.Of(part, rank, transfer.peer).leave;
            }
        }
        return now;
    }

    /** @return when the window lets it begin, from @p now on */
    LimitedTime Post(Rank from, Rank to, LimitedTime now, const MessageTimes& times)
    {
        auto& before = m_ranks[from].before;
        if (before.peer != to)
        {
            before = {};
            before.peer = to;
        }
        const auto first = before.frames;
        before.frames += times.frames;
        now.Await(Open(before, first));
        const auto held = Open(before, before.frames - 1) + times.lastOut;
        const auto acknowledged =
            Longer(now + times.acknowledged, held + times.acknowledged - times.arrive);
        before.messages.push_back({before.frames, acknowledged});
        const auto window = Raised(m_scenario.transport.window);
        while (before.messages.size() > 1 && before.messages[1].end + window <= before.frames)
        {
            before.messages.pop_front();
        }
        Deliver(from, to, {now, held, &times});
        return now;
    }

    /** To whoever stands for @p to, as if from as far before that one. */
    void Deliver(Rank from, Rank to, const Posted& posted)
    {
        const auto standIns = static_cast<Rank>(m_ranks.size());
        const auto standsIn = StandInOf(to, standIns);
        const auto sender = SenderSeen(from, to, standIns, m_plan.RankCount(), m_bitwise);
        m_ranks[standsIn].mailbox.insert({sender, posted});
        m_runnable.push_back(standsIn);
    }

    LimitedTime Open(const SentBefore& before, std::uint64_t frame) const
    {
        const auto window = m_scenario.transport.window;
        return LimitedTime::With(
            Limit::WINDOW, before.Open(frame, window), before.Open(frame, Raised(window)));
    }

    Posted TakePosted(RankAt& at, Rank from)
    {
        const auto found = at.mailbox.lower_bound(from);
        const auto posted = found->second;
        at.mailbox.erase(found);
        return posted;
    }

    LimitedTime End(Rank rank)
    {
        auto& at = m_ranks[rank];
        const auto begin = m_times[rank];
        if (at.step.receives.empty())
        {
            return at.sent;
        }
        const bool receivesFirst = ReceivesFirst(at.step);
        const auto open = Alternates() && !receivesFirst ? at.sent : begin;
        auto moved = Receive(rank, open);
        if (receivesFirst)
        {
            at.sent = Send(rank, open + Opening(rank));
        }
        if (Alternates())
        {
            moved.Await(at.sent);
        }
        moved.Await(begin + at.encoding + Decoding(at.step));
        return Longer(Combined(rank, open, moved), at.sent);
    }

    /** How long a host that receives first does only that. */
    LimitedTime Opening(Rank rank)
    {
        LimitedTime load;
        for (const auto& transfer : m_ranks[rank].step.receives)
        {
            const auto part = Share(m_messages.ParcelOf(m_chunk, transfer.leg, transfer.range));
            if (part.bytes > 0 && !IsHostCoded(transfer))
            {
                load.Await(m_messages.Grant(rank, transfer.peer) +
                           m_messages.Of(part, transfer.peer, rank).arrive);
            }
        }
        return load;
    }

    /** When all of the step's messages are here, and decoded. */
    LimitedTime Receive(Rank rank, const LimitedTime& open)
    {
        auto& at = m_ranks[rank];
        LimitedTime all = open;
        LimitedTime head;
        std::array<LimitedTime, RECEIVER_STAGES> load;
        bool first = true;
        for (const auto& transfer : at.step.receives)
        {
            auto [begin, held, times] = TakePosted(at, transfer.peer);
            if (Alternates())
            {
                begin.Await(open + m_messages.Grant(rank, transfer.peer));
            }
            all.Await(Longer(begin + times->arrive, held) + DecodingOf(transfer));
            head = first ? begin + times->head : Shorter(head, begin + times->head);
            first = false;
            for (std::size_t stage = 0; stage < load.size(); ++stage)
            {
                load[stage] += times->load[stage];
                m_loads[rank][stage] += times->load[stage];
            }
        }
        for (const auto& stage : load)
        {
            all.Await(head + stage + DecodingOf(at.step.receives.front()));
        }
        return all;
    }

    LimitedTime DecodingOf(const Transfer& transfer) const
    {
        return IsHostCoded(transfer) ? Work(transfer.range, m_scenario.codec.decodeBytesPerSecond)
                                     : LimitedTime{};
    }

    LimitedTime Decoding(const Step& step) const
    {
        LimitedTime decoding;
        for (const auto& transfer : step.receives)
        {
            decoding += DecodingOf(transfer);
        }
        return decoding;
    }

    /** @param open receives have begun @param moved all is here */
    LimitedTime Combined(Rank rank, const LimitedTime& open, const LimitedTime& moved) const
    {
        const auto& step = m_ranks[rank].step;
        auto combined = moved;
        LimitedTime adding;
        LimitedTime last;
        for (const auto& transfer : step.receives)
        {
            last = transfer.combine == Combine::ADD
                       ? Work(transfer.range, m_scenario.host.sumBytesPerSecond)
                       : LimitedTime{};
            adding += last;
        }
        if (m_job.sumOnArrival && rank >= m_job.workers)
        {
            combined += last;
            combined.Await(open + adding);
        }
        else
        {
            combined += adding;
        }
        if (step.update && rank >= m_job.workers) // a worker's shard: not counted
        {
            combined += {Limit::COMPUTE,
                         static_cast<double>(
                             m_job.AggregatorUpdatePs(m_chunk, step.receives.front().range))};
        }
        return combined;
    }

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    MessageClock m_messages;
    const NetworkSumTimes* m_sums;
    const JobChunk& m_chunk;
    const StepPlan& m_plan;
    std::vector<LimitedTime>& m_times;
    std::vector<StageLoads>& m_loads; ///< added to
    std::vector<RankAt> m_ranks;
    bool m_bitwise; ///< how those that are walked through stand for others
    std::deque<Rank> m_runnable;
    Rank m_atSum{0}; ///< workers that wait for the network's sum
};

} // namespace

ExchangeWalk::ExchangeWalk(const Scenario& scenario,
                           const TrainingJob& job,
                           const NetworkSpeed& network,
                           const NetworkSumTimes* sums)
    : m_scenario(scenario),
      m_job(job),
      m_network(network),
      m_sums(sums)
{
}

void
ExchangeWalk::Pass(const JobChunk& chunk,
                   const JobRound& round,
                   std::vector<LimitedTime>& times) const
{
    if (round.plan->Elements() == 0)
    {
        return;
    }
    const auto begin = times;
    std::vector<StageLoads> loads(times.size());
    for (const auto* strand : StrandsOf(*round.plan, m_scenario.host.duplex < 1.0))
    {
        auto ends = begin;
        Walk(m_scenario, m_job, m_network, m_sums, chunk, *strand, ends, loads).Go();
        for (std::size_t rank = 0; rank < times.size(); ++rank)
        {
            times[rank].Await(ends[rank]);
        }
    }
    // strands are in each other's way at least where their messages come in, from whoever began first
    auto first = begin.front();
    for (const auto& time : begin)
    {
        first = Shorter(first, time);
    }
    for (std::size_t rank = 0; rank < times.size(); ++rank)
    {
        for (const auto& load : loads[rank])
        {
            times[rank].Await(first + load);
        }
    }
}

} // namespace inca
