/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-recording.h"

#include "base/errors.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_RECORDS = 10'000'000;
constexpr const char* NODE = "autograd::engine::evaluate_function: ";
constexpr const char* GRADIENT = "torch::autograd::AccumulateGrad";

bool
BeginsWith(const std::string& text, const char* begin)
{
    return text.rfind(begin, 0) == 0;
}

} // namespace

void
RequireSize(const TorchRecording& recording)
{
    if (std::max({recording.marks.size(),
                  recording.work.size(),
                  recording.forwards.size(),
                  recording.runs.size()}) > MOST_RECORDS)
    {
        throw InputError(recording.file + ": more than 10 million operators or kernels; record "
                                          "fewer steps");
    }
}

std::optional<TorchMark::Kind>
MarkOfName(const std::string& name)
{
    using Kind = TorchMark::Kind;
    static const std::vector<std::pair<const char*, Kind>> whole{
        {"record_param_comms", Kind::COLLECTIVE},
        {"torch::distributed::reducer::mul_out", Kind::COPY},
        {GRADIENT, Kind::GRADIENT},
        {"## forward ##", Kind::FORWARD},
        {"## backward ##", Kind::BACKWARD},
        {"## optimizer ##", Kind::UPDATE},
        {"DistributedDataParallel.forward", Kind::FORWARD},
        {"FullyShardedDataParallel.forward", Kind::FORWARD}};
    for (const auto& [text, kind] : whole)
    {
        if (name == text)
        {
            return kind;
        }
    }
    if (BeginsWith(name, "ProfilerStep#"))
    {
        return Kind::STEP;
    }
    if (BeginsWith(name, "Optimizer.step#"))
    {
        return Kind::UPDATE;
    }
    if (BeginsWith(name, NODE) && name.find(GRADIENT) == std::string::npos)
    {
        return Kind::NODE;
    }
    return std::nullopt;
}

void
SortRecording(TorchRecording& recording)
{
    std::stable_sort(recording.marks.begin(),
                     recording.marks.end(),
                     [](const TorchMark& a, const TorchMark& b) { return a.begin < b.begin; });
    std::stable_sort(
        recording.work.begin(), recording.work.end(), [](const DeviceWork& a, const DeviceWork& b) {
            return std::make_pair(a.launch, a.begin) < std::make_pair(b.launch, b.begin);
        });
    std::stable_sort(recording.runs.begin(),
                     recording.runs.end(),
                     [](const CollectiveRun& a, const CollectiveRun& b) {
                         return std::make_pair(a.launch, a.begin) <
                                std::make_pair(b.launch, b.begin);
                     });
}

} // namespace inca
