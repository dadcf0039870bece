/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include <set>

namespace inca
{

namespace
{

using Json = nlohmann::json;
using testing::HasSubstr;

namespace fs = std::filesystem;

class ReportCommandTest : public ProcessFixture
{
  protected:
    int Report(const std::string& results, const std::string& page = "page.html") const
    {
        return Run("report @" + results + " -o @" + page);
    }

    /** What the page shows. */
    Json Data() const
    {
        const auto page = Read("page.html");
        const std::string begin = "id=\"results\">";
        const auto from = page.find(begin) + begin.size();
        return Json::parse(page.substr(from, page.find("</script>", from) - from));
    }

    /** The texts of a column, row by row. */
    static std::vector<std::string> Column(const Json& data, const std::string& name)
    {
        for (const auto& column : data["columns"])
        {
            if (column["name"] == name)
            {
                std::vector<std::string> texts;
                for (std::size_t row = 0; row < data["count"]; ++row)
                {
                    texts.push_back(
                        column["texts"]
                              [column["rows"].empty() ? 0 : column["rows"][row].get<int>()]);
                }
                return texts;
            }
        }
        return {"no such column"};
    }

    void Sweep() const
    {
        ASSERT_EQ(Run("sweep @ring.toml --set training.iterations=2 --vary cluster.workers=2,4 "
                      "--system ring:exchange.algorithm=ring --system "
                      "no:exchange.algorithm=switch-slots,codec.name=truncate --out @sweep"),
                  0);
    }
};

} // namespace

TEST_F(ReportCommandTest, ShowsARun)
{
    ASSERT_EQ(Run("run @ring.toml --set cluster.workers=2 --out @run"), 0);
    ASSERT_EQ(Report("run"), 0);
    EXPECT_EQ(Read("stdout"), Path("page.html") + "\n");
    const auto data = Data();
    EXPECT_EQ(data["kind"], "run");
    EXPECT_EQ(data["title"], "run");
    EXPECT_EQ(data["commands"][0],
              "inca run /dev/null --set training.trace=tensor:4kB --set cluster.workers=2");
    ASSERT_FALSE(data["path"].empty());
    double seconds = 0; // The parts of the chain add up to the iteration.
    for (const auto& part : data["path"])
    {
        seconds += std::stod(part["time_s"].get<std::string>());
    }
    EXPECT_NEAR(seconds, std::stod(Column(data, "iteration_time_s")[0]), 1e-12);
}

/* What was asked is what is not the default, whatever the sweep varies. */
TEST_F(ReportCommandTest, ListsWhatWasSet)
{
    ASSERT_EQ(Run("sweep @ring.toml --set codec.bound=2^-8 --set cluster.latency=1us --vary "
                  "codec.name=none,inceptionn --out @two"),
              0);
    ASSERT_EQ(Report("two"), 0);
    std::set<std::string> names;
    const auto data = Data();
    for (const auto& setting : data["scenario"])
    {
        names.insert(setting["name"]);
    }
    EXPECT_EQ(names.count("codec.bound"), 1U);
    EXPECT_EQ(names.count("cluster.latency"), 0U); // the default
}

/* Two systems at two points each, of which one is refused. */
TEST_F(ReportCommandTest, ShowsASweepByItsStoreAlone)
{
    Sweep();
    fs::remove(Path("sweep/results.csv"));
    ASSERT_EQ(Report("sweep"), 0);
    const auto data = Data();
    EXPECT_EQ(data["kind"], "sweep");
    EXPECT_THAT(Column(data, "status"), testing::ElementsAre("done", "done", "refused", "refused"));
    EXPECT_EQ(data["commands"][1],
              "inca run " + Path("ring.toml") +
                  " --set training.iterations=2 --set exchange.algorithm=ring --set "
                  "cluster.workers=4");
    EXPECT_TRUE(data["notes"].empty());
    const auto page = Read("page.html");
    ASSERT_EQ(Report("sweep/results.sqlite"), 0);
    EXPECT_EQ(Data()["columns"], data["columns"]);
}

/* A store knows traces by what they hold; where they vary, the scenario says nothing of them. */
TEST_F(ReportCommandTest, ShowsNoChecksumInTheScenario)
{
    ASSERT_EQ(Run("sweep @ring.toml --vary training.trace=hdc,tensor:4kB --out @traces"), 0);
    ASSERT_EQ(Report("traces"), 0);
    const auto data = Data();
    for (const auto& setting : data["scenario"])
    {
        EXPECT_NE(setting["name"], "training.trace");
    }
    EXPECT_THAT(Column(data, "trace"), testing::ElementsAre("hdc", "tensor:4kB"));
}

TEST_F(ReportCommandTest, ShowsTheRowsOfATable)
{
    Sweep();
    fs::copy(Path("sweep/results.csv"), Path("rows.csv"));
    ASSERT_EQ(Report("sweep"), 0);
    const auto ofStore = Column(Data(), "iteration_time_s");
    ASSERT_EQ(Report("rows.csv"), 0);
    EXPECT_EQ(Data()["kind"], "rows");
    EXPECT_EQ(Column(Data(), "iteration_time_s"), ofStore);
    EXPECT_THAT(Data()["notes"][0].get<std::string>(), HasSubstr("the folder of a sweep"));
}

/* Of five points, the two of one of two shards are there. */
TEST_F(ReportCommandTest, SaysWhatIsMissing)
{
    ASSERT_EQ(Run("sweep @ring.toml --vary cluster.workers=2,3,4,5,6 --shard 2/2 --out @sweep"), 0);
    ASSERT_EQ(Report("sweep"), 0);
    EXPECT_EQ(Data()["notes"][0], "3 of the sweep's 5 points have no result yet");
}

TEST_F(ReportCommandTest, LeavesWhatWasThereIfItIsRefused)
{
    Put("page.html", "before");
    for (const auto* results : {"nowhere", "ring.toml"})
    {
        EXPECT_EQ(Report(results), 2) << results;
        EXPECT_EQ(Read("page.html"), "before") << results;
    }
}

} // namespace inca
