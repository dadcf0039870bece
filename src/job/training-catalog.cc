/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/training-catalog.h"

#include "job/data-parallel.h"
#include "job/training-job.h"

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

/** What a program's first iteration says to those who watch it. */
struct Marks
{
    std::vector<std::uint32_t> updates; ///< by layer
    std::uint32_t ends{0};

    void Count(const Task& task)
    {
        updates[task.subject] += task.mark == TaskMark::LAYER_UPDATED ? 1 : 0;
        ends += task.mark == TaskMark::ITERATION_END ? 1 : 0;
    }
};

bool
IsOfLayer(const Task& task)
{
    return task.kind == Task::Kind::COMPUTE || task.kind == Task::Kind::POINT;
}

/** @return what is wrong with the first iteration; empty: nothing */
std::string
ComplaintOfTasks(const TrainingJob& job, const RankProgram& program)
{
    Marks marks{std::vector<std::uint32_t>(job.layers.size(), 0)};
    for (std::uint64_t number = 0; number < program.PieceCount(); ++number)
    {
        const auto piece = program.At(number);
        if (!piece.graph)
        {
            return "has a piece without a graph";
        }
        if (piece.iteration > 0)
        {
            break;
        }
        for (const auto& task : piece.graph->Tasks())
        {
            if (task.subject >= (IsOfLayer(task) ? job.layers.size() : job.chunks.size()))
            {
                return "has a task, " + Describe(task) + ", of what is not there";
            }
            if (IsOfLayer(task))
            {
                marks.Count(task);
            }
        }
    }
    const auto isOnce = [](std::uint32_t times) { return times == 1; };
    if (!std::all_of(marks.updates.begin(), marks.updates.end(), isOnce))
    {
        return "must say once of each layer that it is updated (LAYER_UPDATED)";
    }
    return isOnce(marks.ends) ? "" : "must say once that an iteration ends (ITERATION_END)";
}

/** Of a worker that takes part in all exchanges that its program names, as far as that is soon looked through. */
std::string
ComplaintOfExchanges(const TrainingJob& job, const RankProgram& program)
{
    constexpr std::uint64_t most = 1'000'000; // chunks of pieces
    std::vector<std::uint32_t> done(job.chunks.size(), 0);
    const auto pieces = std::min(program.PieceCount(), most / done.size() + 1);
    for (std::uint64_t number = 0; number < pieces; ++number)
    {
        const auto piece = program.At(number);
        if (piece.iteration >= job.iterations)
        {
            return "has a piece, number " + std::to_string(number) + ", of iteration " +
                   std::to_string(piece.iteration) + " of " + std::to_string(job.iterations);
        }
        for (std::uint32_t chunk = 0; chunk < done.size(); ++chunk)
        {
            if (piece.graph->ExchangeOf(chunk) && piece.batch != done[chunk]++)
            {
                return "has a piece, number " + std::to_string(number) + ", with batch " +
                       std::to_string(piece.batch) + ", which must be " +
                       std::to_string(done[chunk] - 1) + ": as many exchange the chunk before it";
            }
        }
    }
    for (std::uint32_t chunk = 0; pieces == program.PieceCount() && chunk < done.size(); ++chunk)
    {
        if (done[chunk] > 0 && done[chunk] != job.BatchCount())
        {
            return "exchanges chunk " + std::to_string(chunk) + " " + std::to_string(done[chunk]) +
                   " times, but the job says " + std::to_string(job.BatchCount()) +
                   " (TrainingJob::exchangedIterations: iterations to each exchange)";
        }
    }
    return "";
}

/** @return what is wrong with the program; empty: nothing */
std::string
Complaint(const TrainingJob& job, const RankProgram& program)
{
    if (program.PieceCount() == 0)
    {
        return "has no pieces";
    }
    const auto ofTasks = ComplaintOfTasks(job, program);
    return ofTasks.empty() ? ComplaintOfExchanges(job, program) : ofTasks;
}

} // namespace

void
MakeProgram(const TrainingEntry& training, TrainingJob& job, const SettingValues& values)
{
    training.build(job, values);
    const auto require = [&training](bool holds, const std::string& complaint) {
        if (!holds)
        {
            throw InputError("training.program: '" + training.name + "' " + complaint);
        }
    };
    require(job.programs.size() == 1 || job.programs.size() == job.workers,
            "must make one program, or one for each worker");
    for (const auto& program : job.programs)
    {
        const auto complaint = Complaint(job, *program);
        require(complaint.empty(), "makes a program that " + complaint);
    }
}

Catalog<TrainingEntry>&
TrainingCatalog()
{
    static Catalog<TrainingEntry> catalog("training.program",
                                          {{"data-parallel",
                                            "every worker trains on its share of each batch, and "
                                            "gradients are summed for each update",
                                            {},
                                            [](TrainingJob& job, const SettingValues& /*values*/) {
                                                job.programs = {MakeDataParallelProgram(job)};
                                            }}});
    return catalog;
}

} // namespace inca
