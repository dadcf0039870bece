/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/weight-shards.h"

#include <algorithm>

namespace inca
{

void
WeightShards::Keep(const JobChunk& chunk, const RankValues& values)
{
    auto shard = std::make_shared<Shard>();
    for (const auto& range : values.Updated())
    {
        shard->emplace_back(range, std::vector<Word>(range.count));
        values.Read(range, shard->back().second.data());
    }
    m_shards[chunk.range.begin] = std::move(shard);
}

RankValues::OwnWords
WeightShards::Of(const JobChunk& chunk) const
{
    const auto found = m_shards.find(chunk.range.begin);
    if (found == m_shards.end())
    {
        return nullptr;
    }
    return [shard = found->second](ElementRange range, Word* out) {
        std::fill_n(out, range.count, Word{0}); // whoever has them sends others
        for (const auto& [kept, words] : *shard)
        {
            const auto part = Clip(range, kept);
            std::copy_n(words.data() + (part.begin - kept.begin),
                        part.count,
                        out + (part.begin - range.begin));
        }
    };
}

} // namespace inca
