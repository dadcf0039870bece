/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Hosts that code what goes between groups by another codec (MessageCoding::groups).
#include "codec/codec-catalog.h"
#include "helper/job-fixture.h"
#include "job/chunk-replay.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace inca
{

namespace
{

std::shared_ptr<const Codec>
Truncation(unsigned dropBits)
{
    CodecSpec spec;
    spec.name = "truncate";
    spec.dropBits = dropBits;
    return MakeCodec(spec);
}

} // namespace

class BetweenCodec : public JobFixture
{
  protected:
    static constexpr std::uint64_t BLOCK{50}; ///< elements

    /** 2 groups of 2, whose hosts drop 16 of 32 bits in a group, and 24 between groups. */
    BetweenCodec()
        : job(MakeTensorJob(Exchange("two-shot", 4, "flat", 2), 4 * BLOCK))
    {
        job->coding.groups = {
            {{CodingPlace::HOST, Truncation(16), 1, [](ElementRange) { return 16.0; }},
             {CodingPlace::HOST, Truncation(24), 1, [](ElementRange) { return 8.0; }}}};
    }

    std::shared_ptr<TrainingJob> job;
};

/* In a group hops of 100 values, of 2 bytes each: those of 50 values as they are. Between groups hops of 50 of 1 byte each:
 * (50 + 78) * 0.8 ns twice, and 2 us. */
TEST_F(BetweenCodec, TakesLessBetweenGroups)
{
    const std::int64_t betweenPs = 2 * ((50 + 78) * 800 + LINK_PS);
    EXPECT_EQ(Run(job), 2 * HopPs(BLOCK) + 2 * betweenPs + 3 * ACK_PS);
}

/* All workers hold what a replay gives, which is another sum than without the second codec. */
TEST_F(BetweenCodec, CodesValuesAsAReplayDoes)
{
    job->ownGradient = [](Rank worker, ElementRange range, float* out) {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            out[i] = 1 + static_cast<float>((range.begin + i) * (worker + 1)) / 300;
        }
    };
    std::vector<std::vector<Word>> held(4, std::vector<Word>(4 * BLOCK));
    const ElementRange all{0, 4 * BLOCK};
    Run(job, StarHelper().Install(4), [&](Rank worker, std::uint32_t, ExchangeOutcome outcome) {
        outcome.values->Read(all, held[worker].data());
    });
    const auto& plan = *job->chunks.front().rounds.front().plan;
    const auto own = WordsOf(job->ownGradient);
    ClocklessReplay replay(plan, own, {}, WireOf(*job));
    replay.Run(all);
    job->coding.groups[1] = job->coding.groups[0];
    ClocklessReplay ofOne(plan, own, {}, WireOf(*job));
    ofOne.Run(all);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        const auto* const expected = replay.ValuesOf(worker).Held(all);
        EXPECT_TRUE(std::equal(held[worker].begin(), held[worker].end(), expected)) << worker;
        EXPECT_EQ(held[worker], held[0]);
        const auto* const other = ofOne.ValuesOf(worker).Held(all);
        EXPECT_FALSE(std::equal(held[worker].begin(), held[worker].end(), other)) << worker;
    }
}

} // namespace inca
