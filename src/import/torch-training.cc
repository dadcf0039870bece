/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-training.h"

#include "base/errors.h"
#include "base/units.h"
#include "import/device-clock.h"
#include "import/operation-sequence.h"
#include "import/torch-steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace inca
{

namespace
{

constexpr std::int64_t PS_PER_NS = 1000;
constexpr std::int64_t MOST_NS = 1'000'000'000'000'000;

/** "ConvolutionBackward0" is "convolution". */
std::string
LayerNameOf(const std::string& operation)
{
    auto name = operation.substr(0, operation.find("Backward"));
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    });
    return name.empty() ? "parameter" : name;
}

/** Consecutive gradients that are a layer, or a bucket of which no more is known. */
struct GradientSpan
{
    std::size_t begin{0};
    std::size_t end{0}; ///< of TorchStep::gradients; none where the recording has none
    std::string name;
    std::vector<std::uint64_t> tensors; ///< in order of readiness
    std::size_t bucket{0};              ///< in which its last gradient is
};

bool
KnowsElements(const TorchStep& step)
{
    return !step.gradients.empty() &&
           std::all_of(step.gradients.begin(), step.gradients.end(), [](const auto& gradient) {
               return gradient.elements > 0;
           });
}

std::size_t
BucketOf(const TorchStep& step, std::size_t gradient)
{
    std::size_t bucket = 0;
    while (bucket + 1 < step.buckets.size() && gradient >= step.buckets[bucket].gradientsEnd)
    {
        ++bucket;
    }
    return bucket;
}

/** Layers, in order of readiness. */
std::vector<GradientSpan>
LayersOf(const TorchStep& step)
{
    std::vector<GradientSpan> layers;
    for (std::size_t i = 0; i < step.gradients.size(); ++i)
    {
        const auto& gradient = step.gradients[i];
        const bool joins =
            !layers.empty() && gradient.node != 0 && gradient.node == step.gradients[i - 1].node;
        if (!joins)
        {
            layers.push_back({i, i, LayerNameOf(gradient.operation), {}, 0});
        }
        layers.back().end = i + 1;
        layers.back().bucket = BucketOf(step, i);
        layers.back().tensors.push_back(gradient.elements);
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        layers[i].name += "-" + std::to_string(layers.size() - i);
    }
    return layers;
}

std::vector<GradientSpan>
BucketsOf(const TorchStep& step)
{
    std::vector<GradientSpan> buckets;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < step.buckets.size(); ++i)
    {
        const auto& bucket = step.buckets[i];
        buckets.push_back(
            {begin, bucket.gradientsEnd, "bucket-" + std::to_string(i + 1), {bucket.elements}, i});
        begin = bucket.gradientsEnd;
    }
    return buckets;
}

std::vector<std::uint64_t>
ElementsOf(const TorchStep& step)
{
    std::vector<std::uint64_t> elements;
    for (const auto& bucket : step.buckets)
    {
        elements.push_back(bucket.elements);
    }
    return elements;
}

/** Gives the profile's gradients what only the execution trace knows of them. */
void
TakeSizes(const TorchRecording& executionTrace,
          const TorchStep& known,
          const TorchRecording& profile,
          std::vector<TorchStep>& steps,
          ImportReport& report)
{
    const auto& first = steps.front();
    const bool exchanges = !first.buckets.empty();
    if (exchanges ? ElementsOf(first) != ElementsOf(known)
                  : first.gradients.size() != known.gradients.size())
    {
        throw InputError(fmt::format("{} and {}: exchange {} and {} gradients of other sizes: they "
                                     "are no records of the same training",
                                     executionTrace.file,
                                     profile.file,
                                     known.buckets.size(),
                                     first.buckets.size()));
    }
    if (first.gradients.size() != known.gradients.size())
    {
        report.Warn(fmt::format("{}: has {} gradients, the execution trace {}: times are those of "
                                "buckets, shared out by elements",
                                profile.file,
                                first.gradients.size(),
                                known.gradients.size()));
        return;
    }
    for (auto& step : steps)
    {
        for (std::size_t i = 0; i < known.gradients.size(); ++i)
        {
            step.gradients[i].elements = known.gradients[i].elements;
        }
    }
    if (!exchanges)
    {
        report.Assume(
            fmt::format("{} gradients are the same in both by their order: the profile does "
                        "not say what all-reduces move",
                        first.gradients.size()));
        return;
    }
    report.Check(fmt::format("{} all-reduces have the same sizes in {} and {}",
                             known.buckets.size(),
                             executionTrace.file,
                             profile.file));
}

/** Times of one iteration's spans. (ns) */
struct StepTimes
{
    std::vector<std::int64_t> forward;
    std::vector<std::int64_t> backward;
    std::int64_t update{0};
};

/** Takes the times of iterations from a profile. */
class StepTimer
{
  public:
    StepTimer(const TorchRecording& profile, const ImportOptions& options, ImportReport& report)
        : m_profile(profile),
          m_clock(profile),
          m_kernelTimes(options.kernelTimes),
          m_report(report)
    {
        if (m_kernelTimes && !m_clock.HasWork())
        {
            throw InputError("--times kernels: " + profile.file + " has no work of a GPU");
        }
    }

    StepTimes TimesOf(const TorchStep& step, const std::vector<GradientSpan>& spans)
    {
        StepTimes times;
        const auto backwardBegin = BackwardBegin(step);
        const auto forwardBegin =
            std::min(step.forwardBegin.value_or(step.begin.value_or(backwardBegin)), backwardBegin);
        times.backward = Backward(step, spans, backwardBegin);
        times.forward = Forward(step, spans, forwardBegin, backwardBegin);
        if (step.updateBegin)
        {
            const auto passed = Passed(*step.updateBegin, *step.updateEnd);
            const auto waited = m_kernelTimes
                                    ? 0
                                    : m_clock.ExposedCollectives(m_clock.DoneAt(*step.updateBegin),
                                                                 m_clock.DoneAt(*step.updateEnd));
            times.update = std::max<std::int64_t>(0, passed - waited);
        }
        else
        {
            m_report.Assume("updates take no time: the profile has no range of an optimizer");
        }
        return times;
    }

    /** What makes the times doubtful, of iterations from their beginning to their end. */
    void Warn(const std::vector<TorchStep>& steps)
    {
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> busy;
        bool overlaps = false;
        bool communicates = false;
        for (const auto& step : steps)
        {
            if (step.begin && step.end)
            {
                lengths.push_back(*step.end - *step.begin);
                busy.push_back(m_clock.Busy(*step.begin, *step.end));
            }
            const auto begin = BackwardBegin(step);
            const auto ready = m_clock.DoneAt(LastReady(step));
            overlaps |= m_clock.Collectives(begin, ready) > 0;
            communicates |= m_clock.Collectives(ready, step.end.value_or(ready)) > 0;
        }
        const auto length = MedianOf(lengths);
        const auto computed = MedianOf(busy);
        if (m_clock.HasWork() && length > 0 && computed < length / 2)
        {
            m_report.Warn(fmt::format("bound by the CPU: the GPU computes for {} of {} per "
                                      "iteration; --times kernels takes what it computes",
                                      HumanPicoseconds(computed * PS_PER_NS),
                                      HumanPicoseconds(length * PS_PER_NS)));
        }
        if (communicates && !overlaps && steps.front().buckets.size() > 1)
        {
            m_report.Warn("a run without overlap: no collective goes on during backward");
        }
        const auto events = m_profile.cpuEvents / steps.size();
        if (events >= 100)
        {
            m_report.Warn(fmt::format("the profiler recorded {} operators per iteration; each "
                                      "costs the CPU about a microsecond (assumed)",
                                      events));
        }
    }

  private:
    static std::int64_t LastReady(const TorchStep& step)
    {
        return !step.gradients.empty() ? step.gradients.back().readyAt
               : step.buckets.empty()  ? step.begin.value_or(0)
                                       : step.buckets.back().begin;
    }

    std::int64_t BackwardBegin(const TorchStep& step) const
    {
        if (step.backwardBegin)
        {
            return *step.backwardBegin;
        }
        const auto first = !step.gradients.empty() ? step.gradients.front().readyAt
                           : step.buckets.empty()  ? step.begin.value_or(0)
                                                   : step.buckets.front().begin;
        m_report.Assume("backward begins with the first gradient: the profile does not say");
        return first;
    }

    std::int64_t Passed(std::int64_t from, std::int64_t to) const
    {
        return m_kernelTimes ? m_clock.Busy(from, to) : m_clock.DoneAt(to) - m_clock.DoneAt(from);
    }

    std::vector<std::int64_t> Backward(const TorchStep& step,
                                       const std::vector<GradientSpan>& spans,
                                       std::int64_t begin) const
    {
        std::vector<std::int64_t> times;
        for (const auto& span : spans)
        {
            const auto end = span.end > span.begin ? step.gradients[span.end - 1].readyAt
                                                   : step.buckets[span.bucket].begin;
            times.push_back(std::max<std::int64_t>(0, Passed(begin, end)));
            begin = std::max(begin, end);
        }
        return times;
    }

    /** When the operators of a span began in forward; nothing if not known. */
    std::optional<std::int64_t> ForwardBegin(const TorchStep& step, const GradientSpan& span) const
    {
        std::optional<std::int64_t> begin;
        for (auto i = span.begin; i < span.end; ++i)
        {
            const auto found = m_profile.forwardBegins.find(step.gradients[i].sequence);
            if (found == m_profile.forwardBegins.end())
            {
                return std::nullopt;
            }
            begin = begin ? std::min(*begin, found->second) : found->second;
        }
        return begin;
    }

    std::vector<std::int64_t> Forward(const TorchStep& step,
                                      const std::vector<GradientSpan>& spans,
                                      std::int64_t begin,
                                      std::int64_t end) const
    {
        std::vector<std::pair<std::int64_t, std::size_t>> begins;
        for (std::size_t i = 0; i < spans.size(); ++i)
        {
            const auto at = ForwardBegin(step, spans[i]);
            if (!at || *at < begin || *at > end)
            {
                m_report.Assume("the forward pass is shared out by elements: the profile does not "
                                "tie operators to gradients");
                std::vector<std::uint64_t> elements;
                for (const auto& span : spans)
                {
                    elements.push_back(ElementsOfSpan(span));
                }
                return SharedOut(Passed(begin, end), elements);
            }
            begins.emplace_back(*at, i);
        }
        std::sort(begins.begin(), begins.end());
        std::vector<std::int64_t> times(spans.size());
        for (std::size_t i = 0; i < begins.size(); ++i)
        {
            const auto from = i == 0 ? begin : begins[i].first;
            const auto to = i + 1 == begins.size() ? end : begins[i + 1].first;
            times[begins[i].second] = Passed(from, to);
        }
        return times;
    }

    static std::uint64_t ElementsOfSpan(const GradientSpan& span)
    {
        std::uint64_t sum = 0;
        for (const auto elements : span.tensors)
        {
            sum += elements;
        }
        return sum;
    }

    const TorchRecording& m_profile;
    DeviceClock m_clock;
    bool m_kernelTimes;
    ImportReport& m_report;
};

/** A training whose times are still 0; layers as in spans, last first. */
std::vector<RecordedLayer>
UntimedLayers(const std::vector<GradientSpan>& spans)
{
    std::vector<RecordedLayer> layers;
    for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    {
        RecordedLayer layer;
        layer.name = span->name;
        layer.tensors.assign(span->tensors.rbegin(), span->tensors.rend());
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::int64_t
PsOf(std::int64_t ns)
{
    if (ns > MOST_NS)
    {
        throw InputError("a profile's times add up to more than 10^6 s");
    }
    return ns * PS_PER_NS;
}

template <typename Get>
std::int64_t
MedianPs(const std::vector<StepTimes>& steps, Get get)
{
    return PsOf(MedianOver(steps, get));
}

/** Puts the medians of @p times of @p spans into layers, which are last first. */
void
SetTimes(std::vector<RecordedLayer>& layers, const std::vector<StepTimes>& times)
{
    std::vector<std::uint64_t> elements;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    {
        elements.push_back(layer->Elements());
    }
    const auto update =
        SharedOut(MedianPs(times, [](const StepTimes& step) { return step.update; }), elements);
    for (std::size_t i = 0; i < elements.size(); ++i)
    {
        auto& layer = layers[layers.size() - 1 - i];
        layer.forwardPs = MedianPs(times, [i](const StepTimes& step) { return step.forward[i]; });
        layer.backwardPs = MedianPs(times, [i](const StepTimes& step) { return step.backward[i]; });
        layer.updatePs = update[i];
    }
}

/** Shares the times of buckets out over the layers that end in them. Both are last first. */
void
ShareTimes(const std::vector<RecordedLayer>& buckets,
           const std::vector<GradientSpan>& spans,
           std::vector<RecordedLayer>& layers)
{
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket)
    {
        const auto& timed = buckets[buckets.size() - 1 - bucket];
        std::vector<std::size_t> inside;
        std::vector<std::uint64_t> elements;
        for (std::size_t i = 0; i < spans.size(); ++i)
        {
            if (spans[i].bucket == bucket)
            {
                inside.push_back(layers.size() - 1 - i);
                elements.push_back(layers[inside.back()].Elements());
            }
        }
        const auto forward = SharedOut(timed.forwardPs, elements);
        const auto backward = SharedOut(timed.backwardPs, elements);
        const auto update = SharedOut(timed.updatePs, elements);
        for (std::size_t i = 0; i < inside.size(); ++i)
        {
            layers[inside[i]].forwardPs = forward[i];
            layers[inside[i]].backwardPs = backward[i];
            layers[inside[i]].updatePs = update[i];
        }
    }
}

/** Layers and times from the iterations of a profile; @p known of the execution trace, if there is one. */
void
TakeProfile(const TorchRecording& profile,
            const std::vector<TorchStep>& steps,
            const TorchStep* known,
            const ImportOptions& options,
            ImportReport& report,
            RecordedTraining& training)
{
    const auto& step = steps.front();
    const bool byLayer = KnowsElements(step);
    if (!byLayer && step.buckets.empty())
    {
        throw InputError(profile.file + ": nothing says how large the gradients are: profile with "
                                        "record_shapes=True, or give the execution trace, too");
    }
    const auto spans = byLayer ? LayersOf(step) : BucketsOf(step);
    StepTimer timer(profile, options, report);
    std::vector<StepTimes> times;
    for (const auto& one : steps)
    {
        times.push_back(timer.TimesOf(one, spans));
    }
    timer.Warn(steps);
    training.layers = UntimedLayers(spans);
    SetTimes(training.layers, times);
    if (!byLayer && known != nullptr)
    {
        const auto buckets = std::move(training.layers);
        const auto layers = LayersOf(*known);
        training.layers = UntimedLayers(layers);
        ShareTimes(buckets, layers, training.layers);
    }
    else if (!byLayer)
    {
        report.Assume("each all-reduce is one layer: the profile was recorded without shapes");
    }
    report.Assume("the update is shared out by elements");
    training.valueClass = "measured";
    training.device = profile.device;
}

/** Where nothing is exchanged: what all gradients are; empty if unknown, or no type of a trace. */
std::string
TypeOfGradients(const TorchStep& step)
{
    const auto& type =
        step.gradients.empty() ? step.elementType : step.gradients.front().elementType;
    const bool same =
        std::all_of(step.gradients.begin(), step.gradients.end(), [&type](const auto& gradient) {
            return gradient.elementType == type;
        });
    return same && BytesOfGradientType(type) > 0 ? type : "";
}

} // namespace

RecordedTraining
TrainingOfTorch(const TorchRecording* executionTrace,
                const TorchRecording* profile,
                const ImportOptions& options,
                ImportReport& report)
{
    std::vector<TorchStep> known;
    std::vector<TorchStep> timed;
    if (executionTrace != nullptr)
    {
        known = StepsOf(*executionTrace, options, report);
    }
    if (profile != nullptr)
    {
        timed = StepsOf(*profile, options, report);
    }
    if (!known.empty() && !timed.empty())
    {
        TakeSizes(*executionTrace, known.front(), *profile, timed, report);
    }
    const bool profileKnows = !timed.empty() && (known.empty() || !timed.front().buckets.empty());
    const auto& step = profileKnows ? timed.front() : known.front();
    RecordedTraining training;
    training.gradientType = step.elementType.empty() ? TypeOfGradients(step) : step.elementType;
    training.buckets = ElementsOf(step);
    training.workers = step.groupSize > 0   ? std::optional(step.groupSize)
                       : profile != nullptr ? profile->worldSize
                                            : std::nullopt;
    if (!timed.empty())
    {
        const bool knowsMore = !known.empty() && KnowsElements(known.front());
        TakeProfile(
            *profile, timed, knowsMore ? &known.front() : nullptr, options, report, training);
    }
    else
    {
        training.layers = UntimedLayers(KnowsElements(step) ? LayersOf(step) : BucketsOf(step));
        report.Warn("no times in an execution trace: the layers take none; give a profile of the "
                    "same training, too");
    }
    std::uint64_t bytes = 0;
    for (const auto& layer : training.layers)
    {
        bytes += layer.Elements();
    }
    std::uint64_t exchanged = 0;
    for (const auto elements : training.buckets)
    {
        exchanged += elements;
    }
    const auto& type = training.gradientType.empty() ? options.gradientType : training.gradientType;
    const auto bytesPerElement = type.empty() ? 4 : BytesOfGradientType(type);
    if (training.buckets.empty())
    {
        report.Warn("no all-reduces: nothing checks the gradients' sizes");
    }
    report.SetBytes((training.buckets.empty() ? bytes : exchanged) * bytesPerElement, 0);
    return training;
}

} // namespace inca
