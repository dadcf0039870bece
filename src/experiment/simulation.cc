/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/simulation.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "experiment/attributes.h"
#include "experiment/cluster-builder.h"
#include "experiment/job-run.h"
#include "experiment/network-seen.h"
#include "experiment/steady-state.h"
#include "experiment/timeline-recorder.h"
#include "experiment/watchdog.h"
#include "helper/event-heap.h"
#include "helper/time-resolution.h"
#include "plan/plan-maker.h"

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

/** One simulation of a plan: its network, and a run of each of its jobs on it. The steps are those of Execute. */
class Simulation
{
  public:
    /** @param timeline of the first job; null: none is asked for */
    Simulation(const Plan& plan, const ProgressSink& onProgress, const TimelineRequest* timeline)
        : m_onProgress(onProgress),
          m_request(timeline)
    {
        m_outcome.plan = plan;
    }

    ~Simulation()
    {
        if (auto* const events = EventHeap::Current())
        {
            events->onManyEvents = nullptr;
        }
    }

    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /** @return empty if ranks that stood for others may have done what these would not have: a frame was lost, or sent again */
    std::optional<Outcome> Execute()
    {
        Build();
        Go();
        CollectLinks();
        for (const auto& transport : m_cluster.transports)
        {
            m_outcome.retransmittedFrames += transport->RetransmittedFrames();
        }
        for (const auto& job : m_jobs)
        {
            job->Collect(m_hosts, m_timeline.has_value());
            m_outcome.retransmittedFrames += job->Outcome().retransmittedFrames;
        }
        const bool isDisturbed =
            DroppedFrames(m_outcome.links) > 0 || m_outcome.retransmittedFrames > 0;
        if (isDisturbed && m_outcome.plan.Job().fold.IsFolded())
        {
            return std::nullopt;
        }
        for (const auto& job : m_jobs)
        {
            job->Verify();
        }
        FinishTimeline();
        for (const auto& job : m_jobs)
        {
            m_outcome.jobs.push_back(job->TakeOutcome());
        }
        return std::move(m_outcome);
    }

    /** Whether what its events call has failed, which stopped it. */
    bool HasFailed() const
    {
        return m_failure != nullptr;
    }

  private:
    void Build()
    {
        const auto& plan = m_outcome.plan;
        m_cluster = BuildCluster(plan);
        m_hosts = HostNames(plan);
        for (const auto& planned : plan.jobs)
        {
            m_jobs.push_back(std::make_unique<JobRun>(
                planned,
                m_cluster,
                [this](const std::function<void()>& action) { Guard(action); },
                [this] { ReportProgress(); }));
            m_jobs.back()->Seen().atIterationEnd = [this,
                                                    job = m_jobs.back().get()](auto iteration) {
                EndIteration(*job, iteration);
            };
        }
        const auto& first = *m_jobs.front();
        if (first.Planned().mayRepeat)
        {
            m_steady.emplace(m_cluster, first.Ranks(), [&first] { return first.Seen().messages; });
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
                           m_jobs.front()->Ranks(),
                           [this](const std::function<void()>& action) { Guard(action); });
        if (m_steady)
        {
            m_steady->onSkip =
                [this](std::int64_t fromPs, std::int64_t untilPs, std::uint64_t times) {
                    m_timeline->Skip(fromPs, untilPs, times);
                };
        }
    }

    /** What links carry by the end of the last job's last iteration is what they are busy for. */
    void EndIteration(const JobRun& job, std::uint32_t iteration)
    {
        if (iteration + 1 == job.Planned().job->iterations)
        {
            m_outcome.links = LinksOf(m_cluster, m_hosts);
        }
        if (m_timeline && &job == m_jobs.front().get())
        {
            m_timeline->EndIteration(iteration);
        }
    }

    void Go()
    {
        const Watchdog watchdog(m_cluster, m_jobs, m_outcome.plan.Settings());
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
        double compared = 0;
        for (const auto& job : m_jobs)
        {
            compared += job->ComparedShare() / static_cast<double>(m_jobs.size());
        }
        const auto share = (1 - ofValues) * std::min(1.0, came / std::max(1.0, cost.payloadBytes)) +
                           ofValues * compared;
        m_onProgress(std::min(most, share));
    }

    /** Beside the whole of what links carried, what they had carried at the run's end. */
    void CollectLinks()
    {
        const auto atEnd = std::exchange(m_outcome.links, LinksOf(m_cluster, m_hosts));
        CheckConservation(m_outcome.links);
        for (std::size_t i = 0; i < atEnd.size(); ++i)
        {
            m_outcome.links[i].wireBytesByEnd = atEnd[i].port.out.wireBytes;
            m_outcome.tiedFrames += m_outcome.links[i].port.tiedFrames;
            m_outcome.simulatedFrames +=
                m_outcome.plan.Settings().IsFlowLevel() ? 0 : m_outcome.links[i].port.frames;
        }
        m_outcome.simulatedFrames -= m_steady ? m_steady->SkippedFrames() : 0;
        m_outcome.links = WholeLinks(m_outcome.plan, m_outcome.links);
        for (const auto& link : m_outcome.links)
        {
            m_outcome.hostWireBytes +=
                link.ends.kind == LinkKind::FROM_HOST ? link.port.out.wireBytes : 0;
        }
    }

    void FinishTimeline()
    {
        if (m_timeline)
        {
            m_timeline->ShowBreakdowns(m_jobs.front()->GetBreakdowns());
            const auto& outcome = m_jobs.front()->Outcome();
            m_timeline->ShowPath(outcome.measuredWorker, outcome.path.spans);
            m_timeline->Finish();
        }
    }

    const ProgressSink& m_onProgress;
    const TimelineRequest* m_request;
    Outcome m_outcome;
    Cluster m_cluster;
    std::vector<std::string> m_hosts; ///< their names
    std::vector<std::unique_ptr<JobRun>> m_jobs;
    std::optional<SteadyState> m_steady;
    std::optional<TimelineRecorder> m_timeline;
    std::exception_ptr m_failure; ///< thrown in an event
};

/** Has paths remembered while it is there. */
class Paths
{
  public:
    explicit Paths(bool areKept)
    {
        PathLog::Turn(areKept);
    }

    ~Paths()
    {
        PathLog::Turn(false);
    }

    Paths(const Paths&) = delete;
    Paths& operator=(const Paths&) = delete;
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
    const Paths paths(plan.Settings().simulation.explains); // which nobody needs when nodes go
    const auto& resolved = plan.Settings();
    UseEventHeap({resolved.network.HasLinkWithoutLatency()});
    SetAttributeDefaults(resolved);
    Simulation simulation(plan, onProgress, timeline);
    try
    {
        return simulation.Execute();
    }
    catch (const RunError&)
    {
        if (!plan.Job().fold.IsFolded() || simulation.HasFailed())
        {
            throw;
        }
        return std::nullopt;
    }
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
