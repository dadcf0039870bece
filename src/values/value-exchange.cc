/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "values/value-exchange.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/wire-format.h"
#include "codec/codec-catalog.h"
#include "exchange/rank-load.h"
#include "job/chunk-replay.h"
#include "job/coded-replay.h"
#include "job/sum-errors.h"
#include "job/value-windows.h"
#include "plan/job-exchanges.h"
#include "scenario/key-attributes.h"
#include "scenario/specs.h"
#include "trace/trace-catalog.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

/**
 * Of a message that a host encodes, if its codec codes frames (CodedUnit): a stream of parts that are multiples of 8 values is
 * that of the whole. Others see whole messages.
 */
constexpr std::uint64_t g_partValues = 8192;

/** Gradients that somebody else has. */
class BorrowedValues : public ValueSource
{
  public:
    explicit BorrowedValues(const std::vector<const float*>& values)
        : m_values(values)
    {
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        std::copy_n(m_values[worker] + begin, count, out);
    }

    const std::vector<const float*>& m_values;
};

/** A trace of tensors that nobody has measured: each is a layer. */
GradientTrace
TraceOf(const std::vector<std::uint64_t>& tensors)
{
    constexpr std::uint64_t most = 1ULL << 38U;
    std::uint64_t elements = 0;
    for (const auto tensor : tensors)
    {
        if (tensor == 0 || tensor > most - elements)
        {
            throw InputError(
                Text("tensors: each has at least 1 element, and all together at most ", most));
        }
        elements += tensor;
    }
    auto trace = MakeTensorTrace(elements * VALUE_BYTES);
    const auto whole = trace.layers.front();
    trace.layers.clear();
    for (const auto tensor : tensors)
    {
        auto& layer = trace.layers.emplace_back(whole);
        layer.name = Text("tensor-", trace.layers.size());
        layer.elements = tensor;
    }
    return trace;
}

/** @return @p trace, whose random values are of so different magnitudes that what is rounded or dropped shows */
std::shared_ptr<const GradientTrace>
ForTrials(GradientTrace trace)
{
    constexpr unsigned least = 87; // 2^-40
    constexpr unsigned end = 127;  // 1
    constexpr double zeros = 0.25; // where no density is known
    for (auto& layer : trace.layers)
    {
        layer.statistics.widths.clear();
        layer.statistics.exponents = {{0, zeros}};
        for (auto exponent = least; exponent < end; ++exponent)
        {
            layer.statistics.exponents.emplace_back(exponent, (1 - zeros) / (end - least));
        }
    }
    return std::make_shared<const GradientTrace>(std::move(trace));
}

/** @return @p scenario with values, and the trace of these tensors */
Scenario
WithTensors(Scenario scenario, const std::vector<std::uint64_t>& tensors)
{
    scenario.training.values = true;
    scenario.training.valuesFile.clear();
    if (!tensors.empty())
    {
        const auto known = scenario.training.readTrace;
        auto trace = TraceOf(tensors);
        trace.gradientType = known ? known->gradientType : trace.gradientType;
        scenario.training.readTrace = std::make_shared<const GradientTrace>(std::move(trace));
    }
    CheckAttributes(scenario);
    return scenario;
}

/** Whether all of them are what additions of the terms in some order make. */
bool
AreSums(const Word* held, const std::vector<std::vector<float>>& terms)
{
    const auto count = terms.front().size();
    std::vector<double> sum(count);
    std::vector<double> magnitude(count);
    for (const auto& term : terms)
    {
        AddTerm(term.data(), count, sum.data());
        AddMagnitudes(term.data(), count, magnitude.data());
    }
    const auto workers = static_cast<std::uint32_t>(terms.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        if (!IsOfSomeOrder(std::fabs(FloatOf(held[i]) - sum[i]), magnitude[i], workers))
        {
            return false;
        }
    }
    return true;
}

/** Fowler, Noll and Vo's hash 1a, a word at a time. */
class WordHash
{
  public:
    void Add(std::uint64_t word)
    {
        constexpr std::uint64_t prime = 0x100000001b3;
        m_hash = (m_hash ^ word) * prime;
    }

    std::uint64_t Value() const
    {
        return m_hash;
    }

  private:
    std::uint64_t m_hash{0xcbf29ce484222325};
};

} // namespace

ExchangeCounts&
ExchangeCounts::operator+=(const ExchangeCounts& other)
{
    plainValues += other.plainValues;
    gradientBytes += other.gradientBytes;
    weightBytes += other.weightBytes;
    misfits += other.misfits;
    estimated += other.estimated;
    replicaDifference = std::max(replicaDifference, other.replicaDifference);
    return *this;
}

ValueExchange::ValueExchange(const Scenario& scenario, std::vector<std::uint64_t> tensors)
    : m_tensors(std::move(tensors)),
      m_prepared(PrepareJob(Resolve(WithTensors(scenario, m_tensors)))),
      m_job(*m_prepared.job)
{
    m_job.ownGradient = [this](Rank worker, ElementRange range, float* out) {
        m_gradients(worker, range, out);
    };
    for (const auto& chunk : m_job.chunks)
    {
        m_ready.push_back(MakeReady(chunk));
    }
}

ValueExchange::Ready
ValueExchange::MakeReady(const JobChunk& chunk)
{
    Ready ready;
    if (chunk.purpose != ExchangePurpose::GRADIENTS)
    {
        return ready;
    }
    double words = 0;
    for (const auto& round : chunk.rounds)
    {
        ready.counts += Sent(chunk, round);
        words += round.weights ? 0 : static_cast<double>(round.plan->Elements());
    }
    if (chunk.coding)
    {
        ready.counts.plainValues *= words > 0 ? static_cast<double>(chunk.ValueCount()) / words : 0;
        return ready;
    }
    const auto& codecs = m_prepared.resolved->codecs;
    const bool isOfMessages =
        codecs[0].entry->unit == CodedUnit::MESSAGE || codecs[1].entry->unit == CodedUnit::MESSAGE;
    ready.windows = isOfMessages ? std::vector<ElementRange>{{0, chunk.ValueCount()}}
                                 : ValueWindows(m_job, chunk);
    const auto count = [this](const PlannedSend& send,
                              const Transfer& sent,
                              ElementRange part,
                              const Word* sentWords) { CountEncoded(send, sent, part, sentWords); };
    ready.replay = ReplayOf(m_job,
                            chunk,
                            WordsOf(m_job.GradientsOf(chunk)),
                            m_job.coding.IsSome() ? SendSeen(count) : SendSeen());
    return ready;
}

/** What all ranks send in a round. Values that a codec encodes are left out, as CountEncoded counts them. */
ExchangeCounts
ValueExchange::Sent(const JobChunk& chunk, const JobRound& round) const
{
    const auto* const scheme = m_prepared.resolved->Scheme();
    const auto sumBytes = scheme != nullptr ? scheme->Numbers().adder.term->bytes : 0;
    const auto gradientBytes =
        chunk.coding ? VALUE_BYTES : m_job.BytesPerElement(PayloadKind::GRADIENT);
    const bool isCounted = chunk.coding || !m_job.coding.IsSome();
    std::uint64_t gradients = 0;
    std::uint64_t added = 0; // by switches
    std::uint64_t weights = 0;
    for (Rank rank = 0; rank < round.plan->RankCount(); ++rank)
    {
        const auto load = LoadOf(*round.plan, rank);
        gradients += isCounted ? load.gradient.sentElements + load.crossesGroups.sentElements : 0;
        weights += load.weight.sentElements;
    }
    for (const auto& [sum, times] : ReductionsOf(m_job, round))
    {
        auto& elements = sum.phase == SumPhase::ALL_GATHER ? weights : added;
        elements +=
            times * sum.words / sum.oneIn * (sum.phase == SumPhase::ALL_GATHER ? 1 : m_job.workers);
    }
    ExchangeCounts counts;
    counts.plainValues = static_cast<double>(gradients + added);
    counts.gradientBytes = gradients * gradientBytes + added * sumBytes;
    counts.weightBytes = weights * m_job.BytesPerElement(PayloadKind::WEIGHT);
    return counts;
}

ExchangeCounts
ValueExchange::Run(const std::vector<const float*>& own, const std::vector<float*>& results)
{
    const auto values = std::make_shared<const BorrowedValues>(own);
    const auto take = [&results](ElementRange range, const std::vector<const Word*>& held) {
        for (std::size_t worker = 0; worker < held.size(); ++worker)
        {
            if (results[worker] != nullptr)
            {
                CopyFloats(held[worker], range.count, results[worker] + range.begin);
            }
        }
    };
    return Exchange(BroughtOf(*m_prepared.resolved, values), take);
}

void
ValueExchange::Code(Rank worker, const float* own, float* coded) const
{
    std::vector<const float*> all(m_job.workers, own);
    const auto values = std::make_shared<const BorrowedValues>(all);
    const auto brought = BroughtOf(*m_prepared.resolved, values);
    for (const auto& chunk : m_job.chunks)
    {
        if (chunk.purpose == ExchangePurpose::GRADIENTS)
        {
            auto* const begin = coded + chunk.range.begin;
            brought(worker, chunk.range, begin);
            if (const auto codec = m_job.coding.FirstCodec())
            {
                codec->RoundTrip(begin, chunk.range.count);
            }
        }
    }
}

ValuePath
ValueExchange::Path()
{
    bool isLossless = true;
    std::vector<WordHash> hashes(m_job.workers);
    const std::shared_ptr<const ValueSource> gradients =
        MakeRandomValues(ForTrials(*m_prepared.resolved->trace), RandomValuesSpec{});
    const auto brought = BroughtOf(*m_prepared.resolved, gradients);
    std::vector<std::vector<float>> terms(m_job.workers); // before anything is dropped of them
    Exchange(brought, [&](ElementRange range, const std::vector<const Word*>& held) {
        for (Rank worker = 0; worker < m_job.workers; ++worker)
        {
            terms[worker].resize(range.count);
            gradients->Fill(worker, range.begin, range.count, terms[worker].data());
            std::for_each_n(
                held[worker], range.count, [&](Word word) { hashes[worker].Add(word); });
        }
        for (const auto* const sums : held)
        {
            isLossless = isLossless && AreSums(sums, terms);
        }
    });
    WordHash ofAll;
    for (const auto& hash : hashes)
    {
        ofAll.Add(hash.Value());
    }
    return {ofAll.Value(), isLossless};
}

ExchangeCounts
ValueExchange::Exchange(WorkerGradient gradients, const Take& take)
{
    m_gradients = std::move(gradients);
    m_counts = {};
    for (std::size_t chunk = 0; chunk < m_ready.size(); ++chunk)
    {
        const auto& ready = m_ready[chunk];
        if (m_job.chunks[chunk].purpose != ExchangePurpose::GRADIENTS)
        {
            continue;
        }
        m_counts += ready.counts;
        ready.replay ? ExchangeValues(m_job.chunks[chunk], ready, take)
                     : ExchangeCoded(m_job.chunks[chunk], take);
    }
    m_gradients = nullptr;
    return m_counts;
}

void
ValueExchange::ExchangeValues(const JobChunk& chunk, const Ready& ready, const Take& take)
{
    auto& replay = *ready.replay;
    const auto misfitsBefore = replay.Misfits();
    const auto frameValues = m_prepared.resolved->framePayloadBytes / VALUE_BYTES;
    const auto framesOf = [frameValues](const GroupCoding& coding) {
        const bool isInEngines = coding.place == CodingPlace::ENGINE;
        return CodedSizes::Frames{coding.codec, isInEngines ? frameValues : g_partValues};
    };
    const auto& [within, between] = m_job.coding.groups;
    m_sizes.emplace(std::array<CodedSizes::Frames, 2>{framesOf(within), framesOf(between)});
    for (const auto& window : ready.windows)
    {
        ThrowIfInterrupted();
        replay.Run(window);
        TakeWindow(chunk, window, replay, take);
    }
    m_counts.misfits += replay.Misfits() - misfitsBefore;
    m_counts.gradientBytes += m_sizes->TotalBytes();
}

void
ValueExchange::TakeWindow(const JobChunk& chunk,
                          ElementRange window,
                          ClocklessReplay& replay,
                          const Take& take)
{
    std::vector<HeldWords> held; // by communicator
    std::vector<const Word*> words(m_job.workers);
    for (const auto& members : chunk.InCommunicators())
    {
        held.push_back(HeldOf(members, chunk, replay.Values(), window));
        const auto& own = held.back().words;
        for (std::size_t i = 0; i < members.size(); ++i)
        {
            words[members[i]] = own[own.size() == 1 ? 0 : i]; // all get what is of shards
        }
    }
    auto range = Clip(window, {0, chunk.range.count}); // behind it are zeros
    m_counts.replicaDifference =
        std::max(m_counts.replicaDifference, ReplicaDifference(words, range.count));
    range.begin += chunk.range.begin;
    take(range, words);
}

void
ValueExchange::ExchangeCoded(const JobChunk& chunk, const Take& take)
{
    const auto sums = ReplayCoded(m_job, chunk);
    m_counts.estimated += sums.report.estimated;
    std::vector<Word> words(chunk.range.count);
    CopyBits(sums.values.data(), words.size(), words.data());
    take(chunk.range, std::vector<const Word*>(m_job.workers, words.data()));
}

/** Of a message of gradients: by frame where NICs encode it. */
void
ValueExchange::CountEncoded(const PlannedSend& send,
                            const Transfer& transfer,
                            ElementRange part,
                            const Word* words)
{
    m_counts.plainValues += static_cast<double>(part.count);
    const auto place = m_job.coding.PlaceOf(transfer);
    if (place == CodingPlace::NONE)
    {
        m_counts.gradientBytes +=
            part.count * m_job.BytesPerElement(transfer.kind, transfer.crossesGroups);
        return;
    }
    if (place == CodingPlace::ENGINE || part.count < transfer.range.count)
    {
        m_sizes->Add(send, transfer, part, words);
        return;
    }
    std::vector<float> values(part.count);
    CopyFloats(words, part.count, values.data());
    m_counts.gradientBytes +=
        m_job.coding.HostCodecOf(transfer)->CountBytes(values.data(), values.size());
}

} // namespace inca
