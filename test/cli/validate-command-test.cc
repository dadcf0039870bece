/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "cli/commands.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::StartsWith;

/** The command in this process; HDC is the one model that is done in no time. */
class ValidateCommandTest : public testing::Test
{
  protected:
    ExitCode Validate(std::vector<std::string> arguments)
    {
        CLI::App app;
        auto exitCode = ExitCode::DONE;
        AddValidateCommand(app, exitCode);
        arguments.insert(arguments.begin(), "validate");
        std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
        testing::internal::CaptureStdout();
        try
        {
            app.parse(arguments);
        }
        catch (...)
        {
            m_output = testing::internal::GetCapturedStdout();
            throw;
        }
        m_output = testing::internal::GetCapturedStdout();
        return exitCode;
    }

    std::string Refusal(const std::vector<std::string>& arguments)
    {
        try
        {
            Validate(arguments);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    /** What was printed of @p model, as a document shows it. */
    std::string Shown(const std::string& model) const
    {
        const auto begin = m_output.find("\n" + model + "\n") + 1;
        std::istringstream lines(m_output.substr(begin, m_output.find("\njudged") - begin));
        std::string shown;
        for (std::string line; std::getline(lines, line);)
        {
            shown += line.empty() ? "\n" : "    " + line + "\n";
        }
        return shown;
    }

    std::string m_output;
};

/* HDC's four judged figures are within their 20 %: docs/validation.md. */
TEST_F(ValidateCommandTest, PredictsHdcWithinItsLimits)
{
    EXPECT_EQ(Validate({"inceptionn", "--model", "hdc"}), ExitCode::DONE);
    EXPECT_THAT(m_output, StartsWith("INCEPTIONN (MICRO 2018)"));
    EXPECT_THAT(m_output, HasSubstr("\nhdc\n"));
    EXPECT_THAT(m_output, HasSubstr("\njudged: 4 figures, 0 MISS\n"));
}

TEST_F(ValidateCommandTest, PrintsWhatTheDocumentShows)
{
    std::ifstream file(INCA_SOURCE_DIR "/docs/validation.md");
    const std::string document{std::istreambuf_iterator<char>(file),
                               std::istreambuf_iterator<char>()};
    Validate({"inceptionn", "--model", "hdc"});
    EXPECT_THAT(document, HasSubstr(Shown("hdc"))) << "docs/validation.md shows another output";
    Validate({"switch", "--model", "exchange-alone", "--jobs", "1"});
    EXPECT_THAT(document, HasSubstr(Shown("exchange-alone")));
}

/* One process or several: the same figures. */
TEST_F(ValidateCommandTest, SaysTheSameWithAnyNumberOfJobs)
{
    EXPECT_EQ(Validate({"switch", "--model", "line-rate", "--jobs", "1"}), ExitCode::DONE);
    const auto alone = m_output;
    EXPECT_EQ(Validate({"switch", "--model", "line-rate", "--jobs", "3"}), ExitCode::DONE);
    EXPECT_EQ(m_output, alone);
    EXPECT_THAT(m_output, HasSubstr("\njudged: 4 figures, 0 MISS\n"));
}

TEST_F(ValidateCommandTest, WithoutANameModelsChooseTheValidation)
{
    EXPECT_EQ(Validate({"--model", "line-rate", "--model", "hdc"}), ExitCode::DONE);
    EXPECT_THAT(m_output, HasSubstr("INCEPTIONN"));
    EXPECT_THAT(m_output, HasSubstr("Switches that aggregate"));
    EXPECT_THAT(Refusal({"--model", "line-rates"}), HasSubstr("did you mean 'line-rate'?"));
}

/* At 1 Gb/s all of HDC's communication takes several times as long as published. */
TEST_F(ValidateCommandTest, FailsWhereAJudgedFigureMisses)
{
    EXPECT_EQ(Validate({"inceptionn", "--model", "hdc", "--set", "cluster.bandwidth=1Gbps"}),
              ExitCode::CHECK_FAILED);
    EXPECT_THAT(m_output, HasSubstr("\njudged: 4 figures, 4 MISS\n  MISS hdc WA, communication: "));
}

/* Table II and 4 of Fig. 12; 3 cuts from the text and 3 from the figure; twice 4 totals, a cut and
 * 2 speed-ups; 4 bars of Fig. 12; 2 systems with a ratio from 2 sources: 5 + 6 + 14 + 4 + 4 = 33 lines and
 * the header. */
TEST_F(ValidateCommandTest, WritesEveryComparisonAsCsv)
{
    const auto path = testing::TempDir() + "validate-command.csv";
    Validate({"inceptionn", "--model", "hdc", "--csv", path});
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_THAT(text, StartsWith("validation,model,system,figure,unit,predicted,"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 34);
    std::filesystem::remove(path);
}

/* A deviation needs two. */
TEST_F(ValidateCommandTest, RefusesOneSeed)
{
    EXPECT_THROW(Validate({"switch", "--seeds", "1"}), CLI::ValidationError);
    EXPECT_THROW(Validate({"switch", "--jobs", "0"}), CLI::ValidationError);
}

TEST_F(ValidateCommandTest, RefusesWhatItDoesNotKnow)
{
    EXPECT_THAT(Refusal({"inceptoin"}), HasSubstr("did you mean 'inceptionn'?"));
    EXPECT_THAT(Refusal({"inceptionn", "--model", "alexnett"}),
                HasSubstr("did you mean 'alexnet'?"));
}

} // namespace

} // namespace inca
