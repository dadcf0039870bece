/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/gpu-sums.h"

#include "base/word.h"
#include "exchange/element-range.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inca
{

namespace
{

class GpuSums : public ValueSource
{
  public:
    GpuSums(std::shared_ptr<const ValueSource> ofGpus, GpuRing ring)
        : m_ofGpus(std::move(ofGpus)),
          m_ring(std::move(ring))
    {
        auto& begins = m_ring.bucketBegins;
        std::sort(begins.begin(), begins.end());
        begins.push_back(m_ring.elements);
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        const auto& begins = m_ring.bucketBegins;
        const ElementRange all{begin, count};
        auto next = std::upper_bound(begins.begin(), begins.end(), begin);
        for (; next != begins.end() && *std::prev(next) < all.End(); ++next)
        {
            FillBucket(worker, {*std::prev(next), *next - *std::prev(next)}, all, out);
        }
    }

    /** What of @p all lies in @p bucket. */
    void FillBucket(std::uint32_t worker, ElementRange bucket, ElementRange all, float* out) const
    {
        for (std::uint32_t block = 0; block < m_ring.gpus; ++block)
        {
            auto range = BlockOf(bucket.count, m_ring.gpus, block);
            range.begin += bucket.begin;
            range = Clip(range, all);
            for (std::uint64_t done = 0; done < range.count; done += WORD_BLOCK)
            {
                const auto first = range.begin + done;
                Add(worker,
                    block,
                    {first, std::min<std::uint64_t>(WORD_BLOCK, range.count - done)},
                    out + (first - all.begin));
            }
        }
    }

    void Add(std::uint32_t worker, std::uint32_t block, ElementRange range, float* sums) const
    {
        const auto gpus = m_ring.gpus;
        m_ofGpus->Fill(worker * gpus + block, range.begin, range.count, sums);
        std::array<float, WORD_BLOCK> own;
        for (std::uint32_t hop = 1; hop < gpus; ++hop)
        {
            const auto gpu = worker * gpus + (block + hop) % gpus;
            m_ofGpus->Fill(gpu, range.begin, range.count, own.data());
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                sums[i] += own[i];
            }
            m_ring.type.Round(sums, range.count);
        }
    }

    std::shared_ptr<const ValueSource> m_ofGpus;
    GpuRing m_ring; ///< its begins ascend, and end with the model's end
};

class RoundedValues : public ValueSource
{
  public:
    RoundedValues(std::shared_ptr<const ValueSource> values, GradientType type)
        : m_values(std::move(values)),
          m_type(std::move(type))
    {
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        m_values->Fill(worker, begin, count, out);
        m_type.Round(out, count);
    }

    std::shared_ptr<const ValueSource> m_values;
    GradientType m_type;
};

} // namespace

std::shared_ptr<const ValueSource>
MakeGpuSums(std::shared_ptr<const ValueSource> ofGpus, GpuRing ring)
{
    return std::make_shared<const GpuSums>(std::move(ofGpus), std::move(ring));
}

std::shared_ptr<const ValueSource>
MakeRoundedValues(std::shared_ptr<const ValueSource> values, const GradientType& type)
{
    return type.narrow ? std::make_shared<const RoundedValues>(std::move(values), type) : values;
}

} // namespace inca
