/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_TORCH_STEPS_H
#define INCA_IMPORT_TORCH_STEPS_H

#include "inca/import/recorded-training.h"
#include "inca/import/torch-recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A parameter's gradient of one iteration. */
struct TorchGradient
{
    std::uint64_t elements{0};    ///< 0: unknown
    std::uint64_t rowElements{1}; ///< of all but the first dimension
    std::size_t node{0};          ///< of this iteration's NODEs, from 1; 0: none before it
    std::string elementType;      ///< empty: unknown
    std::string operation;        ///< "ConvolutionBackward0"; empty: unknown
    std::int64_t sequence{-1};    ///< of its operator; -1: unknown
    std::int64_t readyAt{0};      ///< its mark's end
};

/** A sum of gradients of one iteration. */
struct TorchBucket
{
    std::uint64_t elements{0};
    std::size_t gradientsEnd{0}; ///< gradients that were ready before it
    std::int64_t begin{0};
    std::optional<std::int64_t> ns{}; ///< that it went on
};

/** One iteration of a recording. */
struct TorchStep
{
    std::vector<TorchGradient> gradients; ///< in order of readiness
    std::vector<TorchBucket> buckets;
    std::vector<std::optional<std::int64_t>>
        unsized;             ///< times of sums whose sizes are unknown (ns)
    std::string elementType; ///< of the buckets; empty: none, or unknown
    bool scattered{false}; ///< its sums are reduce-scatters, which pad to as many values as workers
    std::uint64_t padding{0}; ///< elements of the buckets that are no gradients
    std::uint64_t groupSize{0};
    std::optional<std::int64_t> begin; ///< of its range, else of the first mark
    std::optional<std::int64_t> end;
    std::optional<std::int64_t> forwardBegin;
    std::optional<std::int64_t> backwardBegin;
    std::optional<std::int64_t> updateBegin;
    std::optional<std::int64_t> updateEnd;
};

/** Consecutive gradients that are a layer, or a bucket of which no more is known. */
struct GradientSpan
{
    std::size_t begin{0};
    std::size_t end{0}; ///< of TorchStep::gradients; none where the recording has none
    std::string name;
    std::vector<std::uint64_t> tensors; ///< in order of readiness
    std::size_t bucket{0};              ///< of BucketsOf: which it is

    std::uint64_t Elements() const;
};

/** @return whether the sizes of all gradients are known, and there are any */
bool KnowsElements(const TorchStep& step);

/** Layers, in order of readiness: gradients that follow one operator, by which they are named. */
std::vector<GradientSpan> LayersOf(const TorchStep& step);

/** The same of what all-reduces move. */
std::vector<GradientSpan> BucketsOf(const TorchStep& step);

/**
 * The iterations of a recording that exchange the same, as most of them do; what is left out is said. The
 * sizes of gradients are known only where they add up to those of the sums.
 * @throws InputError if ranges contradict each other, or options must say which group is data-parallel
 */
std::vector<TorchStep> StepsOf(const TorchRecording& recording,
                               const ImportOptions& options,
                               ImportReport& report);

/**
 * One iteration of a worker from PyTorch's records: an execution trace, a profile, or both of the same
 * training (either may be null). Parameters whose gradients follow one operator's NODE are one layer;
 * the model's order is that of readiness, reversed. The sizes of the all-reduces check those of the
 * gradients between them. Without sizes of gradients, each all-reduce is a layer.
 *
 * Times are medians over the iterations of a profile. Passed times count work as done when the CPU has
 * said so and the GPU has finished what was launched until then, so they are right for runs bound by
 * either: forward from its range (else the step's beginning) to backward's beginning, cut where each
 * layer's operator begins; backward cut where each gradient is ready; update from the optimizer's
 * range, less what collectives take in it while nothing computes, shared out by elements.
 * @throws InputError if the two are of different trainings, or nothing says what is exchanged
 */
RecordedTraining TrainingOfTorch(const TorchRecording* executionTrace,
                                 const TorchRecording* profile,
                                 const ImportOptions& options,
                                 ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_TORCH_STEPS_H
