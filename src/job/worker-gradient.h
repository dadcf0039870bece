/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_WORKER_GRADIENT_H
#define INCA_JOB_WORKER_GRADIENT_H

#include "inca/base/word.h"
#include "inca/exchange/step-plan.h"

#include <cstddef>
#include <functional>
#include <utility>

namespace inca
{

/** Writes the own gradient of @p worker in @p range. */
using WorkerGradient = std::function<void(Rank worker, ElementRange range, float* out)>;

/** Writes what @p worker brings into an exchange in @p range. */
using WorkerWords = std::function<void(Rank worker, ElementRange range, Word* out)>;

/** Gradients as the words that travel. */
inline WorkerWords
WordsOf(WorkerGradient gradient)
{
    return [own = std::move(gradient)](Rank worker, ElementRange range, Word* out) {
        FillWithFloats(range.count, out, [&](std::size_t first, std::size_t count, float* values) {
            own(worker, {range.begin + first, count}, values);
        });
    };
}

} // namespace inca

#endif // INCA_JOB_WORKER_GRADIENT_H
