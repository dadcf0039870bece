/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_MODEL_SWITCH_FIXTURE_H
#define INCA_TEST_MODEL_SWITCH_FIXTURE_H

#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"
#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"
#include "device/nic.h"
#include "device/switch.h"
#include "exchange/network-reduction.h"
#include "helper/aggregation-helper.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "support/install.h"
#include "transport/host-path.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/integer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Workers under switches that add: 10 Gb/s, 1 us per link. Worker w holds
 * ValueOf(w, i) as its value i. A byte takes 0.8 ns; a packet of k values is 82 + 4 k bytes on the
 * wire, one for an exponent alone 84 bytes, 67.2 ns.
 *
 * By default packets carry 64 values (338 bytes, 270.4 ns), and the scaling is fixed: no prologue.
 */
class SwitchFixture : public testing::Test
{
  protected:
    static constexpr std::int64_t LINK_PS{1'000'000};
    static constexpr std::int64_t EXPONENT_PS{67'200};
    static constexpr std::int64_t FRAME_PS{270'400}; ///< 64 values
    static constexpr std::uint32_t VALUES{64};
    static constexpr std::int64_t ROUND_TRIP_PS{2 * (FRAME_PS + LINK_PS)};
    static constexpr std::int64_t TIMEOUT_PS{1'000'000'000}; ///< the default
    static constexpr std::int16_t FIXED_EXPONENT{6};         ///< no value is above 50
    static constexpr unsigned LOWER_SIDE{0}; ///< of a link: the worker's, or the leaf's
    static constexpr unsigned UPPER_SIDE{1};

    SwitchFixture()
    {
        SetPicosecondResolution();
        Both("ValuesPerPacket", ns3::UintegerValue(VALUES));
        Client("Scaling", ns3::StringValue("fixed"));
        Client("FixedExponent", ns3::IntegerValue(FIXED_EXPONENT));
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    // -- settings of what is built afterwards
    static void Client(const std::string& name, const ns3::AttributeValue& value)
    {
        ns3::Config::SetDefault("inca::SlotClient::" + name, value);
    }

    static void Program(const std::string& name, const ns3::AttributeValue& value)
    {
        ns3::Config::SetDefault("inca::SlotProgram::" + name, value);
    }

    static void Both(const std::string& name, const ns3::AttributeValue& value)
    {
        Client(name, value);
        Program(name, value);
    }

    static void Slots(std::uint32_t slots)
    {
        Both("Slots", ns3::UintegerValue(slots));
    }

    void UseFp32()
    {
        Both("Adder", ns3::StringValue("fp32"));
        sumSpec.adder = WordSum::FP32;
    }

    void ScaleByBlock()
    {
        Client("Scaling", ns3::StringValue("block"));
        sumSpec.fixedExponent.reset();
    }

    void ScaleFixed()
    {
        Client("Scaling", ns3::StringValue("fixed"));
        sumSpec.fixedExponent = FIXED_EXPONENT;
    }

    ns3::Ptr<HostPath> PathOf(std::size_t worker) const
    {
        return HostPath::Of(nics[worker]->GetNode());
    }

    /** @p count workers under one switch. */
    void Star(std::uint32_t count)
    {
        TopologyPlan plan;
        plan.switches = {{"switch", 0}};
        plan.hostSwitch.assign(count, 0);
        AggregationTree tree;
        tree.nodes.emplace_back();
        AddHosts(tree, 0, plan);
        Build(plan, tree);
    }

    /** A root with a leaf for each entry of @p workers, which says how many workers it has. */
    void Tree(const std::vector<std::uint32_t>& workers)
    {
        TopologyPlan plan;
        plan.switches = {{"root", 1}};
        AggregationTree tree;
        tree.nodes.emplace_back();
        for (std::uint32_t i = 0; i < workers.size(); ++i)
        {
            const auto leaf = i + 1;
            plan.switches.push_back({"leaf " + std::to_string(i), 0});
            plan.hostSwitch.insert(plan.hostSwitch.end(), workers[i], leaf);
            plan.trunks.push_back({leaf, 0, true});
            tree.nodes[0].children.push_back({false, leaf, i});
            tree.nodes.push_back({leaf, {}, 0U, i});
            AddHosts(tree, leaf, plan);
        }
        Build(plan, tree);
    }

    /** What worker @p worker holds: small integers, which every adder sums exactly. */
    static float ValueOf(std::size_t worker, std::uint64_t i)
    {
        return static_cast<float>(static_cast<int>((worker * 31 + i * 7) % 101) - 50);
    }

    /** Any bits; the first word of worker 0 would be a signalling NaN, which moves must not touch. */
    static Word WordOf(std::size_t worker, std::uint64_t i)
    {
        if (i == 0)
        {
            return worker == 0 ? 0x7f80'0001U : 0U;
        }
        return static_cast<Word>((worker + 1) * 0x9e37'79b9U ^ i * 0x85eb'ca6bU);
    }

    /** That goes along with words: -190, 200, 189, 178 ...: worker 1's is the largest. */
    static std::int16_t ExponentOfWorker(std::size_t worker)
    {
        return static_cast<std::int16_t>(worker == 0 ? -190 : 211 - 11 * static_cast<int>(worker));
    }

    /** All workers ask for the sum of @p values values, or words; notes results and times. */
    void SumAll(std::uint64_t values, bool withValues = true, std::optional<WordSum> words = {})
    {
        for (std::size_t worker = 0; worker < clients.size(); ++worker)
        {
            Sum(worker, values, withValues, words);
        }
    }

    void Sum(std::size_t worker,
             std::uint64_t values,
             bool withValues = true,
             std::optional<WordSum> words = {})
    {
        auto& result = results[worker].emplace_back();
        result.words = words;
        ReductionRequest request;
        request.size = values;
        request.words = words;
        request.exponent = words ? ExponentOfWorker(worker) : NO_EXPONENT;
        if (withValues)
        {
            result.sum.assign(values, 0);
            result.written.assign(values, 0);
            request.read = [worker, words](ElementRange range, Word* out) {
                Read(worker, words, range, out);
            };
            request.write = [&result](ElementRange range, const Word* sum) {
                std::copy_n(sum, range.count, &result.sum[range.begin]);
                for (std::uint64_t i = 0; i < range.count; ++i)
                {
                    ++result.written[range.begin + i];
                }
            };
        }
        request.writeExponent = [&result](std::int16_t exponent) {
            EXPECT_EQ(result.doneCount, 0U);
            result.exponents.push_back(exponent);
        };
        request.done = [&result] {
            ++result.doneCount;
            result.donePs = ns3::Simulator::Now().GetTimeStep();
        };
        clients[worker]->Sum(std::move(request));
    }

    /**
     * Runs, and expects every sum of every worker to be there once and exact, and frames to add up.
     */
    void RunExact()
    {
        ns3::Simulator::Run();
        for (const auto& ofWorker : results)
        {
            for (const auto& result : ofWorker)
            {
                ExpectExact(result);
            }
        }
        ExpectConserved();
    }

    /** Over all workers, by a path that knows no packet and no slot. */
    std::vector<Word> ExpectedSum(std::optional<WordSum> words, std::uint64_t values) const
    {
        auto spec = sumSpec;
        spec.workers = static_cast<Rank>(nics.size());
        spec.words = words;
        std::vector<std::vector<Word>> own(nics.size(), std::vector<Word>(values));
        std::vector<const Word*> all;
        for (std::size_t worker = 0; worker < own.size(); ++worker)
        {
            Read(worker, words, {0, values}, own[worker].data());
            all.push_back(own[worker].data());
        }
        std::vector<Word> sum(values);
        MakeNetworkReduction(spec).add(all, values, sum.data());
        return sum;
    }

    static void RunFor(ns3::Time time)
    {
        ns3::Simulator::Stop(time);
        ns3::Simulator::Run();
    }

    /** Forgets all that was built, but no setting. */
    void Clear()
    {
        nics.clear();
        links.clear();
        clients.clear();
        results.clear();
        switches.clear();
        programs.clear();
        trunks.clear();
    }

    void ExpectConserved() const
    {
        for (const auto& program : programs)
        {
            const auto& counters = program->Counters();
            EXPECT_EQ(counters.in,
                      counters.combined + counters.forwarded + counters.answered +
                          counters.Dropped());
        }
    }

    /** Loses the frames of these ordinals, from 0, of what @p side of @p link transmits. */
    static void Lose(const ns3::Ptr<Link>& link,
                     unsigned side,
                     const std::list<std::uint32_t>& ordinals)
    {
        auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
        losses->SetList(ordinals);
        link->SetErrorModel(side, losses);
    }

    std::uint64_t Retransmitted() const
    {
        std::uint64_t frames = 0;
        for (const auto& client : clients)
        {
            frames += client->RetransmittedFrames();
        }
        return frames;
    }

    /** What one sum of one worker has come to. */
    struct Result
    {
        std::optional<WordSum> words; ///< empty: fp32 values
        std::vector<Word> sum;
        std::vector<unsigned> written;       ///< how many times
        std::vector<std::int16_t> exponents; ///< of words, as they were reported
        unsigned doneCount{0};
        std::int64_t donePs{0};
    };

    // -- by worker
    std::vector<ns3::Ptr<Nic>> nics;
    std::vector<ns3::Ptr<Link>> links;
    std::vector<ns3::Ptr<SlotClient>> clients;
    std::vector<std::deque<Result>> results; ///< which stay in place

    // -- by switch: the root first
    std::vector<ns3::Ptr<Switch>> switches;
    std::vector<ns3::Ptr<SlotProgram>> programs;
    std::vector<ns3::Ptr<Link>> trunks; ///< to the switch above; null: none

  private:
    static void AddHosts(AggregationTree& tree, std::uint32_t node, const TopologyPlan& plan)
    {
        for (std::uint32_t host = 0; host < plan.HostCount(); ++host)
        {
            if (plan.hostSwitch[host] == node)
            {
                tree.nodes[node].children.push_back({true, host, {}});
            }
        }
    }

    void Build(const TopologyPlan& plan, const AggregationTree& tree)
    {
        auto cluster = TopologyHelper().Install(plan);
        std::vector<std::uint32_t> hosts(plan.HostCount());
        std::iota(hosts.begin(), hosts.end(), 0U);
        AggregationHelper().Install(cluster, JobId(), hosts, tree, plan.HostCount());
        nics = cluster.nics;
        links = cluster.links;
        switches = cluster.switches;
        trunks = {nullptr};
        for (const auto& trunk : cluster.trunks)
        {
            trunks.push_back(trunk.link);
        }
        for (const auto& client : cluster.AggregationOf().clients)
        {
            clients.push_back(ns3::DynamicCast<SlotClient>(client));
        }
        for (const auto& program : cluster.AggregationOf().programs)
        {
            programs.push_back(ns3::DynamicCast<SlotProgram>(program));
        }
        results.resize(nics.size());
    }

    static void Read(std::size_t worker,
                     std::optional<WordSum> words,
                     ElementRange range,
                     Word* out)
    {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            const auto index = range.begin + i;
            out[i] = words ? WordOf(worker, index) : BitsOf(ValueOf(worker, index));
        }
    }

    void ExpectExact(const Result& result) const
    {
        const auto largest = ExponentOfWorker(nics.size() == 1 ? 0 : 1);
        EXPECT_EQ(result.doneCount, 1U);
        EXPECT_EQ(result.written, std::vector<unsigned>(result.sum.size(), 1));
        EXPECT_EQ(result.sum, ExpectedSum(result.words, result.sum.size()));
        EXPECT_EQ(result.exponents, std::vector<std::int16_t>(result.words ? 1 : 0, largest));
    }

    ReductionSpec sumSpec{0, WordSum::INT32, FIXED_EXPONENT, VALUES};
};

} // namespace inca

#endif // INCA_TEST_MODEL_SWITCH_FIXTURE_H
