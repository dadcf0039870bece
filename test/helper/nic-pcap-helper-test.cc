/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nic-pcap-helper.h"

#include "base/errors.h"
#include "helper/star-helper.h"
#include "helper/time-resolution.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace inca
{

class NicPcapHelperTest : public testing::Test
{
  protected:
    NicPcapHelperTest()
    {
        SetPicosecondResolution();
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
    }

    /** Sends 3 full frames from host 0 to host 1 and captures at host 0. */
    std::string Capture()
    {
        const auto file = testing::TempDir() + "inca-nic.pcap";
        const auto star = StarHelper().Install(2);
        NicPcapHelper().EnablePcap(file, star.nics[0], false, true);
        Message message;
        message.to = star.Address(1);
        message.plainBytes = 3 * 1460;
        star.transports[1]->SetReceiver(JobId(), [](const ReceivedMessage&) {});
        star.transports[0]->Send(message, {});
        ns3::Simulator::Run();
        ns3::Simulator::Destroy(); // closes the file
        return file;
    }

    /** Runs tshark. @return its lines; its exit status goes to m_status */
    std::vector<std::string> Tshark(const std::string& file, const std::string& options)
    {
        const auto command = "tshark -r '" + file + "' " + options + " 2>/dev/null";
        std::vector<std::string> lines;
        auto* pipe = popen(command.c_str(), "r");
        std::array<char, 4096> line{};
        while (fgets(line.data(), line.size(), pipe) != nullptr)
        {
            lines.emplace_back(line.data());
        }
        m_status = pclose(pipe);
        return lines;
    }

    int m_status{-1};
};

/* 3 data frames and the one acknowledgement of the message's end. */
TEST_F(NicPcapHelperTest, WritesWhatTsharkReads)
{
    const auto lines = Tshark(Capture(), "");
    EXPECT_EQ(m_status, 0);
    EXPECT_EQ(lines.size(), 4U);
}

/* Ethernet, then IPv4 with protocol 253; 14 + 20 + 20 + 1460 bytes, and 54 for the acknowledgement.
 * Host 0 is 10.0.0.1 after its MAC address, host 1 is 10.0.0.2. */
TEST_F(NicPcapHelperTest, ShowsHeadersAndLengths)
{
    const auto lines = Tshark(Capture(),
                              "-T fields -E separator=, -e frame.encap_type -e ip.src -e ip.dst "
                              "-e ip.proto -e frame.len -e ip.checksum.status "
                              "-o ip.check_checksum:TRUE");
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], "1,10.0.0.1,10.0.0.2,253,1514,1\n");
    EXPECT_EQ(lines[3], "1,10.0.0.2,10.0.0.1,253,54,1\n");
}

/* The last of 3 full frames of 1230.4 ns is there after 4 * 1230.4 ns and two links of 1 us; its
 * acknowledgement, of 67.2 ns, as far back: 4921.6 + 134.4 + 4000 ns = 9056 ns. */
TEST_F(NicPcapHelperTest, StampsNanoseconds)
{
    const auto file = Capture();
    std::array<char, 4> magic{};
    std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
    EXPECT_EQ(std::string(magic.data(), magic.size()), "\x4d\x3c\xb2\xa1");
    const auto lines = Tshark(file, "-T fields -e frame.time_epoch");
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[3], "0.000009056\n");
}

TEST_F(NicPcapHelperTest, SaysWhichFileCannotBeWritten)
{
    const auto star = StarHelper().Install(2);
    EXPECT_THROW(NicPcapHelper().EnablePcap("/nowhere/a.pcap", star.nics[0], false, true),
                 RunError);
}

} // namespace inca
