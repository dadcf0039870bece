/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/training-catalog.h"

#include "job/data-parallel.h"
#include "job/training-job.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace inca
{

namespace
{

/** One iteration. */
class OnePiece final : public RankProgram
{
  public:
    OnePiece(std::shared_ptr<const TaskGraph> graph, std::uint32_t batch)
        : m_graph(std::move(graph)),
          m_batch(batch)
    {
    }

    std::uint64_t PieceCount() const override
    {
        return m_graph ? 1 : 0;
    }

    ProgramPiece At(std::uint64_t /*number*/) const override
    {
        return {m_graph, 0, 0, m_batch};
    }

  private:
    std::shared_ptr<const TaskGraph> m_graph;
    std::uint32_t m_batch;
};

/** What is said of a program for a job of two workers with one layer and one chunk. */
std::string
WhyNotTrain(const std::function<void(TaskGraph&)>& fill,
            std::size_t programs = 1,
            std::uint32_t batch = 0,
            std::uint32_t iterations = 1)
{
    const auto graph = fill ? std::make_shared<TaskGraph>() : nullptr;
    if (graph)
    {
        fill(*graph);
    }
    const auto program = std::make_shared<OnePiece>(graph, batch);
    const TrainingEntry training{"mine", "", {}, [&](TrainingJob& job, const SettingValues&) {
                                     job.programs.assign(programs, program);
                                 }};
    ExchangeSpec ring;
    ring.algorithm = "ring";
    ring.workers = 2;
    const auto job = MakeTensorJob(ring, 100);
    job->iterations = iterations;
    return WhyNot<InputError>([&] { MakeProgram(training, *job, {}); });
}

void
FillRight(TaskGraph& graph)
{
    graph.Point({graph.Update(0, {graph.Exchange(0, {})})}, TaskMark::ITERATION_END);
}

} // namespace

TEST(TrainingCatalog, LooksAtPrograms)
{
    const std::string mine = "training.program: 'mine' makes a program that ";
    EXPECT_EQ(WhyNotTrain(FillRight), "");
    EXPECT_EQ(WhyNotTrain(FillRight, 2), "");
    EXPECT_EQ(WhyNotTrain(FillRight, 3),
              "training.program: 'mine' must make one program, or one for each worker");
    EXPECT_EQ(WhyNotTrain(nullptr), mine + "has no pieces");
    EXPECT_EQ(WhyNotTrain([](TaskGraph& graph) { graph.Forward(1, {}); }),
              mine + "has a task, the forward pass of layer 1, of what is not there");
    EXPECT_EQ(WhyNotTrain([](TaskGraph& graph) { graph.Exchange(1, {}); }),
              mine + "has a task, the exchange of chunk 1, of what is not there");
    EXPECT_EQ(WhyNotTrain([](TaskGraph& graph) { graph.Point({}, TaskMark::ITERATION_END); }),
              mine + "must say once of each layer that it is updated (LAYER_UPDATED)");
    EXPECT_EQ(WhyNotTrain(FillRight, 1, 1),
              mine + "has a piece, number 0, with batch 1, which must be 0: as many exchange the "
                     "chunk before it");
    EXPECT_EQ(WhyNotTrain(FillRight, 1, 0, 2),
              mine + "exchanges chunk 0 1 times, but the job says 2 "
                     "(TrainingJob::exchangedIterations: iterations to each exchange)");
    EXPECT_EQ(WhyNotTrain([](TaskGraph& graph) { graph.Update(0, {}); }),
              mine + "must say once that an iteration ends (ITERATION_END)");
}

/* Of two micro-batches each, the last one exchanges; it is the piece after which the next iteration may begin. */
TEST(TrainingCatalog, DataParallelIsAPieceForEachMicroBatch)
{
    ExchangeSpec ring;
    ring.algorithm = "ring";
    ring.workers = 2;
    const auto job = MakeTensorJob(ring, 100);
    job->iterations = 3;
    job->accumulation = 2;
    MakeProgram(TrainingCatalog().Find("data-parallel"), *job, {});
    const auto& program = job->ProgramOf(1);
    ASSERT_EQ(program.PieceCount(), 6U);
    for (std::uint32_t number = 0; number < 6; ++number)
    {
        const auto piece = program.At(number);
        EXPECT_EQ(piece.iteration, number / 2);
        EXPECT_EQ(piece.microBatch, number % 2);
        EXPECT_EQ(piece.batch, number / 2);
        EXPECT_EQ(piece.graph->ExchangeOf(0).has_value(), number % 2 == 1);
        EXPECT_EQ(piece.graph, program.At(number % 2).graph) << "is not shared";
    }
}

} // namespace inca
