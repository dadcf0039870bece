/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/key-scale.h"

#include "base/units.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::HasSubstr;

KeyScale
ScaleOf(const std::string& key, const std::string& range)
{
    return {*FindKey(key), range};
}

std::vector<std::string>
TextsOf(const std::string& key, const std::string& range, std::size_t count)
{
    std::vector<std::string> texts;
    for (const auto& value : ScaleOf(key, range).Points(count))
    {
        texts.push_back(value.text);
    }
    return texts;
}

std::string
Refusal(const std::string& key, const std::string& range)
{
    try
    {
        ScaleOf(key, range);
    }
    catch (const UnitError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

/* Where values span decades, each is the one before times a factor: 10 to 1000 Gb/s in 4 steps of sqrt(10). Whole numbers come
 * once: from 2 to 8 there are 7, not 17. Of 100.01 to 100.02 four digits tell nothing apart: the ends are all that is left. */
TEST(KeyScale, SpacesValues)
{
    struct Case
    {
        const char* key;
        const char* range;
        std::size_t count;
        std::vector<std::string> texts;
    };

    const std::vector<Case> cases{
        {"cluster.bandwidth",
         "10Gbps..1Tbps",
         5,
         {"10Gbps", "31.62Gbps", "100Gbps", "316.2Gbps", "1Tbps"}},
        {"cluster.latency", "500ns..50us", 3, {"500ns", "5us", "50us"}},
        {"host.sum_rate", "1GBps..10GBps", 3, {"1GBps", "3.162GBps", "10GBps"}},
        {"training.jitter_sd", "0..1", 5, {"0", "0.25", "0.5", "0.75", "1"}},
        {"cluster.bandwidth", "10Gbps..20Gbps", 3, {"10Gbps", "15Gbps", "20Gbps"}},
        {"cluster.workers", "2..8", 17, {"2", "3", "4", "5", "6", "7", "8"}},
        {"transport.window", "16..64", 3, {"16", "40", "64"}},
        {"codec.bound", "2^-12..2^-4", 3, {"2^-4", "2^-8", "2^-12"}},
        {"cluster.bandwidth", "100.01Gbps..100.02Gbps", 17, {"100.01Gbps", "100.02Gbps"}},
        {"exchange.bucket_bytes", "1MiB..16MiB", 3, {"1MiB", "4MiB", "16MiB"}},
    };
    for (const auto& [key, range, count, texts] : cases)
    {
        EXPECT_EQ(TextsOf(key, range, count), texts) << key;
    }
}

TEST(KeyScale, SizesAreWholeValues)
{
    for (const auto& value : ScaleOf("exchange.chunk_bytes", "1KiB..1MB").Points(17))
    {
        EXPECT_EQ(static_cast<std::uint64_t>(value.number) % 4, 0U) << value.text;
    }
}

TEST(KeyScale, HalvesUntilTheToleranceIsReached)
{
    const auto scale = ScaleOf("cluster.bandwidth", "1Gbps..100Gbps");
    const auto ends = scale.Points(2);
    const auto middle = scale.Between(ends[0], ends[1], 0.01);
    ASSERT_TRUE(middle);
    EXPECT_EQ(middle->text, "10Gbps");
    EXPECT_FALSE(scale.Between({99.5, "99.5Gbps"}, ends[1], 0.01));
    const auto workers = ScaleOf("cluster.workers", "2..64");
    EXPECT_FALSE(workers.Between({7, "7"}, {8, "8"}, 0.0001));
}

TEST(KeyScale, RefusesWhatHasNoOrderOrIsNoRange)
{
    EXPECT_THAT(Refusal("exchange.algorithm", "ring..switch-slots"),
                HasSubstr("'ring' is no number, and has none beside it; `inca sweep --vary`"));
    EXPECT_THAT(Refusal("training.overlap", "false..true"), HasSubstr("is no number"));
    EXPECT_THAT(Refusal("host.byte_rate", "1GBps..none"), HasSubstr("'none' is no number"));
    EXPECT_THAT(Refusal("codec.drop_bits", "16..24"), HasSubstr("takes only some of the values"));
    EXPECT_THAT(Refusal("cluster.workers", "2"), HasSubstr("needs the form LOW..HIGH"));
    EXPECT_THAT(Refusal("cluster.workers", "2..2"), HasSubstr("two values that differ"));
    EXPECT_THAT(Refusal("cluster.workers", "1..8"), HasSubstr("2..65536, got '1'"));
    EXPECT_THAT(Refusal("cluster.bandwidth", "1Gbps..4"), HasSubstr("'4'"));
}

} // namespace inca
