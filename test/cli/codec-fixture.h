/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CLI_CODEC_FIXTURE_H
#define INCA_TEST_CLI_CODEC_FIXTURE_H

#include "cli/command-output.h"
#include "cli/process-fixture.h"
#include "support/why-not.h"

#include <string>
#include <vector>

namespace inca
{

/** Commands in this process, on files of values; "@name" in a line is a file of the test's folder. */
class CodecFixture : public ProcessFixture
{
  protected:
    CodecFixture()
    {
        std::filesystem::remove(Path("ring.toml"));
    }

    void PutFloats(const std::string& name, const std::vector<float>& values) const
    {
        Put(name,
            std::string(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(float)));
    }

    std::vector<float> Floats(const std::string& name) const
    {
        const auto bytes = Read(name);
        std::vector<float> values(bytes.size() / sizeof(float));
        std::copy_n(
            bytes.data(), values.size() * sizeof(float), reinterpret_cast<char*>(values.data()));
        return values;
    }

    std::vector<std::string> Files() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }

    /** @return what `inca LINE` prints */
    std::string Output(const std::string& line) const
    {
        return OutputOf(Words(line));
    }

    /** @return the complaint of a command that is refused, else nothing */
    std::string Refusal(const std::string& line) const
    {
        return WhyNot([&] { Output(line); });
    }

    /** @return what it says on stderr */
    std::string Warnings(const std::string& line) const
    {
        testing::internal::CaptureStderr();
        Output(line);
        return testing::internal::GetCapturedStderr();
    }
};

} // namespace inca

#endif // INCA_TEST_CLI_CODEC_FIXTURE_H
