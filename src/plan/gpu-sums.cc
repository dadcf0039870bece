/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/gpu-sums.h"

#include "base/word.h"
#include "exchange/element-range.h"

#include <algorithm>
#include <array>
#include <limits>
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
            const auto bucket = *std::prev(next);
            for (std::uint32_t block = 0; block < m_ring.gpus; ++block)
            {
                auto range = BlockOf(*next - bucket, m_ring.gpus, block);
                range.begin += bucket;
                range = Clip(range, all);
                while (range.count > 0)
                {
                    const auto some = std::min<std::uint64_t>(WORD_BLOCK, range.count);
                    Add(worker, block, {range.begin, some}, out + (range.begin - begin));
                    range = {range.begin + some, range.count - some};
                }
            }
        }
    }

    void Add(std::uint32_t worker, std::uint32_t block, ElementRange range, float* sums) const
    {
        std::array<float, WORD_BLOCK> own;
        for (std::uint32_t hop = 0; hop < m_ring.gpus; ++hop)
        {
            const auto gpu = worker * m_ring.gpus + (block + hop) % m_ring.gpus;
            auto* const values = hop == 0 ? sums : own.data();
            m_ofGpus->Fill(gpu, range.begin, range.count, values);
            m_ring.type.Round(values, range.count);
            for (std::uint64_t i = 0; hop > 0 && i < range.count; ++i)
            {
                sums[i] += own[i];
            }
            m_ring.type.Round(sums, range.count);
        }
    }

    std::shared_ptr<const ValueSource> m_ofGpus;
    GpuRing m_ring; ///< its begins ascend, and end with the model's end
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
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return type.narrow ? MakeGpuSums(std::move(values), {1, type, {0}, most}) : values;
}

} // namespace inca
