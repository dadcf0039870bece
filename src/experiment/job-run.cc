/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/job-run.h"

#include "base/errors.h"
#include "base/wire-format.h"
#include "experiment/network-seen.h"
#include "helper/training-helper.h"
#include "job/hop-errors.h"
#include "plan/plan-warnings.h"

#include <algorithm>
#include <string>
#include <utility>

namespace inca
{

JobRun::JobRun(const PlannedJob& planned,
               const Cluster& cluster,
               const Guard& guard,
               std::function<void()> atWindow)
    : m_planned(planned),
      m_cluster(cluster),
      m_simulated(planned.simulated)
{
    const auto& fold = planned.fold;
    const auto warmup = planned.resolved->simulation.warmup;
    m_outcome.seen = std::make_unique<Recorder>(m_simulated, fold.Times(), warmup);
    if (Job().HasValues())
    {
        m_verifier = std::make_unique<Verifier>(planned.job);
        m_verifier->atWindow = std::move(atWindow);
    }
    if (NeedsSizes())
    {
        ReplaySizes();
    }
    const TrainingHelper training(m_simulated);
    m_ranks =
        RanksOf(fold.IsFolded() ? training.InstallFolded(cluster, fold.simulated, fold.symmetry)
                                : training.Install(cluster.Devices(planned.resolved->hosts)));
    for (const auto& rank : m_ranks)
    {
        Seen().Listen(rank);
        if (m_verifier)
        {
            rank->SetValueSink(
                [this, guard](Rank from, std::uint32_t exchange, ExchangeOutcome outcome) {
                    guard([&] { m_verifier->Take(from, exchange, std::move(outcome)); });
                });
        }
    }
}

JobRun::~JobRun()
{
    for (const auto& rank : m_ranks)
    {
        rank->SetValueSink(nullptr);
    }
}

bool
JobRun::IsFinished() const
{
    return std::all_of(
        m_ranks.begin(), m_ranks.end(), [](const auto& rank) { return rank->IsFinished(); });
}

double
JobRun::ComparedShare() const
{
    return m_verifier ? m_verifier->DoneShare() : 0;
}

/** Whether values that frames do not carry decide how large these are. */
bool
JobRun::NeedsSizes() const
{
    return m_planned.ReplaysValues() && Job().coding.IsAt(CodingPlace::ENGINE);
}

/** Replays values, and remembers what engines make of them. */
void
JobRun::ReplaySizes()
{
    const auto frameValues = m_planned.resolved->framePayloadBytes / VALUE_BYTES;
    auto job = std::make_shared<TrainingJob>(*m_simulated);
    std::array<CodedSizes::Frames, 2> frames;
    for (const bool crossesGroups : {false, true})
    {
        const auto& coding = job->coding.groups[crossesGroups];
        const bool isInEngines = coding.place == CodingPlace::ENGINE;
        frames[crossesGroups] = {isInEngines ? coding.codec : nullptr, frameValues};
    }
    std::vector<std::shared_ptr<CodedSizes>> ofChunks;
    for (std::size_t chunk = 0; chunk < job->chunks.size(); ++chunk)
    {
        ofChunks.push_back(std::make_shared<CodedSizes>(frames));
    }
    m_verifier->ReplayAll([&](std::uint32_t chunk) { return ofChunks[chunk].get(); });
    job->coding.sizes.assign(ofChunks.begin(), ofChunks.end());
    m_simulated = std::move(job);
}

void
JobRun::Collect(const std::vector<std::string>& hosts, bool withSpans)
{
    CheckSwitches(m_cluster, Job());
    m_outcome.switches = WholeSwitches(m_planned, SwitchesOf(m_cluster, Job().id));
    const auto [repeatedFrames, clampedValues] = ClientsOf(m_cluster, Job().id);
    m_outcome.retransmittedFrames = repeatedFrames;
    m_outcome.clampedValues = clampedValues;
    m_outcome.measuredWorker = MeasuredWorker();
    const auto breakdowns = GetBreakdowns();
    m_outcome.breakdown =
        breakdowns.Of(m_outcome.measuredWorker, WindowOf(m_outcome.measuredWorker));
    if (PathLog::IsOn())
    {
        FindPath(hosts, withSpans);
    }
    const auto& last = Seen().lastUpdatePs;
    for (Rank worker = 0; worker < last.size(); ++worker)
    {
        const Span tail{Seen().backwardEndPs[worker], last[worker]};
        m_outcome.communication.push_back(breakdowns.SpansOf(worker, tail).communication);
    }
}

/** Of what the measured worker ends with. */
void
JobRun::FindPath(const std::vector<std::string>& hosts, bool withSpans)
{
    const auto worker = m_outcome.measuredWorker;
    const auto lastUpdates = std::move(Seen().lastUpdatePaths); // which forgets them
    const auto measured = std::move(Seen().measuredPaths);
    const auto& ends = m_planned.resolved->simulation.warmup == 0 ? lastUpdates : measured;
    m_outcome.path = FindCriticalPath(ends[worker], WindowOf(worker), withSpans, m_cluster, hosts);
}

void
JobRun::Verify()
{
    if (!m_verifier)
    {
        return;
    }
    if (m_planned.ReplaysValues() && !NeedsSizes())
    {
        m_verifier->ReplayAll(nullptr); // once: all iterations have the same values
    }
    if (m_verifier->Compared() != m_verifier->Due())
    {
        throw InvariantError("only " + std::to_string(m_verifier->Compared()) + " of " +
                             std::to_string(m_verifier->Due()) + " values were compared");
    }
    m_outcome.errors = m_verifier->Errors();
    m_outcome.bucketErrors = m_verifier->ErrorsByBucket();
    const bool mayChange = SumOrderOf(*m_planned.resolved).matters;
    m_outcome.orderChanges = ReplayInOtherOrders(Job(), mayChange);
    if (Job().coding.IsLossy() && !m_planned.hooks.NetworkAdds())
    {
        m_outcome.hops = MeasureHops(Job());
    }
    m_outcome.comparedValues = m_verifier->Compared();
    m_outcome.clampedValues += m_verifier->Misfits();
}

Breakdowns
JobRun::GetBreakdowns() const
{
    std::vector<const Timeline*> timelines;
    for (const auto& rank : m_ranks)
    {
        timelines.push_back(&rank->GetTimeline());
    }
    return Breakdowns(std::move(timelines));
}

/** Whose measured iterations take longest; the lowest on a tie. */
Rank
JobRun::MeasuredWorker() const
{
    Rank longest = 0;
    for (Rank worker = 1; worker < Seen().measured.size(); ++worker)
    {
        longest = LengthOf(worker) > LengthOf(longest) ? worker : longest;
    }
    return longest;
}

std::int64_t
JobRun::LengthOf(Rank worker) const
{
    const auto window = WindowOf(worker);
    return window.endPs - window.beginPs;
}

/**
 * Without a warm-up from the begin to the last update. After one, from when the worker is free to begin the first
 * measured iteration until it is free to begin the one after the last: what an iteration adds to a long run, whichever
 * worker is ahead.
 */
Span
JobRun::WindowOf(Rank worker) const
{
    return m_planned.resolved->simulation.warmup == 0 ? Span{0, Seen().lastUpdatePs[worker]}
                                                      : Seen().measured[worker];
}

} // namespace inca
