/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_HELPER_JOB_FIXTURE_H
#define INCA_TEST_HELPER_JOB_FIXTURE_H

#include "device/byte-rate.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "job/training-job.h"
#include "support/install.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

constexpr std::int64_t US{1'000'000}; ///< ps

/**
 * Jobs on a star of 10 Gb/s and 1 us per link. A payload of p bytes is p + 78 on the wire: 8
 * preamble, 14 Ethernet, 40 IPv4 and transport, 4 check, 12 gap; a byte takes 0.8 ns.
 */
class JobFixture : public testing::Test
{
  protected:
    static constexpr std::int64_t LINK_PS{1'000'000};
    static constexpr std::int64_t ACK_PS{67'200};           ///< 84 bytes: also a grant
    static constexpr std::int64_t FULL_FRAME_PS{1'230'400}; ///< 1538 bytes
    static constexpr std::uint64_t FULL_FRAME_ELEMENTS{365};

    JobFixture()
    {
        SetPicosecondResolution();
    }

    void TearDown() override
    {
        applications.clear();
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    static std::int64_t FramePs(std::uint64_t elements)
    {
        return static_cast<std::int64_t>(elements * 4 + 78) * 800;
    }

    /** One frame from host to host: serialised by the NIC and by the switch, over two links. */
    static std::int64_t HopPs(std::uint64_t elements)
    {
        return 2 * (FramePs(elements) + LINK_PS);
    }

    static ExchangeSpec Exchange(const std::string& algorithm,
                                 Rank workers,
                                 const std::string& broadcast = "binomial",
                                 Rank groupSize = 2)
    {
        ExchangeSpec spec;
        spec.algorithm = algorithm;
        spec.workers = workers;
        spec.broadcast = broadcast;
        spec.groupSize = groupSize;
        return spec;
    }

    /** Of all hosts that are made afterwards. */
    static void SetHalfDuplex(bool halfDuplex)
    {
        ns3::Config::SetDefault("inca::HostPath::FullDuplex", ns3::BooleanValue(!halfDuplex));
    }

    /** Of all switches that add, and their clients, that are made afterwards. */
    static void AddInFp32()
    {
        for (const std::string side : {"inca::SlotProgram::", "inca::SlotClient::"})
        {
            ns3::Config::SetDefault(side + "Adder", ns3::StringValue("fp32"));
        }
    }

    /** @return a job of @p layers exchanges of @p elements, a layer and a bucket each, the last layer's first */
    static std::shared_ptr<TrainingJob> Layered(const ExchangeSpec& spec,
                                                std::uint64_t elements,
                                                std::uint32_t layers)
    {
        auto job = MakeTensorJob(spec, elements);
        const auto chunk = job->chunks.front();
        job->layers.clear();
        job->buckets.clear();
        job->chunks.assign(layers, chunk);
        for (std::uint32_t i = 0; i < layers; ++i)
        {
            const auto layer = layers - 1 - i;
            job->layers.push_back({{i * elements, elements}, 0});
            job->buckets.push_back({layer, layer, {i}});
            job->chunks[i].range = {layer * elements, elements};
            job->chunks[i].firstLayer = layer;
            job->chunks[i].lastLayer = layer;
        }
        return job;
    }

    static void SetRate(const std::string& attribute, std::uint64_t bytesPerSecond)
    {
        ns3::Config::SetDefault(attribute, ns3::DataRateValue(ByteRate(bytesPerSecond)));
    }

    /** Runs @p job to its end. @return when the last worker's last exchange ended (ps) */
    std::int64_t Run(const std::shared_ptr<TrainingJob>& job, const StarHelper& star = StarHelper())
    {
        const auto cluster = star.Install(job->RankCount());
        return Run(job, cluster);
    }

    std::int64_t Run(const std::shared_ptr<TrainingJob>& job,
                     const Cluster& cluster,
                     const RankApplication::ValueSink& sink = {})
    {
        applications = InstallJob(cluster, job);
        endsPs.assign(applications.size(), 0);
        for (const auto& application : applications)
        {
            application->SetValueSink(sink);
            application->TraceConnectWithoutContext("ExchangeEnd",
                                                    ns3::MakeCallback(&JobFixture::Ended, this));
        }
        ns3::Simulator::Run();
        for (const auto& application : applications)
        {
            EXPECT_TRUE(application->IsFinished()) << application->State();
        }
        const auto lastPs = *std::max_element(endsPs.begin(), endsPs.end());
        EXPECT_LT(ns3::Simulator::Now().GetTimeStep() - lastPs, 1'000'000'000)
            << "a timeout, of 1 ms at least, was left";
        return *std::max_element(endsPs.begin(), endsPs.begin() + job->workers);
    }

    std::int64_t RunTensor(const ExchangeSpec& spec, std::uint64_t elements)
    {
        return Run(MakeTensorJob(spec, elements));
    }

    std::vector<ns3::Ptr<RankApplication>> applications;
    std::vector<std::int64_t> endsPs;      ///< by rank, of its last exchange
    std::vector<std::uint32_t> worker0s{}; ///< exchanges as worker 0 ended them

  private:
    void Ended(Rank rank, std::uint32_t exchange)
    {
        endsPs[rank] = ns3::Simulator::Now().GetPicoSeconds();
        if (rank == 0)
        {
            worker0s.push_back(exchange);
        }
    }
};

} // namespace inca

#endif // INCA_TEST_HELPER_JOB_FIXTURE_H
