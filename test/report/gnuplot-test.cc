/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "base/errors.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::ThrowsMessage;

namespace fs = std::filesystem;

/** Sets a variable of the environment until it is gone. */
class Environment
{
  public:
    Environment(const char* name, const std::string& value)
        : m_name(name),
          m_before(std::getenv(name) == nullptr ? "" : std::getenv(name))
    {
        ::setenv(name, value.c_str(), 1);
    }

    ~Environment()
    {
        m_before.empty() ? ::unsetenv(m_name) : ::setenv(m_name, m_before.c_str(), 1);
    }

    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* m_name;
    std::string m_before;
};

/** Temporary files go to a folder of the test. */
class GnuplotTest : public testing::Test
{
  protected:
    GnuplotTest()
        : folder(testing::TempDir() + "inca-gnuplot-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name()),
          m_temporary("TMPDIR", folder)
    {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }

    ~GnuplotTest() override
    {
        fs::remove_all(folder);
    }

    /** A program that is called gnuplot. */
    void PutGnuplot(const std::string& shell) const
    {
        std::ofstream(folder + "/gnuplot") << "#!/bin/sh\n" << shell << "\n";
        fs::permissions(folder + "/gnuplot", fs::perms::owner_all);
    }

    bool IsEmpty() const
    {
        fs::remove(folder + "/gnuplot");
        return fs::is_empty(folder);
    }

    std::string folder;

  private:
    Environment m_temporary;
};

/** Without the whole picture in a complaint. */
bool
Has(const std::string& picture, const std::string& text)
{
    return picture.find(text) != std::string::npos;
}

const PlotFiles g_files{"plot 1\n", "1 2\n", "plot.svg", {}, {}};

} // namespace

TEST_F(GnuplotTest, ThatIsMissingIsToldHowToGet)
{
    const Environment nowhere("PATH", folder);
    EXPECT_THAT([] { DrawWithGnuplot(g_files); },
                ThrowsMessage<RunError>(HasSubstr("apt install gnuplot-nox")));
    EXPECT_TRUE(IsEmpty());
}

TEST_F(GnuplotTest, GetsScriptAndDataAsFiles)
{
    PutGnuplot("cat plot.gp plot.dat > plot.svg; echo \"$@ </svg>\" >> plot.svg");
    const Environment path("PATH", folder + ":/bin:/usr/bin");
    EXPECT_EQ(DrawWithGnuplot(g_files), "plot 1\n1 2\n-d plot.gp </svg>\n");
    EXPECT_TRUE(IsEmpty());
}

/* It says why, or ends halfway. */
TEST_F(GnuplotTest, ThatFailsHasDrawnNothing)
{
    const std::vector<std::pair<const char*, const char*>> failing{
        {"echo >&2; echo '\"plot.gp\", line 1: no' >&2; exit 1",
         "gnuplot has failed: \"plot.gp\", line 1: no"},
        {"echo '<svg>' > plot.svg", "gnuplot has failed: it has not said why; is the disk full?"}};
    const Environment path("PATH", folder + ":/bin:/usr/bin");
    for (const auto& [shell, complaint] : failing)
    {
        PutGnuplot(shell);
        EXPECT_THAT([] { DrawWithGnuplot(g_files); }, ThrowsMessage<RunError>(complaint));
        EXPECT_TRUE(IsEmpty());
    }
}

/* Every kind in every form. What gnuplot would have run of the name is not run: it is in the picture. */
TEST_F(GnuplotTest, DrawsEveryKind)
{
    ASSERT_EQ(std::system("gnuplot --version > /dev/null 2>&1"), 0)
        << "tools/packages test installs gnuplot-nox";
    const auto table = ParseCsvTable("x.csv",
                                     "label,status,workers,forward_s,sum_s,iteration_time_s,seed\n"
                                     "'`touch r` 5%,done,2,1,1,2,1\n"
                                     "'`touch r` 5%,done,2,1,2,3,2\n"
                                     "'`touch r` 5%,refused,4,,,,1\n"
                                     "b,done,2,1,4,5,1\n"
                                     "b,done,4,1,1,2,1\n");
    for (const auto kind : {PlotKind::LINE, PlotKind::BAR, PlotKind::STACK, PlotKind::HEAT})
    {
        PlotRequest request;
        request.kind = kind;
        const auto data = CollectPlot(table, {{"label", "workers"}, {}}, request);
        const auto svg = DrawWithGnuplot(ScriptOf(data, {}));
        EXPECT_TRUE(Has(svg, "touch r")) << PlotKindName(kind);
        EXPECT_TRUE(Has(svg, "5%")) << PlotKindName(kind);
        EXPECT_EQ(DrawWithGnuplot(ScriptOf(data, {"png"})).substr(1, 3), "PNG");
        EXPECT_EQ(DrawWithGnuplot(ScriptOf(data, {"pdf"})).substr(1, 3), "PDF");
    }
    PlotRequest request;
    request.panels = "workers";
    request.kind = PlotKind::STACK;
    const auto panels = CollectPlot(table, {{"label", "workers"}, {}}, request);
    const auto svg = DrawWithGnuplot(ScriptOf(panels, {"svg", true, "it's a title"}));
    for (const auto* text : {"2 workers", "4 workers", "a title"})
    {
        EXPECT_TRUE(Has(svg, text)) << text;
    }
    EXPECT_TRUE(IsEmpty());
}

/* All points of b were refused: its panel is empty. */
TEST_F(GnuplotTest, DrawsPanelsWithoutAResult)
{
    const auto table =
        ParseCsvTable("x.csv",
                      "label,status,workers,bandwidth_gbps,iteration_time_s\n"
                      "a,done,2,10,1\na,done,2,20,2\na,done,4,10,3\na,done,4,20,4\n"
                      "b,refused,2,10,\nb,refused,2,20,\nb,refused,4,10,\nb,refused,4,20,\n");
    for (const auto kind : {PlotKind::LINE, PlotKind::BAR, PlotKind::HEAT})
    {
        const auto data = CollectPlot(
            table, {{"label", "workers", "bandwidth_gbps"}, {}}, {"", "", "", "label", kind});
        EXPECT_TRUE(Has(DrawWithGnuplot(ScriptOf(data, {})), "</svg>")) << PlotKindName(kind);
    }
}

} // namespace inca
