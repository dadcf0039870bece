/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_STEP_FILES_H
#define INCA_TRACE_STEP_FILES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** The gradients that all workers had in one training step, before any sum: safetensors files. */
struct StepFiles
{
    std::optional<std::uint64_t> step; ///< from 1; unknown only where it is the only one
    std::vector<std::string> paths;    ///< of worker 0, 1, ...

    /** @return "step 50", or "values" where the step is unknown */
    std::string Title() const
    {
        return step ? "step " + std::to_string(*step) : "values";
    }
};

/**
 * Puts files together by step and worker, steps in ascending order.
 *
 * "{step}" and "{worker}" in a path stand for numbers, and the path for all files there that have some;
 * each stands once. Which step and worker a file is of is what they stand for, else the texts `step` and
 * `worker` of its metadata, as tools/torch/inca_torch.py writes them; files that say neither are of one
 * step, and workers in the order given.
 * @param paths at least one
 * @throws InputError if nothing has such a path, a file is malformed, what it says contradicts its path,
 *         or a step lacks a worker or has one twice, also by the text `workers` of its metadata
 */
std::vector<StepFiles> FindStepFiles(const std::vector<std::string>& paths);

} // namespace inca

#endif // INCA_TRACE_STEP_FILES_H
