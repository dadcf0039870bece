/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALUES_VALUE_EXCHANGE_H
#define INCA_VALUES_VALUE_EXCHANGE_H

#include "inca/job/clockless-replay.h"
#include "inca/plan/job-builder.h"
#include "inca/scenario/scenario.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What an exchange has put on the wire, and what became of its values. */
struct ExchangeCounts
{
    double plainValues{0}; ///< gradients' values that ranks have sent, each as often as it was
    std::uint64_t gradientBytes{0}; ///< of these, encoded, without headers
    std::uint64_t weightBytes{0};   ///< of what comes back to workers from whoever sums
    std::uint64_t misfits{0};       ///< values that did not fit the scale by which a switch adds
    std::uint64_t estimated{0};     ///< values that are an estimate of the sum
    double replicaDifference{0}; ///< the largest difference between two workers' copies of a value

    ExchangeCounts& operator+=(const ExchangeCounts& other);

    /** Of a gradient's value on the wire; 0: none was sent. (bits) */
    double BitsPerValue() const
    {
        constexpr double bitsOfByte = 8;
        return plainValues > 0 ? bitsOfByte * static_cast<double>(gradientBytes) / plainValues : 0;
    }
};

/** What sets the arithmetic of one exchange apart from that of another. */
struct ValuePath
{
    std::uint64_t hash{0};  ///< of a trial's sums of random gradients: equal where arithmetic is
    bool isLossless{false}; ///< additions of fp32 values make its sums, in some order
};

/**
 * The arithmetic of a scenario's exchange on gradients that others bring, without a clock: what workers hold afterwards
 * is to the bit what those of a simulated run with the same gradients hold. Where the order of arrival decides how
 * a switch rounds a sum of fp32, gradients are added in the order of the workers.
 */
class ValueExchange
{
  public:
    /**
     * @param scenario its own values are not looked at
     * @param tensors each a layer, in model order, of the type of the scenario's trace, if that was read, but without its
     *        statistics; empty: the trace says them
     * @throws InputError if the scenario cannot be run, or there are more than 2^38 values
     */
    explicit ValueExchange(const Scenario& scenario, std::vector<std::uint64_t> tensors = {});

    ValueExchange(const ValueExchange&) = delete; // replays know the address of its job
    ValueExchange& operator=(const ValueExchange&) = delete;
    ~ValueExchange() = default;

    const Scenario& Settings() const
    {
        return m_prepared.resolved->scenario;
    }

    const std::vector<std::uint64_t>& Tensors() const
    {
        return m_tensors;
    }

    Rank Workers() const
    {
        return m_job.workers;
    }

    std::uint64_t Elements() const
    {
        return m_prepared.resolved->trace->Elements();
    }

    /** "fp32", "fp16" or "bf16". */
    const std::string& GradientType() const
    {
        return m_prepared.resolved->trace->gradientType;
    }

    /**
     * Goes through one exchange.
     * @param own each worker's gradient, of all elements
     * @param results room for what each worker holds afterwards, or null; may be what is at @p own
     */
    ExchangeCounts Run(const std::vector<const float*>& own, const std::vector<float*>& results);

    /** What the encoder of @p worker leaves of its gradient, of all elements: without a codec, what it brings. */
    void Code(Rank worker, const float* own, float* coded) const;

    /** By a trial exchange. */
    ValuePath Path();

  private:
    /** A chunk's exchange, and what of it is known before its values are. */
    struct Ready
    {
        std::unique_ptr<ClocklessReplay> replay; ///< null: it is coded
        std::vector<ElementRange> windows;
        ExchangeCounts counts; ///< of what no codec changes the size of
    };

    /** Takes what each worker holds of elements of the model. */
    using Take = std::function<void(ElementRange range, const std::vector<const Word*>& held)>;

    Ready MakeReady(const JobChunk& chunk);
    ExchangeCounts Sent(const JobChunk& chunk, const JobRound& round) const;
    ExchangeCounts Exchange(WorkerGradient gradients, const Take& take);
    void ExchangeValues(const JobChunk& chunk, const Ready& ready, const Take& take);
    void TakeWindow(const JobChunk& chunk,
                    ElementRange window,
                    ClocklessReplay& replay,
                    const Take& take);
    void ExchangeCoded(const JobChunk& chunk, const Take& take);
    void CountEncoded(const PlannedSend& send,
                      const Transfer& transfer,
                      ElementRange part,
                      const Word* words);

    std::vector<std::uint64_t> m_tensors;
    PreparedJob m_prepared;
    WorkerGradient m_gradients;        ///< of the exchange under way
    ExchangeCounts m_counts;           ///< of the exchange under way
    std::optional<CodedSizes> m_sizes; ///< of the messages of its chunk under way
    TrainingJob m_job;                 ///< its gradients are those
    std::vector<Ready> m_ready;        ///< by chunk
};

} // namespace inca

#endif // INCA_VALUES_VALUE_EXCHANGE_H
