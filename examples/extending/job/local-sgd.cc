/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/local-sgd.h"

#include "inca/base/errors.h"
#include "inca/base/value-form.h"
#include "inca/job/rank-program.h"
#include "inca/job/training-job.h"

#include <cstdint>
#include <memory>
#include <string>

namespace inca
{

namespace
{

SettingOf<std::uint64_t>
Period()
{
    return {{"training.period", "period", "iterations from one mean of all weights to the next"},
            WholeForm({1, 10'000}),
            8};
}

/** An iteration: forward and backward passes, updates of all layers, and perhaps the exchange of all weights. */
std::shared_ptr<const TaskGraph>
MakeIteration(const TrainingJob& job, bool exchanges)
{
    const auto graph = std::make_shared<TaskGraph>();
    const auto layers = static_cast<std::uint32_t>(job.layers.size());
    TaskWaits latest;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        latest = {graph->Forward(layer, latest)};
    }
    for (auto layer = layers; layer-- > 0;)
    {
        latest = {graph->Backward(layer, latest)};
    }
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        latest = {graph->Update(layer, latest, Resource::GPU, TaskMark::NONE)};
    }
    if (exchanges)
    {
        TaskWaits means;
        for (std::uint32_t chunk = 0; chunk < job.chunks.size(); ++chunk)
        {
            means.emplace_back(graph->Exchange(chunk, {graph->Copy(chunk, latest)}));
        }
        latest = means;
    }
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        graph->Point(latest, TaskMark::LAYER_UPDATED, layer);
    }
    graph->Point(latest, TaskMark::ITERATION_END);
    return graph;
}

class LocalSgd final : public RankProgram
{
  public:
    LocalSgd(const TrainingJob& job, std::uint32_t period)
        : m_iterations(job.iterations),
          m_period(period),
          m_alone(MakeIteration(job, false)),
          m_together(MakeIteration(job, true))
    {
    }

    std::uint64_t PieceCount() const override
    {
        return m_iterations;
    }

    ProgramPiece At(std::uint64_t number) const override
    {
        const auto iteration = static_cast<std::uint32_t>(number);
        const bool exchanges = (iteration + 1) % m_period == 0;
        return {exchanges ? m_together : m_alone, iteration, 0, iteration / m_period};
    }

  private:
    std::uint32_t m_iterations;
    std::uint32_t m_period;
    std::shared_ptr<const TaskGraph> m_alone;
    std::shared_ptr<const TaskGraph> m_together;
};

void
Build(TrainingJob& job, const SettingValues& values)
{
    const auto period = static_cast<std::uint32_t>(Period().In(values));
    if (job.iterations % period != 0)
    {
        throw InputError("training.iterations: must be a multiple of training.period, " +
                         std::to_string(period) + ", got " + std::to_string(job.iterations));
    }
    if (job.accumulation > 1 || job.weightsReturn)
    {
        throw InputError("training.program: local-sgd goes with training.accumulation = 1 and "
                         "training.sharding = \"none\", and "
                         "has no aggregator");
    }
    job.exchangedIterations = period;
    job.programs = {std::make_shared<LocalSgd>(job, period)};
}

} // namespace

TrainingEntry
LocalSgdEntry()
{
    return {"local-sgd",
            "workers train alone, and now and then take the mean of their weights",
            {Period().setting},
            Build};
}

} // namespace inca
