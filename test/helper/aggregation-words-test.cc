/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Words through a tree of switches as InstallAggregation builds it.
#include "base/random.h"
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"
#include "topology/topology-catalog.h"

#include "ns3/error-model.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

/** Five workers on three leaves under a root; packets of 4 words through 3 slots. */
class AggregationWordsTest : public JobFixture
{
  protected:
    using Words = std::vector<std::uint32_t>;

    static constexpr std::uint32_t WORKERS{5};
    static constexpr std::uint64_t WORDS{50}; ///< 12 full packets, and one of 2

    /** What one worker has got. */
    struct Sums
    {
        Words bits = Words(WORDS, 0);
        Words integers = Words(WORDS, 0);
        std::vector<std::int16_t> exponents;
        unsigned done{0};
    };

    void Build(const std::string& adder)
    {
        for (const std::string side : {"inca::SlotProgram::", "inca::SlotClient::"})
        {
            ns3::Config::SetDefault(side + "Slots", ns3::UintegerValue(3));
            ns3::Config::SetDefault(side + "ValuesPerPacket", ns3::UintegerValue(4));
            ns3::Config::SetDefault(side + "Adder", ns3::StringValue(adder));
        }
        TopologySpec spec;
        spec.name = "leaf-spine";
        spec.hosts = WORKERS;
        spec.hostsPerLeaf = 2;
        cluster = TopologyHelper().Install(MakeTopology(spec));
        InstallAggregation(cluster, "slots", WORKERS);
        sums.assign(WORKERS, {});
    }

    void TearDown() override
    {
        cluster = {};
        JobFixture::TearDown();
    }

    /** Both directions of every link and trunk lose their frames 0, 5 and 12. */
    void LoseFrames()
    {
        const auto lose = [](const ns3::Ptr<Link>& link) {
            for (const auto side : {0U, 1U})
            {
                auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
                losses->SetList({0, 5, 12});
                link->SetErrorModel(side, losses);
            }
        };
        std::for_each(cluster.links.begin(), cluster.links.end(), lose);
        for (const auto& trunk : cluster.trunks)
        {
            lose(trunk.link);
        }
    }

    /** Any bits for or; 27 of them for integers, of which 5 fit int32. */
    static std::uint32_t WordOf(std::uint32_t worker, WordSum sum, std::uint64_t i)
    {
        const auto bits = RandomBits(1, worker, i, 0);
        return static_cast<std::uint32_t>(sum == WordSum::OR ? bits & (bits >> 32U) : bits >> 37U);
    }

    /** Worker 3 has the largest of them. */
    static std::int16_t ExponentOfWorker(std::uint32_t worker)
    {
        return worker == 3 ? std::int16_t{7} : static_cast<std::int16_t>(-10 - worker);
    }

    void Ask(std::uint32_t worker, WordSum sum)
    {
        auto& own = sums[worker];
        NetworkSumRequest request;
        request.values = WORDS;
        request.words = sum;
        request.exponent = ExponentOfWorker(worker);
        request.read = [worker, sum](ElementRange range, Word* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = WordOf(worker, sum, range.begin + i);
            }
        };
        auto& words = sum == WordSum::OR ? own.bits : own.integers;
        request.write = [&words](ElementRange range, const Word* in) {
            std::copy_n(in, range.count, &words[range.begin]);
        };
        request.writeExponent = [&own](std::int16_t exponent) {
            own.exponents.push_back(exponent);
        };
        request.done = [&own] { ++own.done; };
        cluster.AggregationOf().clients[worker]->Sum(std::move(request));
    }

    static Words Expected(WordSum sum)
    {
        Words words(WORDS, 0);
        for (std::uint32_t worker = 0; worker < WORKERS; ++worker)
        {
            for (std::uint64_t i = 0; i < WORDS; ++i)
            {
                const auto word = WordOf(worker, sum, i);
                words[i] = sum == WordSum::OR ? words[i] | word : words[i] + word;
            }
        }
        return words;
    }

    /** Bits, then integers: both are there, with the largest exponent, and nothing was ahead. */
    void ExpectBoth(const std::string& adder)
    {
        SCOPED_TRACE(adder);
        Build(adder);
        LoseFrames();
        for (std::uint32_t worker = 0; worker < WORKERS; ++worker)
        {
            Ask(worker, WordSum::OR);
            Ask(worker, WordSum::INT32);
        }
        ns3::Simulator::Run();
        for (std::uint32_t worker = 0; worker < WORKERS; ++worker)
        {
            EXPECT_EQ(sums[worker].bits, Expected(WordSum::OR));
            EXPECT_EQ(sums[worker].integers, Expected(WordSum::INT32));
            EXPECT_EQ(sums[worker].exponents, (std::vector<std::int16_t>{7, 7}));
            EXPECT_EQ(sums[worker].done, 2U);
            EXPECT_EQ(cluster.AggregationOf().clients[worker]->SentFrames(), 2U * 13);
            EXPECT_GT(cluster.AggregationOf().clients[worker]->RetransmittedFrames(), 0U);
        }
    }

    Cluster cluster;
    std::vector<Sums> sums; ///< by worker
};

TEST_F(AggregationWordsTest, BitsAndIntegersAreExactWhateverIsLost)
{
    ExpectBoth("int32");
}

TEST_F(AggregationWordsTest, SaturatingSwitchesAreAsExactWhereSumsFit)
{
    ExpectBoth("int32-saturating");
}

} // namespace inca
