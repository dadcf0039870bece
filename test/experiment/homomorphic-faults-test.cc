/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What goes wrong on the way of homomorphically compressed values is noticed.
#include "base/errors.h"
#include "experiment/sketch-fixture.h"
#include "job/verifier.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** Another coding, but for what is done to its words. */
class FaultyCoding : public ChunkCoding
{
  public:
    using Fault = std::function<void(std::size_t round, std::vector<Word>& words)>;

    FaultyCoding(std::shared_ptr<const ChunkCoding> coding, Fault fault, int exponentShift)
        : m_coding(std::move(coding)),
          m_fault(std::move(fault)),
          m_exponentShift(exponentShift)
    {
    }

    bool Overlaps() const override
    {
        return m_coding->Overlaps();
    }

    std::int64_t EncodePs(std::size_t round) const override
    {
        return m_coding->EncodePs(round);
    }

    std::int64_t DecodePs() const override
    {
        return m_coding->DecodePs();
    }

    std::int16_t Exponent(const std::vector<float>& values) const override
    {
        return static_cast<std::int16_t>(m_coding->Exponent(values) + m_exponentShift);
    }

    std::vector<Word> Encode(std::size_t round,
                             const std::vector<float>& values,
                             const std::vector<RoundResult>& ended) const override
    {
        auto words = m_coding->Encode(round, values, ended);
        m_fault(round, words);
        return words;
    }

    double ErrorBound(const std::vector<RoundResult>& results) const override
    {
        return m_coding->ErrorBound(results);
    }

    ChunkReport Decode(const std::vector<RoundResult>& results,
                       std::vector<float>& values) const override
    {
        return m_coding->Decode(results, values);
    }

  private:
    std::shared_ptr<const ChunkCoding> m_coding;
    Fault m_fault;
    int m_exponentShift;
};

/** Does something to the words of one worker, the second that encodes, in one round. */
FaultyCoding::Fault
Once(std::size_t round, std::function<void(std::vector<Word>&)> action)
{
    const auto seen = std::make_shared<unsigned>(0);
    return [=](std::size_t inRound, std::vector<Word>& words) {
        if (inRound == round && ++*seen == 2)
        {
            action(words);
        }
    };
}

} // namespace

class HomomorphicFaults : public SketchFixture
{
  protected:
    static Scenario WithValues(const std::string& algorithm, const std::string& adder)
    {
        return With(Compressed(ThreeLayers(), algorithm, 3),
                    "training.values=true simulation.mode=packet codec.ratio=1 switch.adder=" +
                        adder);
    }

    /** Runs with a faulty coding, which the verifier does not know of. @return whether it complains */
    bool IsCaught(const Scenario& scenario, FaultyCoding::Fault fault, int exponentShift)
    {
        Install(scenario);
        ranks.clear();
        ns3::Simulator::Destroy();
        cluster = BuildCluster(plan);
        const auto faulty = std::make_shared<TrainingJob>(*plan.Job().job);
        auto& coding = faulty->chunks.front().coding;
        coding = std::make_shared<FaultyCoding>(coding, std::move(fault), exponentShift);
        ranks = InstallJob(cluster, faulty);
        const auto caught = RunVerified();
        ranks.clear();
        ns3::Simulator::Destroy();
        return caught;
    }

  private:
    bool RunVerified()
    {
        Verifier verifier(plan.Job().job);
        bool caught = false;
        for (const auto& rank : ranks)
        {
            rank->SetValueSink([&](Rank from, std::uint32_t exchange, ExchangeOutcome outcome) {
                try
                {
                    verifier.Take(from, exchange, std::move(outcome));
                }
                catch (const InvariantError&)
                {
                    caught = true;
                }
            });
        }
        ns3::Simulator::Run();
        for (const auto& rank : ranks)
        {
            EXPECT_TRUE(rank->IsFinished());
            rank->SetValueSink(nullptr);
        }
        return caught;
    }
};

TEST_F(HomomorphicFaults, AreCaught)
{
    using Words = std::vector<Word>;
    // the last value of the tail, on one worker
    const auto turn = [](Words& words) { words.back() ^= 1U; };
    const auto forgetAll = [](Words& words) { std::fill(words.begin(), words.end(), 0); };
    const auto forgetOne = [](Words& words) {
        *std::find_if(words.begin(), words.end(), [](Word word) { return word != 0; }) = 0;
    };
    const FaultyCoding::Fault none = [](std::size_t, Words&) {};

    struct Row
    {
        const char* algorithm;
        const char* adder;
        FaultyCoding::Fault fault;
        int exponentShift;
        bool isCaught;
    };

    std::vector<Row> rows{
        {"switch-slots", "fp32", none, 0, false},
        // Switches that add fp32 may round, but not make a sum of something else.
        {"switch-slots", "fp32", Once(1, forgetOne), 0, true},
        {"switch-slots", "fp32", Once(0, forgetAll), 0, true},
        // Half of the scale clamps the largest values; twice of it rounds all of them more coarsely.
        {"switch-slots", "int32", none, -1, true},
        {"switch-slots", "int32", none, 1, true},
        {"switch-slots", "int32-saturating", none, -4, true},
    };
    for (const auto* algorithm : {"ring", "parameter-server", "switch-slots"})
    {
        rows.push_back({algorithm, "int32", none, 0, false});
        rows.push_back({algorithm, "int32", Once(1, turn), 0, true});
        // What one worker alone has, of a layer where 1 value in 100 is set, is then not marked.
        rows.push_back({algorithm, "int32", Once(0, forgetAll), 0, true});
    }
    for (const auto& row : rows)
    {
        EXPECT_EQ(IsCaught(WithValues(row.algorithm, row.adder), row.fault, row.exponentShift),
                  row.isCaught)
            << row.algorithm << " " << row.adder << " " << row.exponentShift;
    }
}

} // namespace inca
