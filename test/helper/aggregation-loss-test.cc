/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sums of values and of words, and their parts, over many random networks that lose many frames: exact on every worker,
// whatever was lost.
#include "base/random.h"
#include "device/random-loss.h"
#include "exchange/network-reduction.h"
#include "helper/aggregation-helper.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "topology/topology-catalog.h"

#include "ns3/config.h"
#include "ns3/integer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint64_t SEEDS{400};
constexpr double MOST_LOSS{0.1};

/** One random network and what is summed in it, all of it drawn from a seed. */
class RandomSums
{
  public:
    explicit RandomSums(std::uint64_t seed)
        : m_seed(seed),
          m_draws(seed, 0)
    {
        SetPicosecondResolution();
        m_workers = Draw(2, 16);
        m_spec.workers = m_workers;
        m_spec.adder = std::array{
            WordSum::FP32, WordSum::INT32, WordSum::INT32, WordSum::INT32_SATURATING}[Draw(0, 3)];
        if (Draw(0, 1) == 1)
        {
            m_spec.fixedExponent = EXPONENT;
        }
        m_spec.valuesPerPacket = Draw(1, 8);
        SetAttributes();
        m_cluster = TopologyHelper().Install(MakeTopology(DrawTopology()));
        AggregationHelper().Install(m_cluster, m_workers);
        LoseFrames();
        const auto sums = Draw(1, 3);
        for (std::uint32_t sum = 0; sum < sums; ++sum)
        {
            m_asked.push_back(DrawSum());
        }
        m_sums.resize(m_workers);
    }

    ~RandomSums()
    {
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    void Run()
    {
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            m_sums[worker].resize(m_asked.size());
            for (std::size_t sum = 0; sum < m_asked.size(); ++sum)
            {
                Ask(worker, sum);
            }
        }
        ns3::Simulator::Run();
    }

    void Check() const
    {
        for (std::size_t sum = 0; sum < m_asked.size(); ++sum)
        {
            for (Rank worker = 0; worker < m_workers; ++worker)
            {
                const auto& got = m_sums[worker][sum];
                ASSERT_EQ(got.words, Expected(worker, sum))
                    << "worker " << worker << " sum " << sum;
                ASSERT_EQ(got.doneCount, 1U);
                // only words have a number to go along, of which the largest comes back
                const bool isOfWords = m_asked[sum].words.has_value();
                ASSERT_EQ(got.exponents,
                          std::vector<std::int16_t>(isOfWords ? 1 : 0, ExponentOf(LARGEST)));
            }
        }
        for (const auto& program : m_cluster.AggregationOf().programs)
        {
            if (program)
            {
                const auto& counters = program->Counters();
                ASSERT_EQ(counters.in,
                          counters.combined + counters.forwarded + counters.answered +
                              counters.Dropped());
                ASSERT_EQ(counters.noSlot + counters.foreign, 0U);
                ASSERT_EQ(program->State().find("waits for"), std::string::npos);
            }
        }
    }

    std::uint64_t LostFrames() const
    {
        std::uint64_t frames = 0;
        for (const auto side : {0U, 1U})
        {
            for (const auto& link : m_cluster.links)
            {
                frames += link->Counters(side).lostFrames;
            }
            for (const auto& trunk : m_cluster.trunks)
            {
                frames += trunk.link->Counters(side).lostFrames;
            }
        }
        return frames;
    }

  private:
    static constexpr std::int16_t EXPONENT{6}; ///< of fixed scaling

    std::uint32_t Draw(std::uint32_t least, std::uint32_t most)
    {
        return least + static_cast<std::uint32_t>(m_draws.Bits() % (most - least + 1));
    }

    /** A star, a leaf-spine network or a fat tree: 1, 2 or 3 levels. */
    TopologySpec DrawTopology()
    {
        static const std::vector<std::string> names{"star", "leaf-spine", "fat-tree", "rack-pair"};
        TopologySpec spec;
        spec.name = names[Draw(0, 3)];
        spec.hosts = spec.name == "fat-tree" ? 16 : m_workers;
        spec.hostsPerLeaf = Draw(1, 4);
        spec.trunks = Draw(1, 3);
        return spec;
    }

    void SetAttributes()
    {
        const auto slotCount = Draw(1, 12);
        const ns3::UintegerValue slots(slotCount);
        const ns3::UintegerValue sequences(slotCount > 1 ? Draw(1, 2) : 1);
        const ns3::UintegerValue values(m_spec.valuesPerPacket);
        for (const std::string side : {"inca::SlotProgram::", "inca::SlotClient::"})
        {
            ns3::Config::SetDefault(side + "Slots", slots);
            ns3::Config::SetDefault(side + "ValuesPerPacket", values);
            ns3::Config::SetDefault(side + "Sequences", sequences);
            ns3::Config::SetDefault(side + "Adder", ns3::StringValue(m_spec.adder.name));
        }
        ns3::Config::SetDefault("inca::SlotClient::Scaling",
                                ns3::StringValue(m_spec.fixedExponent ? "fixed" : "block"));
        ns3::Config::SetDefault("inca::SlotClient::FixedExponent", ns3::IntegerValue(EXPONENT));
        // from shorter than a round trip to much longer
        ns3::Config::SetDefault("inca::SlotClient::Timeout",
                                ns3::TimeValue(ns3::MicroSeconds(Draw(3, 100))));
        ns3::Config::SetDefault("inca::SlotClient::DoubleAfter", ns3::UintegerValue(Draw(0, 50)));
        ns3::Config::SetDefault("inca::HostPath::FrameCost",
                                ns3::TimeValue(ns3::NanoSeconds(Draw(0, 1) * 300)));
        ns3::Config::SetDefault("inca::SlotProgram::AdderRate",
                                ns3::UintegerValue(Draw(0, 1) * 50'000'000));
    }

    void LoseFrames()
    {
        std::uint64_t stream = 1;
        const auto lose = [this, &stream](const ns3::Ptr<Link>& link) {
            for (const auto side : {0U, 1U})
            {
                const auto share = MOST_LOSS * m_draws.Uniform();
                link->SetErrorModel(side, ns3::CreateObject<RandomLoss>(share, m_seed, stream++));
            }
        };
        for (const auto& link : m_cluster.links)
        {
            lose(link);
        }
        for (const auto& trunk : m_cluster.trunks)
        {
            lose(trunk.link);
        }
    }

    static constexpr Rank LARGEST{1}; ///< the worker with the largest number to go along

    /** What is asked for: values, or words that are added or or-ed as they are; all of it, or a part for each worker. */
    struct Asked
    {
        std::uint64_t values;
        std::optional<WordSum> words;
        SumPhase phase;
    };

    /** What a worker has got. */
    struct Got
    {
        std::vector<Word> words;
        std::vector<std::int16_t> exponents;
        unsigned doneCount{0};
    };

    /** Floating-point switches or bits as well; they add no integers. */
    Asked DrawSum()
    {
        const auto values = Draw(1, 200);
        const auto phase = std::array{SumPhase::ALL_REDUCE,
                                      SumPhase::ALL_REDUCE,
                                      SumPhase::REDUCE_SCATTER,
                                      SumPhase::ALL_GATHER}[Draw(0, 3)];
        const auto kind = phase == SumPhase::ALL_GATHER ? 2 : Draw(0, 3);
        if (kind == 0)
        {
            return {values, WordSum::OR, phase};
        }
        const bool addsIntegers = kind == 1 && m_spec.adder != WordSum::FP32;
        return {values, addsIntegers ? std::optional(WordSum::INT32) : std::nullopt, phase};
    }

    static std::int16_t ExponentOf(Rank worker)
    {
        return worker == LARGEST ? std::int16_t{7} : static_cast<std::int16_t>(-10 - worker);
    }

    /** Any bits to or; of integers 27, of which 16 fit int32; of values small integers, which fp32 adds exactly. */
    Word Own(Rank worker, std::size_t sum, std::uint64_t at) const
    {
        if (m_asked[sum].words)
        {
            const auto bits = RandomBits(m_seed, worker, sum, at);
            return static_cast<Word>(m_asked[sum].words == WordSum::OR ? bits & (bits >> 32U)
                                                                       : bits >> 37U);
        }
        const auto value = static_cast<int>((worker * 31 + sum * 17 + at * 7) % 101) - 50;
        return BitsOf(static_cast<float>(value));
    }

    void Read(Rank worker, std::size_t sum, ElementRange range, Word* out) const
    {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            out[i] = Own(worker, sum, range.begin + i);
        }
    }

    void Ask(Rank worker, std::size_t sum)
    {
        auto& got = m_sums[worker][sum];
        got.words.assign(m_asked[sum].values, 0);
        ReductionRequest request;
        request.size = {m_asked[sum].values, m_asked[sum].phase, 1};
        request.worker = worker;
        request.words = m_asked[sum].words;
        request.read = [this, worker, sum](ElementRange range, Word* out) {
            Read(worker, sum, range, out);
        };
        request.write = [&got](ElementRange range, const Word* in) {
            std::copy_n(in, range.count, &got.words[range.begin]);
        };
        if (request.words)
        {
            request.exponent = ExponentOf(worker);
            request.writeExponent = [&got](std::int16_t exponent) {
                got.exponents.push_back(exponent);
            };
        }
        request.done = [&got] { ++got.doneCount; };
        m_cluster.AggregationOf().clients[worker]->Sum(std::move(request));
    }

    /** By a path that knows no packets: of values as they are scaled, of words one by one; 0 for what @p worker does not get. */
    std::vector<Word> Expected(Rank worker, std::size_t sum) const
    {
        const auto [count, words, phase] = m_asked[sum];
        std::vector<Word> expected(count, 0);
        const bool isWhole = phase == SumPhase::ALL_REDUCE;
        for (Rank owner = 0; owner < (isWhole ? 1 : m_workers); ++owner)
        {
            const auto range = BlockOf(count, isWhole ? 1 : m_workers, owner);
            if (phase == SumPhase::ALL_GATHER && owner != worker)
            {
                Read(owner, sum, range, expected.data() + range.begin);
            }
            else if (isWhole || (phase == SumPhase::REDUCE_SCATTER && owner == worker))
            {
                Add(sum, range, expected.data() + range.begin);
            }
        }
        return expected;
    }

    void Add(std::size_t sum, ElementRange range, Word* to) const
    {
        const auto words = m_asked[sum].words;
        std::vector<std::vector<Word>> own(m_workers, std::vector<Word>(range.count));
        std::vector<const Word*> all;
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            Read(worker, sum, range, own[worker].data());
            all.push_back(own[worker].data());
            for (std::uint64_t i = 0; i < range.count && words; ++i)
            {
                to[i] = words == WordSum::OR ? to[i] | own[worker][i] : to[i] + own[worker][i];
            }
        }
        if (!words && range.count > 0)
        {
            MakeNetworkReduction(m_spec).add(all, range.count, to);
        }
    }

    std::uint64_t m_seed;
    RandomStream m_draws;
    Rank m_workers{2};
    ReductionSpec m_spec;
    Cluster m_cluster;
    std::vector<Asked> m_asked;           ///< by sum
    std::vector<std::vector<Got>> m_sums; ///< by worker and sum
};

} // namespace

TEST(AggregationLoss, EverySumIsExactWhateverIsLost)
{
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomSums sums(seed);
        sums.Run();
        sums.Check();
        lost += sums.LostFrames();
        if (testing::Test::HasFatalFailure())
        {
            return;
        }
    }
    // some 5 % of at least 2 frames per worker, packet and seed: 400 * 9 * 20 packets
    EXPECT_GT(lost, 5'000U);
}

} // namespace inca
