/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What tshark reads of captured runs, and what tools/wireshark/inca.lua shows of them.
#include "base/errors.h"
#include "device/link-port.h"
#include "helper/aggregation-helper.h"
#include "helper/device-trace-helper.h"
#include "helper/job-fixture.h"
#include "job/training-job.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
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
        DeviceTraceHelper().EnablePcap(m_file, cluster.nics[0], false, true);
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

    /** Sends 3 full frames from host 0 to host 1 and captures at host 0, or at the switch's port to host 1. */
    void CaptureThreeFrames(bool atPort = false)
    {
        const auto star = StarHelper().Install(2);
        const ns3::Ptr<ns3::NetDevice> at =
            atPort ? ns3::Ptr<LinkPort>(star.PortTo(1)) : ns3::Ptr<LinkPort>(star.nics[0]);
        DeviceTraceHelper().EnablePcap(m_file, at, false, true);
        DeviceTraceHelper().EnableAsciiAll(written);
        Message message;
        message.to = star.Address(1);
        message.plainBytes = 3 * 1460;
        star.transports[1]->SetReceiver(JobId(), [](const ReceivedMessage&) {});
        star.transports[0]->Send(message, {});
        ns3::Simulator::Run();
        ns3::Simulator::Destroy(); // closes the file
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

    std::ostringstream text;
    ns3::Ptr<ns3::OutputStreamWrapper> written{ns3::Create<ns3::OutputStreamWrapper>(&text)};
    std::string m_file{testing::TempDir() + "inca-dissector-" + std::to_string(getpid()) + ".pcap"};
};

/* 3 data frames and the one acknowledgement of the message's end: Ethernet, then IPv4 with protocol 253; 14 + 20 + 20 +
 * 1460 bytes, and 54 for the acknowledgement. Host 0 is 10.0.0.1 after its MAC address, host 1 is 10.0.0.2. The last of 3
 * full frames of 1230.4 ns is there after 4 * 1230.4 ns and two links of 1 us; its acknowledgement, of 67.2 ns, as far back:
 * 4921.6 + 134.4 + 4000 ns = 9056 ns. */
TEST_F(DissectorTest, ReadsHeadersLengthsAndNanoseconds)
{
    CaptureThreeFrames();
    std::array<char, 4> magic{};
    std::ifstream(m_file, std::ios::binary).read(magic.data(), magic.size());
    EXPECT_EQ(std::string(magic.data(), magic.size()), "\x4d\x3c\xb2\xa1");
    const auto lines = Tshark("-T fields -E separator=, -e frame.encap_type -e ip.src -e ip.dst "
                              "-e ip.proto -e frame.len -e ip.checksum.status "
                              "-e frame.time_epoch -o ip.check_checksum:TRUE");
    ASSERT_THAT(lines, SizeIs(4));
    EXPECT_THAT(lines[0], HasSubstr("1,10.0.0.1,10.0.0.2,253,1514,1,"));
    EXPECT_EQ(lines[3], "1,10.0.0.2,10.0.0.1,253,54,1,0.000009056\n");
}

/* The port sends each frame when it has it whole: 1230.4 + 1000 + 1230.4 ns, and 1230.4 ns later the next. The acknowledgement
 * of the last one, there 1000 ns after that, takes 67.2 and 1000 ns back: 5921.6 + 2067.2 ns. */
TEST_F(DissectorTest, ShowsWhatPassesAPortOfASwitch)
{
    CaptureThreeFrames(true);
    EXPECT_THAT(Tshark("-T fields -E separator=, -e ip.src -e frame.len -e frame.time_epoch"),
                ElementsAre("10.0.0.1,1514,0.000003460\n",
                            "10.0.0.1,1514,0.000004691\n",
                            "10.0.0.1,1514,0.000005921\n",
                            "10.0.0.2,54,0.000007988\n"));
}

/* Each of 3 frames, and an acknowledgement, passes a NIC, a port and a NIC: into a queue, out of it, and in at the other end. */
TEST_F(DissectorTest, WritesALineOfEachEvent)
{
    CaptureThreeFrames();
    std::map<char, int> counts;
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);)
    {
        ++counts[line.front()];
    }
    EXPECT_EQ(counts, (std::map<char, int>{{'+', 8}, {'-', 8}, {'r', 8}}));
    EXPECT_THAT(text.str(),
                HasSubstr("+ 0 /NodeList/0/DeviceList/0 data 0, 02:00:00:00:00:01 to "
                          "02:00:00:00:00:02, 1538 bytes\n"));
}

TEST_F(DissectorTest, SaysWhichFileCannotBeWritten)
{
    const auto star = StarHelper().Install(2);
    EXPECT_DEATH(DeviceTraceHelper().EnablePcap("/nowhere/a.pcap", star.nics[0], false, true),
                 "/nowhere/a.pcap: cannot be written");
}

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
    AddInFp32();
    auto cluster = StarHelper().Install(2);
    AggregationHelper().Install(cluster, 2);
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
