/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/values-estimate.h"

#include "base/wire-format.h"
#include "job/checked-window.h"
#include "plan/counted-ranks.h"

#include <algorithm>

namespace inca
{

namespace
{

/** What values take where frames take what run-estimate.cc says (docs: model.md, "What values cost"). @{ */
constexpr double SECONDS_PER_BROUGHT_VALUE{0.75e-9};  ///< that is added: as its frame comes
constexpr double SECONDS_PER_ADDED_VALUE{0.15e-9};    ///< when its message is whole
constexpr double SECONDS_PER_CARRIED_BYTE{0.35e-9};   ///< of memory, when it is first used
constexpr double SECONDS_PER_SUMMED_VALUE{6e-9};      ///< by a switch, of a worker
constexpr double SECONDS_PER_CODED_VALUE{3e-9};       ///< encoded, and decoded
constexpr double SECONDS_PER_SHORTENED_VALUE{0.7e-9}; ///< of 16 bits, likewise
constexpr double SECONDS_PER_SKETCHED_VALUE{2.2e-9};  ///< of a worker's gradient: encoded, added
constexpr double SECONDS_PER_ENCODED_VALUE{2.2e-9};   ///< of a sketch, for one of its rounds
constexpr double SECONDS_PER_DECODED_VALUE{11e-9};    ///< of its sums, for all who have the same
constexpr double SECONDS_PER_OWN_VALUE{
    0.9e-9}; ///< of a worker's gradient: made, added in fp64, compared
constexpr double SECONDS_PER_REPLAYED_VALUE{0.3e-9}; ///< on each hop
constexpr double HELD_TOGETHER{0.75};   ///< times that, where what many hold is compared once
constexpr double CODED_REPLAY{4};       ///< times that, where a codec rounds
constexpr double COPIES_CARRIED{1.05};  ///< of what is needed, in memory
constexpr double COPIES_OF_CODED{3};    ///< of what codecs make of the sums, besides
constexpr double COPIES_OF_SKETCHES{2}; ///< of each worker's
constexpr double COPIES_OF_DECODED{2};  ///< of what is decoded, to compare with it
constexpr double WINDOW_COPIES{4};      ///< of each rank, of a window that is replayed
/** @} */

bool
HasSketches(const TrainingJob& job)
{
    return std::any_of(job.chunks.begin(), job.chunks.end(), [](const JobChunk& chunk) {
        return chunk.coding != nullptr;
    });
}

/** On their way, by engines or by hosts. */
bool
CodesValues(const TrainingJob& job)
{
    return job.engines || job.hostCodec;
}

/** What making others of values takes, on each hop: a codec does, and a type of 16 bits. */
double
SecondsPerRoundedValue(const TrainingJob& job)
{
    const auto ofType = job.bytesPerElement < VALUE_BYTES ? SECONDS_PER_SHORTENED_VALUE : 0;
    return CodesValues(job) ? SECONDS_PER_CODED_VALUE : ofType;
}

/** What the replay of values takes, and what comparing with it does. */
double
VerifySeconds(const TrainingJob& job,
              bool replayed,
              const FoldChoice& fold,
              const RunEstimate& estimate)
{
    const auto exchanges = replayed ? 1.0 : static_cast<double>(job.BatchCount());
    const auto own = static_cast<double>(job.layers.back().range.End()) * job.workers * exchanges;
    const auto summed = estimate.summedBytes / static_cast<double>(job.bytesPerElement);
    const auto moved =
        (estimate.values + summed) * fold.ranks / fold.simulated / job.BatchCount() * exchanges;
    const auto sketches = HasSketches(job) ? own * SECONDS_PER_SKETCHED_VALUE +
                                                 own / job.workers * SECONDS_PER_DECODED_VALUE
                                           : 0;
    const auto seconds = own * SECONDS_PER_OWN_VALUE + sketches +
                         moved * SECONDS_PER_REPLAYED_VALUE * (CodesValues(job) ? CODED_REPLAY : 1);
    return replayed ? seconds : HELD_TOGETHER * seconds;
}

/** What a rank has had to hold of a chunk, as far as its steps were looked at. (words) */
class HeldWords
{
  public:
    /** What it adds to a part of what it has just added comes on top, and so does all it stored if it adds to that. */
    void Take(const Step& step)
    {
        ElementRange added;
        ElementRange stored;
        std::uint64_t words = 0;
        for (const auto& receive : step.receives)
        {
            auto& range = receive.combine == Combine::ADD ? added : stored;
            range = Spanned(range, receive.range);
            words += receive.range.count;
        }
        if (added.count > 0)
        {
            const bool isWithin = Clip(added, m_added).count == added.count;
            const bool isOfStored = Clip(added, m_stored).count > 0;
            m_added = added;
            m_addedWords = words + (isWithin ? m_addedWords : 0);
            m_most = std::max(m_most, m_addedWords + (isOfStored ? m_storedWords : 0));
            return;
        }
        m_stored = Spanned(m_stored, stored);
        m_storedWords += words;
    }

    /** When it adds. */
    double Most() const
    {
        return static_cast<double>(m_most);
    }

  private:
    ElementRange m_added;  ///< by its last addition
    ElementRange m_stored; ///< and what lies between
    std::uint64_t m_addedWords{0};
    std::uint64_t m_storedWords{0};
    std::uint64_t m_most{0};
};

double
MostHeld(const JobChunk& chunk, Rank rank)
{
    constexpr std::uint32_t walkedSteps = 1'024; // later ones are like these
    const auto& plan = *chunk.rounds.front().plan;
    HeldWords held;
    for (std::uint32_t i = 0; i < std::min(plan.StepCount(rank), walkedSteps); ++i)
    {
        held.Take(plan.At(rank, i));
    }
    return held.Most();
}

/** The one that has most gradients; null: none has any. */
const JobChunk*
LargestOf(const TrainingJob& job)
{
    const JobChunk* largest = nullptr;
    for (const auto& chunk : job.chunks)
    {
        const bool isLarger = largest == nullptr || chunk.ValueCount() > largest->ValueCount();
        largest = isLarger && chunk.purpose == ExchangePurpose::GRADIENTS ? &chunk : largest;
    }
    return largest;
}

/** Sums of @p chunk, as ranks come to them or end with them, of which one copy is for all who hold the same. (words) */
double
CarriedSums(const TrainingJob& job, const JobChunk& chunk)
{
    const auto heldBy = [&chunk](Rank first, Rank count) {
        const auto counted = std::min(count, COUNTED_RANKS);
        double held = 0;
        for (Rank i = 0; i < counted; ++i)
        {
            held += MostHeld(chunk, first + CountedRank(i, count)) * count / counted;
        }
        return held;
    };
    const auto held = heldBy(0, job.workers) + heldBy(job.workers, job.RankCount() - job.workers);
    const auto values = static_cast<double>(chunk.ValueCount());
    const auto coded = CodesValues(job) ? COPIES_OF_CODED * values : 0;
    return COPIES_CARRIED * std::max(held, values) + coded;
}

/** What workers have made of @p chunk. (words) */
double
CarriedSketches(const TrainingJob& job, const JobChunk& chunk)
{
    double words = 0;
    for (std::size_t round = 0; round < chunk.CodedRounds(); ++round)
    {
        words += static_cast<double>(chunk.rounds[round].plan->Elements());
    }
    return COPIES_OF_SKETCHES * job.workers * words;
}

/** What frames bring of the largest exchange that is still needed, and what is decoded of it. */
double
CarriedBytes(const TrainingJob& job, bool replayed)
{
    const auto* largest = LargestOf(job);
    if (largest == nullptr)
    {
        return 0;
    }
    const bool isCoded = largest->coding != nullptr;
    const auto decoded =
        isCoded ? COPIES_OF_DECODED * static_cast<double>(largest->ValueCount()) : 0;
    const auto carried = isCoded ? CarriedSketches(job, *largest) : CarriedSums(job, *largest);
    return VALUE_BYTES * (decoded + (replayed ? 0 : carried));
}

/** What workers take to code chunks whole, and to decode their sums, which is done once for all. */
double
CodingSeconds(const TrainingJob& job, const MessageCost& cost)
{
    double seconds = 0;
    for (const auto& chunk : job.chunks)
    {
        const auto encoded = static_cast<double>(chunk.CodedRounds()) * cost.perEncodedValue;
        const auto ofValue = chunk.coding ? encoded + cost.perDecodedValue : 0;
        seconds += ofValue * static_cast<double>(chunk.ValueCount());
    }
    return seconds * job.workers * job.BatchCount();
}

/** Adds what values in frames take. */
void
AddCarried(const TrainingJob& job, double carriedBytes, RunEstimate& estimate)
{
    const auto elementBytes = static_cast<double>(job.bytesPerElement);
    const auto coded = SecondsPerRoundedValue(job);
    const auto brought = estimate.addedValues * (SECONDS_PER_BROUGHT_VALUE + coded) +
                         carriedBytes * SECONDS_PER_CARRIED_BYTE;
    const auto added = estimate.addedValues * SECONDS_PER_ADDED_VALUE;
    const auto stored = (estimate.values - estimate.addedValues) * coded +
                        estimate.summedBytes / elementBytes * SECONDS_PER_SUMMED_VALUE;
    const auto addedShare =
        estimate.payloadBytes > 0 ? estimate.addedBytes / estimate.payloadBytes : 0;
    const auto addedFrames = addedShare * estimate.frames;
    auto& cost = estimate.cost;
    cost.perAddedFrame = cost.perFrame + brought / std::max(addedFrames, 1.0);
    cost.perAddition = added / std::max(addedFrames, 1.0);
    cost.perFrame += stored / std::max(estimate.frames - addedFrames, 1.0);
    cost.perEncodedValue = SECONDS_PER_ENCODED_VALUE;
    cost.perDecodedValue = SECONDS_PER_DECODED_VALUE / job.workers;
    estimate.work.added = addedShare * estimate.work.stored + brought + added;
    estimate.work.stored += stored - addedShare * estimate.work.stored;
    estimate.work.coded = CodingSeconds(job, cost);
    estimate.cpuSeconds += brought + added + stored + estimate.work.coded;
}

} // namespace

void
AddValues(const TrainingJob& job, bool replayed, const FoldChoice& fold, RunEstimate& estimate)
{
    if (!job.HasValues())
    {
        return;
    }
    const auto own = static_cast<double>(job.layers.back().range.End()) * job.workers;
    estimate.work.verified = VerifySeconds(job, replayed, fold, estimate);
    estimate.cpuSeconds += estimate.work.verified;
    estimate.memoryBytes += WINDOW_COPIES * VALUE_BYTES * job.RankCount() *
                            static_cast<double>(WindowElements(job.workers));
    if (job.GathersWeights()) // what stands for weights, by the verifier and, where they travel, by their owners
    {
        estimate.memoryBytes += own / job.workers * VALUE_BYTES * (replayed ? 1 : 2);
    }
    const auto carriedBytes = CarriedBytes(job, replayed);
    estimate.memoryBytes += carriedBytes;
    if (!replayed)
    {
        AddCarried(job, carriedBytes, estimate);
    }
}

} // namespace inca
