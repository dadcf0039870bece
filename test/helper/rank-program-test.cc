/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs that no training has, on workers that run them.
#include "helper/job-fixture.h"
#include "job/rank-program.h"
#include "rank/worker-application.h"
#include "support/why-not.h"

#include <gmock/gmock.h>

#include <functional>
#include <utility>

namespace inca
{

using testing::ElementsAre;

/** Two workers of a ring, who exchange 100 values where a program says so. */
class RankProgramTest : public JobFixture
{
  protected:
    /** Pieces that are made beforehand, an iteration each. */
    class Listed final : public RankProgram
    {
      public:
        explicit Listed(std::vector<std::shared_ptr<TaskGraph>> graphs)
            : m_graphs(std::move(graphs))
        {
        }

        std::uint64_t PieceCount() const override
        {
            return m_graphs.size();
        }

        ProgramPiece At(std::uint64_t number) const override
        {
            const auto iteration = static_cast<std::uint32_t>(number);
            return {m_graphs[number], iteration, 0, iteration};
        }

      private:
        std::vector<std::shared_ptr<TaskGraph>> m_graphs;
    };

    /** Takes @p us microseconds of a resource. */
    static TaskId Occupy(TaskGraph& graph,
                         Resource resource,
                         std::int64_t us,
                         const TaskWaits& waits)
    {
        return graph.Occupy(resource, Activity::COPY, us * US, 0, waits);
    }

    static std::shared_ptr<const RankProgram> Program(
        std::vector<std::shared_ptr<TaskGraph>> graphs)
    {
        return std::make_shared<Listed>(std::move(graphs));
    }

    /** Runs a job whose workers have @p programs: one for both, or one for each. */
    std::int64_t RunPrograms(std::vector<std::shared_ptr<const RankProgram>> programs)
    {
        auto job = MakeTensorJob(Exchange("ring", 2), 100);
        job->iterations = static_cast<std::uint32_t>(programs.front()->PieceCount());
        job->programs = std::move(programs);
        const auto cluster = StarHelper().Install(2);
        applications = InstallJob(cluster, job);
        for (const auto& application : applications)
        {
            application->TraceConnectWithoutContext(
                "TaskBegin", ns3::MakeCallback(&RankProgramTest::Began, this));
        }
        endsPs.assign(2, 0);
        applications[0]->TraceConnectWithoutContext(
            "ExchangeEnd", ns3::MakeCallback(&RankProgramTest::Ended, this));
        ns3::Simulator::Run();
        for (const auto& application : applications)
        {
            EXPECT_TRUE(application->IsFinished()) << application->State();
        }
        return endsPs[0];
    }

    /** Of worker 0, as they begin. (us) */
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;

  private:
    void Began(Rank worker, const ProgramPiece& /*piece*/, const Task& task, Span span)
    {
        if (worker == 0 && task.kind == Task::Kind::OCCUPY)
        {
            spans.emplace_back(span.beginPs / US, span.endPs / US);
        }
    }

    void Ended(Rank rank, std::uint32_t /*exchange*/)
    {
        endsPs[rank] = ns3::Simulator::Now().GetPicoSeconds();
    }
};

/* The GPU works 5 us, then 7 us; the copy engine 9 us beside it. What waits for the GPU's first work and the copy begins after 9 us. */
TEST_F(RankProgramTest, ResourcesWorkBesideEachOther)
{
    const auto graph = std::make_shared<TaskGraph>();
    const auto first = Occupy(*graph, Resource::GPU, 5, {});
    Occupy(*graph, Resource::GPU, 7, {});
    const auto copy = Occupy(*graph, Resource::COPY_ENGINE, 9, {});
    Occupy(*graph, Resource::PROCESSOR, 1, {first, copy});
    RunPrograms({Program({graph})});
    EXPECT_THAT(spans,
                ElementsAre(std::pair(0, 5), std::pair(5, 12), std::pair(0, 9), std::pair(9, 10)));
}

/*
 * What waits for the begin of the GPU's second work, after 5 us, and not for its end, begins then. An exchange that waits for the
 * first one's end begins after 5 us and takes two hops of 50 values and an acknowledgement.
 */
TEST_F(RankProgramTest, WaitsForABeginAndForAnEnd)
{
    const auto graph = std::make_shared<TaskGraph>();
    const auto first = Occupy(*graph, Resource::GPU, 5, {});
    const auto second = Occupy(*graph, Resource::GPU, 90, {first});
    Occupy(*graph, Resource::PROCESSOR, 1, {{second, TaskEvent::BEGIN}});
    graph->Exchange(0, {first});
    EXPECT_EQ(RunPrograms({Program({graph})}), 5 * US + 2 * HopPs(50) + ACK_PS);
    EXPECT_THAT(spans, ElementsAre(std::pair(0, 5), std::pair(5, 6), std::pair(5, 95)));
}

/*
 * By itself the second piece begins when the first has ended, after 7 us; where that opens it after its first task, after 5 us.
 * There its task waits for the GPU's second one, of the piece before, which ends after 7 us.
 */
TEST_F(RankProgramTest, PiecesFollowOrOverlap)
{
    const auto begins = [this](bool overlaps, bool waits) {
        const auto before = std::make_shared<TaskGraph>();
        const auto opens = Occupy(*before, Resource::GPU, 5, {});
        const auto last = Occupy(*before, Resource::GPU, 2, {opens});
        if (overlaps)
        {
            before->OpenNextAfter(opens);
        }
        const auto after = std::make_shared<TaskGraph>();
        const auto late = Occupy(*after, Resource::PROCESSOR, 1, {});
        if (waits)
        {
            after->Await(late, {last, TaskEvent::END, 1});
        }
        spans.clear();
        RunPrograms({Program({before, after})});
        TearDown();
        return spans.back().first;
    };
    EXPECT_EQ(begins(false, false), 7);
    EXPECT_EQ(begins(false, true), 7);
    EXPECT_EQ(begins(true, false), 5);
    EXPECT_EQ(begins(true, true), 7);
}

/*
 * Worker 1 has its values 5 us later than worker 0, whose block is there then. So it sends its second step's block behind the first
 * one's, with a grant before it.
 */
TEST_F(RankProgramTest, EachWorkerMayHaveAProgramOfItsOwn)
{
    const auto own = [](std::int64_t us) {
        const auto graph = std::make_shared<TaskGraph>();
        graph->Exchange(0, {Occupy(*graph, Resource::GPU, us, {})});
        return Program({graph});
    };
    EXPECT_EQ(RunPrograms({own(1), own(6)}), 6 * US + FramePs(50) + ACK_PS + HopPs(50));
}

/* Faults of a builder that only running it shows. */
TEST_F(RankProgramTest, SaysWhatIsWrongWithAProgram)
{
    const auto whyNot = [this](const std::function<void(TaskGraph&)>& fill) {
        const auto graph = std::make_shared<TaskGraph>();
        const auto why = WhyNot<InvariantError>([&] {
            fill(*graph);
            RunPrograms({Program({graph})});
        });
        TearDown();
        return why;
    };
    const std::string noTask = "piece 0 of the program has no task, opens the next one after a "
                               "task that is not there, or is of an "
                               "iteration behind the last";
    EXPECT_EQ(whyNot([](TaskGraph&) {}), noTask);
    EXPECT_EQ(whyNot([](TaskGraph& graph) { graph.OpenNextAfter(graph.Point({}) + 1); }), noTask);
    EXPECT_EQ(whyNot([](TaskGraph& graph) { graph.Point({TaskWait{7}}); }),
              "a task of piece 0 of the program waits for task 7 of a piece that has 1");
    EXPECT_EQ(whyNot([](TaskGraph& graph) { graph.Exchange(0, {graph.Exchange(0, {})}); }),
              "a piece of a program exchanges chunk 0 twice");
}

/* 1000 iterations of a task that takes no time, which opens the next one. */
TEST_F(RankProgramTest, TasksMayTakeNoTime)
{
    std::vector<std::shared_ptr<TaskGraph>> graphs;
    for (std::uint32_t i = 0; i < 1'000; ++i)
    {
        graphs.push_back(std::make_shared<TaskGraph>());
        Occupy(*graphs.back(), Resource::GPU, 0, {graphs.back()->Point({})});
    }
    RunPrograms({Program(std::move(graphs))});
    EXPECT_EQ(spans.size(), 1'000U);
    EXPECT_EQ(spans.back(), std::pair(std::int64_t{0}, std::int64_t{0}));
}

} // namespace inca
