/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/hop-errors.h"

#include "base/interrupt.h"
#include "job/chunk-replay.h"
#include "job/value-windows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace inca
{

namespace
{

// Hops are counted in floats: n once something was added, -n while it is as it was decoded.

void
CountHop(float* hops, std::uint64_t count)
{
    std::for_each(hops, hops + count, [](float& hop) { hop = hop < 0 ? hop : -(hop + 1); });
}

void
LargerOfHops(const Word* term, const Word* held, Word* out, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        out[i] = BitsOf(std::max(std::fabs(FloatOf(term[i])), std::fabs(FloatOf(held[i]))));
    }
}

/** At the elements that are looked at: what was sent, as it arrived, and what workers end with. */
struct Seen
{
    std::vector<float> sent;
    std::vector<Word> held;
};

/** Goes through windows of a chunk. */
struct HopMeter
{
    const TrainingJob& job;
    const JobChunk& chunk;
    std::uint64_t stride; ///< every so many elements are looked at

    Seen Count(ElementRange window) const
    {
        ValueHooks hooks;
        hooks.sum = {"hops", &LargerOfHops, true};
        if (chunk.rounds.front().hooks.keepOwned)
        {
            hooks.keepOwned = &CountHop;
        }
        const auto zeros = [](Rank, ElementRange range, Word* out) {
            std::fill_n(out, range.count, Word{0});
        };
        return Replay(window,
                      zeros,
                      hooks,
                      [this](Rank from, const Transfer& transfer, float* hop, std::uint64_t count) {
                          CountHop(hop, job.coding.IsCoded(from, transfer) ? count : 0);
                      });
    }

    Seen Replay(ElementRange window,
                WorkerWords own,
                const ValueHooks& hooks,
                const Wire& wire) const
    {
        Seen seen;
        ElementRange sent;
        ClocklessReplay replay(
            *chunk.rounds.front().plan,
            std::move(own),
            hooks,
            [&](Rank from, const Transfer& transfer, float* values, std::uint64_t count) {
                wire(from, transfer, values, count);
                Look(sent, values, seen.sent);
            },
            [&](const PlannedSend&, const Transfer&, ElementRange part, const Word*) {
                sent = part;
            });
        replay.Run(window);
        const auto held = HeldOf(chunk.InCommunicators().front(), chunk, replay.Values(), window);
        for (const auto* words : held.words)
        {
            Look(Clip(window, {0, chunk.range.count}), words, seen.held);
        }
        return seen;
    }

    /** @param values of @p part */
    template <typename Value>
    void Look(ElementRange part, const Value* values, std::vector<Value>& seen) const
    {
        for (auto i = (stride - part.begin % stride) % stride; i < part.count; i += stride)
        {
            seen.push_back(values[i]);
        }
    }
};

/** @param hops by hop; 0: what workers end with */
void
AddWindow(const HopMeter& meter,
          const Wire& wire,
          ElementRange window,
          std::vector<ErrorSums>& hops)
{
    ThrowIfInterrupted();
    const auto own = WordsOf(meter.job.GradientsOf(meter.chunk));
    const auto counts = meter.Count(window);
    const auto meant = meter.Replay(window, own, {}, [](auto&&...) {});
    const auto coded = meter.Replay(window, own, meter.chunk.rounds.front().hooks, wire);
    for (std::size_t i = 0; i < counts.held.size(); ++i)
    {
        const auto hop = static_cast<std::size_t>(std::fabs(FloatOf(counts.held[i])));
        hops.resize(std::max(hops.size(), hop + 1));
        hops.front().Take(FloatOf(coded.held[i]), FloatOf(meant.held[i]));
    }
    for (std::size_t i = 0; i < counts.sent.size(); ++i)
    {
        const auto hop = static_cast<std::size_t>(std::max(0.0F, -counts.sent[i]));
        if (hop > 0 && hop < hops.size())
        {
            hops[hop].Take(coded.sent[i], meant.sent[i]);
        }
    }
}

std::vector<ErrorSums>
HopsOf(const TrainingJob& job, const JobChunk& chunk, const Wire& wire)
{
    constexpr std::uint64_t most = 1U << 16U;
    const auto count = chunk.range.count;
    const auto sample = std::clamp<std::uint64_t>((most << 7U) / job.workers, 1024, most);
    const auto ofWindow = std::min<std::uint64_t>(sample, 4096); // each takes a look at all steps
    const bool isWhole = IsInOneWindow(job, chunk);
    const auto windows = isWhole ? 1 : (std::min(count, sample) + ofWindow - 1) / ofWindow;
    const HopMeter meter{job, chunk, isWhole ? count / sample | 1U : 1};
    std::vector<ErrorSums> hops(1);
    for (std::uint64_t index = 0; index < windows; ++index)
    {
        const auto part = BlockOf(count, windows, index);
        const ElementRange window{part.begin, std::min(ofWindow, part.count)};
        AddWindow(meter, wire, isWhole ? ElementRange{0, chunk.ValueCount()} : window, hops);
    }
    hops.back() = hops.front();
    hops.erase(hops.begin());
    return hops;
}

} // namespace

std::vector<std::vector<ErrorSums>>
MeasureHops(const TrainingJob& job)
{
    const auto wire = WireOf(job);
    std::vector<std::vector<ErrorSums>> hops;
    for (const auto& bucket : job.buckets)
    {
        hops.push_back(HopsOf(job, job.chunks[bucket.chunks.front()], wire));
    }
    return hops;
}

} // namespace inca
