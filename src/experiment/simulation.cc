/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/simulation.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/wire-format.h"
#include "experiment/attributes.h"
#include "experiment/cluster-builder.h"
#include "experiment/network-seen.h"
#include "experiment/steady-state.h"
#include "experiment/timeline-recorder.h"
#include "experiment/watchdog.h"
#include "helper/event-heap.h"
#include "helper/job-helper.h"
#include "helper/time-resolution.h"
#include "job/hop-errors.h"
#include "plan/plan-maker.h"
#include "plan/plan-warnings.h"

#include "ns3/config.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

namespace inca
{

namespace
{

/** Leaves no trace of a run in ns-3's globals, however it ends. */
class CleanNs3
{
  public:
    CleanNs3() = default;

    ~CleanNs3()
    {
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    CleanNs3(const CleanNs3&) = delete;
    CleanNs3& operator=(const CleanNs3&) = delete;
};

/** Whether ranks that stand for others did what all would have done: no frame was lost that only one of them noticed. */
bool
HoldsForAll(const Outcome& outcome)
{
    const bool isUndisturbed =
        DroppedFrames(outcome.links) == 0 && outcome.retransmittedFrames == 0;
    return !outcome.plan.fold.IsFolded() || isUndisturbed;
}

/** One run of one plan: build, run, check, collect, verify. The steps are those of Execute. */
class Run
{
  public:
    /** @param timeline null: none is asked for */
    Run(const Plan& plan, const ProgressSink& onProgress, const TimelineRequest* timeline)
        : m_onProgress(onProgress),
          m_request(timeline),
          m_simulated(plan.Job().simulated)
    {
        m_outcome.plan = plan;
    }

    ~Run()
    {
        if (auto* const events = EventHeap::Current())
        {
            events->onManyEvents = nullptr;
        }
        for (const auto& rank : m_ranks)
        {
            rank->SetValueSink(nullptr);
        }
    }

    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    Outcome Execute()
    {
        Build();
        Go();
        CheckConservation(LinksOf(m_cluster, Job()));
        CheckSwitches(m_cluster, Job());
        Collect();
        if (HoldsForAll(m_outcome))
        {
            Verify();
        }
        return std::move(m_outcome);
    }

    /** Whether what its events call has failed, which stopped it. */
    bool HasFailed() const
    {
        return m_failure != nullptr;
    }

    /** After Execute, if its outcome counts. */
    void FinishTimeline()
    {
        if (m_timeline)
        {
            m_timeline->Finish();
        }
    }

  private:
    const Resolved& Settings() const
    {
        return m_outcome.plan.Settings();
    }

    const TrainingJob& Job() const
    {
        return *m_outcome.plan.Job().job;
    }

    void Build()
    {
        m_cluster = BuildCluster(m_outcome.plan);
        m_outcome.seen = std::make_unique<Recorder>(
            m_simulated, m_outcome.plan.fold.Times(), Settings().simulation.warmup);
        m_outcome.seen->atIterationEnd = [this](std::uint32_t iteration) {
            if (iteration + 1 == Job().iterations)
            {
                m_outcome.links = LinksOf(m_cluster, Job());
            }
            if (m_timeline)
            {
                m_timeline->EndIteration(iteration);
            }
        };
        if (Job().HasValues())
        {
            m_verifier = std::make_unique<Verifier>(m_outcome.plan.Job().job);
            m_verifier->atWindow = [this] { ReportProgress(); };
        }
        if (NeedsSizes())
        {
            ReplaySizes();
        }
        BuildRanks();
        if (m_outcome.plan.Job().mayRepeat)
        {
            m_steady.emplace(m_cluster, m_ranks, [this] { return m_outcome.seen->messages; });
        }
        if (m_request != nullptr)
        {
            BuildTimeline();
        }
    }

    void BuildTimeline()
    {
        m_timeline.emplace(*m_request,
                           m_outcome.plan,
                           m_cluster,
                           m_ranks,
                           [this](const std::function<void()>& action) { Guard(action); });
        if (m_steady)
        {
            m_steady->onSkip =
                [this](std::int64_t fromPs, std::int64_t untilPs, std::uint64_t times) {
                    m_timeline->Skip(fromPs, untilPs, times);
                };
        }
    }

    /** Whether values that frames do not carry decide how large these are. */
    bool NeedsSizes()
    {
        return m_outcome.plan.Job().ReplaysValues() && Job().coding.IsInEngines();
    }

    /** Replays values, and remembers what engines make of them. */
    void ReplaySizes()
    {
        const auto frameValues = Settings().framePayloadBytes / VALUE_BYTES;
        auto job = std::make_shared<TrainingJob>(*m_simulated);
        std::vector<std::shared_ptr<CodedSizes>> ofChunks;
        for (std::size_t chunk = 0; chunk < job->chunks.size(); ++chunk)
        {
            ofChunks.push_back(std::make_shared<CodedSizes>(Settings().codec, frameValues));
        }
        m_verifier->ReplayAll([&](std::uint32_t chunk) { return ofChunks[chunk].get(); });
        job->coding.sizes.assign(ofChunks.begin(), ofChunks.end());
        m_simulated = std::move(job);
    }

    void BuildRanks()
    {
        const auto& fold = m_outcome.plan.fold;
        m_ranks =
            fold.IsFolded()
                ? InstallFoldedJob(m_cluster, m_simulated, fold.simulated, fold.symmetry.bitwise)
                : InstallJob(m_cluster, m_simulated);
        for (const auto& rank : m_ranks)
        {
            m_outcome.seen->Listen(rank);
            if (m_verifier)
            {
                rank->SetValueSink(
                    [this](Rank from, std::uint32_t exchange, ExchangeOutcome outcome) {
                        Guard([&] { m_verifier->Take(from, exchange, std::move(outcome)); });
                    });
            }
        }
    }

    void Go()
    {
        const Watchdog watchdog(m_cluster, Job(), m_ranks, *m_outcome.seen, Settings());
        EventHeap::Current()->onManyEvents = [this] {
            Guard([this] {
                ThrowIfInterrupted();
                ReportProgress();
            });
        };
        ns3::Simulator::Run();
        if (m_failure)
        {
            std::rethrow_exception(m_failure);
        }
        watchdog.CheckFinished();
    }

    /** Keeps an exception until the simulator has returned: through its event loop it would leak. */
    void Guard(const std::function<void()>& action)
    {
        try
        {
            action();
        }
        catch (...)
        {
            m_failure = m_failure ? m_failure : std::current_exception();
            ns3::Simulator::Stop();
        }
    }

    /** Of what simulated ranks get, the share that has come; and of values, the share that was compared. */
    void ReportProgress()
    {
        constexpr double most = 0.99; // what comes behind it takes time, too
        const auto& cost = m_outcome.plan.cost;
        const auto ofValues = cost.valueSeconds / cost.cpuSeconds;
        const auto came = static_cast<double>(DeliveredBytes(m_cluster));
        const auto share = (1 - ofValues) * std::min(1.0, came / std::max(1.0, cost.payloadBytes)) +
                           ofValues * (m_verifier ? m_verifier->DoneShare() : 0);
        m_onProgress(std::min(most, share));
    }

    void Verify()
    {
        if (!m_verifier)
        {
            return;
        }
        if (m_outcome.plan.Job().ReplaysValues() && !NeedsSizes())
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
        const auto& codec = Job().coding.codec;
        const bool mayChange = SumOrderOf(Settings()).matters;
        m_outcome.orderChanges = ReplayInOtherOrders(Job(), mayChange);
        if (codec && !codec->IsLossless() && !m_outcome.plan.Job().hooks.network.add)
        {
            m_outcome.hops = MeasureHops(Job());
        }
        m_outcome.comparedValues = m_verifier->Compared();
        m_outcome.clampedValues += m_verifier->Misfits();
    }

    /** Beside the whole of what links carried, what they had carried at the run's end. */
    void CollectLinks()
    {
        const auto atEnd = std::exchange(m_outcome.links, LinksOf(m_cluster, Job()));
        for (std::size_t i = 0; i < atEnd.size(); ++i)
        {
            m_outcome.links[i].wireBytesByEnd = atEnd[i].port.out.wireBytes;
            m_outcome.simulatedFrames += m_outcome.links[i].port.frames;
        }
        m_outcome.simulatedFrames -= m_steady ? m_steady->SkippedFrames() : 0;
        m_outcome.links = WholeLinks(m_outcome.plan, m_outcome.links);
        for (const auto& link : m_outcome.links)
        {
            m_outcome.hostWireBytes += link.ends.kind == LinkKind::FROM_HOST ? link.port.out.wireBytes : 0;
        }
    }

    void Collect()
    {
        CollectLinks();
        m_outcome.switches = WholeSwitches(m_outcome.plan, SwitchesOf(m_cluster, Job().id));
        const auto [repeatedFrames, clampedValues] = ClientsOf(m_cluster, Job().id);
        m_outcome.retransmittedFrames = repeatedFrames;
        m_outcome.clampedValues = clampedValues;
        for (const auto& transport : m_cluster.transports)
        {
            m_outcome.retransmittedFrames += transport->RetransmittedFrames();
        }
        const auto& last = m_outcome.seen->lastUpdatePs;
        m_outcome.measuredWorker = MeasuredWorker();
        std::vector<const Timeline*> timelines;
        for (const auto& rank : m_ranks)
        {
            timelines.push_back(&rank->GetTimeline());
        }
        const Breakdowns breakdowns(std::move(timelines));
        m_outcome.breakdown =
            breakdowns.Of(m_outcome.measuredWorker, WindowOf(m_outcome.measuredWorker));
        if (m_timeline)
        {
            m_timeline->ShowBreakdowns(breakdowns);
        }
        for (Rank worker = 0; worker < last.size(); ++worker)
        {
            const Span tail{m_outcome.seen->backwardEndPs[worker], last[worker]};
            m_outcome.communication.push_back(breakdowns.SpansOf(worker, tail).communication);
        }
    }

    /** Whose measured iterations take longest; the lowest on a tie. */
    Rank MeasuredWorker() const
    {
        const auto& seen = *m_outcome.seen;
        Rank longest = 0;
        for (Rank worker = 1; worker < seen.measured.size(); ++worker)
        {
            longest = LengthOf(worker) > LengthOf(longest) ? worker : longest;
        }
        return longest;
    }

    std::int64_t LengthOf(Rank worker) const
    {
        const auto window = WindowOf(worker);
        return window.endPs - window.beginPs;
    }

    /**
     * Without a warm-up from the begin to the last update. After one, from when the worker is free to begin the first
     * measured iteration until it is free to begin the one after the last: what an iteration adds to a long run, whichever
     * worker is ahead.
     */
    Span WindowOf(Rank worker) const
    {
        const auto& seen = *m_outcome.seen;
        return Settings().simulation.warmup == 0 ? Span{0, seen.lastUpdatePs[worker]}
                                                 : seen.measured[worker];
    }

    const ProgressSink& m_onProgress;
    const TimelineRequest* m_request;
    std::shared_ptr<const TrainingJob>
        m_simulated; ///< the plan's, and how large its frames are coded
    Outcome m_outcome;
    std::unique_ptr<Verifier> m_verifier;
    Cluster m_cluster;
    std::vector<ns3::Ptr<RankApplication>> m_ranks;
    std::optional<SteadyState> m_steady;
    std::optional<TimelineRecorder> m_timeline;
    std::exception_ptr m_failure; ///< thrown in an event
};

/**
 * Builds, runs and tears down.
 * @return empty if some ranks stood for all and frames were dropped or sent again, or the run stood still: what each
 *         rank does then, only all of them can tell
 */
std::optional<Outcome>
SimulateOnce(const Plan& plan, const ProgressSink& onProgress, const TimelineRequest* timeline)
{
    const CleanNs3 clean;
    const auto& resolved = plan.Settings();
    UseEventHeap({resolved.network.linkLatencyPs == 0});
    SetAttributeDefaults(resolved);
    Run run(plan, onProgress, timeline);
    try
    {
        auto outcome = run.Execute();
        if (HoldsForAll(outcome))
        {
            run.FinishTimeline();
            return outcome;
        }
    }
    catch (const RunError&)
    {
        if (!plan.fold.IsFolded() || run.HasFailed())
        {
            throw;
        }
    }
    return std::nullopt;
}

} // namespace

Outcome
Simulate(const Plan& plan, const ProgressSink& onProgress, const TimelineRequest* timeline)
{
    SetPicosecondResolution();
    auto outcome = SimulateOnce(plan, onProgress, timeline);
    if (!outcome)
    {
        const auto ofAll = WithoutFold(plan, "frames were dropped or sent again");
        outcome = SimulateOnce(ofAll, onProgress, timeline);
    }
    return std::move(*outcome);
}

} // namespace inca
