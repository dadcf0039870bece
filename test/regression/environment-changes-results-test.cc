/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "support/own-path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace inca
{

using testing::HasSubstr;

class Environment : public testing::Test
{
  protected:
    Environment()
    {
        std::filesystem::create_directories(m_folder);
        std::ofstream(m_folder + "/ring.toml") << "[training]\ntrace = \"tensor:4kB\"\n";
    }

    ~Environment() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /** @return the exit code of the program with @p variable set; its output is in Read */
    int RunWith(const std::string& variable) const
    {
        const auto command = variable + " " INCA_PROGRAM " run " + m_folder + "/ring.toml >" +
                             m_folder + "/stdout 2>" + m_folder + "/stderr";
        const auto status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::string Read(const std::string& name) const
    {
        std::ostringstream text;
        text << std::ifstream(m_folder + "/" + name).rdbuf();
        return text.str();
    }

    std::string m_folder{OwnPath()};
};

/* NS_ATTRIBUTE_DEFAULT changed times while the row said otherwise; bad texts ended in signals, before main
 * even; NS_GLOBAL_VALUE=SimulatorImplementationType=ns3::RealtimeSimulatorImpl ran in real time. */
TEST_F(Environment, ChangesNoResult)
{
    ASSERT_EQ(RunWith(""), 0);
    const auto result = Read("stdout");
    EXPECT_EQ(Read("stderr"), "");
    for (const auto* setting :
         {"NS_ATTRIBUTE_DEFAULT=inca::Link::Delay=1ms",
          "NS_ATTRIBUTE_DEFAULT=inca::Link::Delay=soon",
          "NS_GLOBAL_VALUE=RngSeed=none",
          "NS_GLOBAL_VALUE=SimulatorImplementationType=ns3::RealtimeSimulatorImpl",
          "NS_GLOBAL_VALUE=SimulatorImplementationType=none"})
    {
        EXPECT_EQ(RunWith(setting), 0) << setting;
        EXPECT_EQ(Read("stdout"), result) << setting;
        const std::string name(setting, std::string(setting).find('='));
        EXPECT_THAT(Read("stderr"), HasSubstr("warning: " + name + ": ignored")) << setting;
    }
}

#ifndef NS3_LOG_ENABLE // a build that can log does what it says
TEST_F(Environment, LogsNothing)
{
    EXPECT_EQ(RunWith("NS_LOG=none HOME= NS_GLOBAL_VALUE=RngSeed=none"), 0);
    EXPECT_THAT(Read("stderr"), HasSubstr("warning: NS_GLOBAL_VALUE, NS_LOG: ignored"));
}
#endif

} // namespace inca
