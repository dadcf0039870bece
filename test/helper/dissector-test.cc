/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What tools/wireshark/inca.lua shows of captured runs.
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"
#include "helper/nic-pcap-helper.h"
#include "job/tensor-job.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class DissectorTest : public JobFixture
{
  protected:
    ~DissectorTest() override
    {
        std::remove(m_file.c_str());
    }

    /** Runs @p job, and captures at host 0. @param cluster its NICs keep the file open */
    void Capture(const std::shared_ptr<TrainingJob>& job, Cluster cluster)
    {
        NicPcapHelper().EnablePcap(m_file, cluster.nics[0], false, true);
        Run(job, cluster);
        TearDown();
    }

    std::vector<std::string> Tshark(const std::string& options) const
    {
        const auto command = "tshark -X lua_script:" INCA_SOURCE_DIR
                             "/tools/wireshark/inca.lua -r '" +
                             m_file + "' " + options + " 2>/dev/null";
        std::vector<std::string> lines;
        auto* pipe = popen(command.c_str(), "r");
        std::array<char, 4096> line{};
        while (fgets(line.data(), line.size(), pipe) != nullptr)
        {
            lines.emplace_back(line.data());
        }
        EXPECT_EQ(pclose(pipe), 0);
        return lines;
    }

    std::vector<std::string> Fields(const std::string& filter, const std::string& names) const
    {
        std::string options = "-T fields -E separator=, -Y '" + filter + "'";
        for (std::size_t i = 0; i < names.size();)
        {
            const auto end = std::min(names.find(' ', i), names.size());
            options += " -e " + names.substr(i, end - i);
            i = end + 1;
        }
        return Tshark(options);
    }

  private:
    std::string m_file{testing::TempDir() + "inca-dissector-" + std::to_string(getpid()) + ".pcap"};
};

/* Two workers exchange halves of 730 values in a ring, two frames of 365 values per message and step, and
 * what a message is acknowledged with at its end. Numbers of frames go on over all messages of a pair. */
TEST_F(DissectorTest, ShowsTheTransport)
{
    Capture(MakeTensorJob(Exchange("ring", 2), 1460), StarHelper().Install(2));
    EXPECT_THAT(Fields("inca.kind == 1 && ip.src == 10.0.0.1",
                       "inca.flags inca.plain_bytes inca.number inca.round inca.ordinal "
                       "inca.offset"),
                ElementsAre("0x00,1460,0,0,0,0\n",
                            "0x01,1460,1,0,0,365\n",
                            "0x00,1460,2,0,1,0\n",
                            "0x01,1460,3,0,1,365\n"));
    EXPECT_THAT(Fields("inca.kind == 2 && ip.src == 10.0.0.1", "inca.next inca.held"),
                ElementsAre("2,0x0000000000000000\n", "4,0x0000000000000000\n"));
    EXPECT_THAT(Tshark("-Y 'inca.flags.last == 1'"), SizeIs(4)); // from both hosts
    EXPECT_THAT(Tshark("-c 1").front(),
                HasSubstr("INCA 1514 data 0, round 0, message 0, from value 0"));
    EXPECT_THAT(Tshark("-Y _ws.malformed"), SizeIs(0));
}

/* Two packets of 256 values go up as host 0's, who is child 0, and their sums come down. */
TEST_F(DissectorTest, ShowsPacketsOfSlots)
{
    for (const auto* side : {"inca::SlotProgram::", "inca::SlotClient::"})
    {
        ns3::Config::SetDefault(side + std::string("Adder"), ns3::StringValue("fp32"));
    }
    auto cluster = StarHelper().Install(2);
    InstallAggregation(cluster, "slots", 2);
    Capture(MakeTensorJob(Exchange("switch-slots", 2), 512), std::move(cluster));
    const auto* names = "inca_slots.version inca_slots.flags inca_slots.child inca_slots.exponent "
                        "inca_slots.values inca_slots.number";
    EXPECT_THAT(Fields("ip.src == 10.0.0.1", names),
                ElementsAre("1,0x00,0,-32768,256,0\n", "1,0x00,0,-32768,256,1\n"));
    EXPECT_THAT(Fields("inca_slots.flags.sum == 1", "inca_slots.number"),
                ElementsAre("0\n", "1\n"));
    EXPECT_THAT(Tshark("-c 1").front(), HasSubstr("contribution of child 0, packet 0, 256 values"));
    EXPECT_THAT(Tshark("-Y _ws.malformed"), SizeIs(0));
}

} // namespace inca
