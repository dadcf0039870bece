/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CLI_CODEC_FIXTURE_H
#define INCA_TEST_CLI_CODEC_FIXTURE_H

#include "base/errors.h"
#include "cli/command-output.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace inca
{

/** A folder of its own per test, and the command in this process. */
class CodecFixture : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder =
            std::filesystem::path(testing::TempDir()) / test->test_suite_name() / test->name();
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string Path(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    void Put(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(Path(name), std::ios::binary) << bytes;
    }

    void PutFloats(const std::string& name, const std::vector<float>& values) const
    {
        Put(name,
            std::string(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(float)));
    }

    std::string Bytes(const std::string& name) const
    {
        std::ifstream file(Path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::vector<float> Floats(const std::string& name) const
    {
        const auto bytes = Bytes(name);
        std::vector<float> values(bytes.size() / sizeof(float));
        std::copy_n(
            bytes.data(), values.size() * sizeof(float), reinterpret_cast<char*>(values.data()));
        return values;
    }

    std::vector<std::string> Files() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
        {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }

    /** @return what `inca codec ARGUMENTS...` prints on stdout; `@name` stands for a file of the folder */
    std::string Run(std::vector<std::string> arguments) const
    {
        for (auto& argument : arguments)
        {
            argument = argument.rfind('@', 0) == 0 ? Path(argument.substr(1)) : argument;
        }
        arguments.insert(arguments.begin(), "codec");
        return OutputOf(std::move(arguments));
    }

    /** @return the complaint of a run that is refused, else nothing */
    std::string Refusal(const std::vector<std::string>& arguments) const
    {
        try
        {
            Run(arguments);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return {};
    }

    /** @return what a run says on stderr */
    std::string Warnings(const std::vector<std::string>& arguments) const
    {
        testing::internal::CaptureStderr();
        Run(arguments);
        return testing::internal::GetCapturedStderr();
    }

  private:
    std::filesystem::path m_folder;
};

} // namespace inca

#endif // INCA_TEST_CLI_CODEC_FIXTURE_H
