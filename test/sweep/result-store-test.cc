/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/result-store.h"

#include "base/errors.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ResultStoreTest : public testing::Test
{
  protected:
    ResultStoreTest()
    {
        std::filesystem::remove_all(directory);
    }

    ~ResultStoreTest() override
    {
        std::filesystem::remove_all(directory);
    }

    static SweepPlan Points(const std::vector<std::string>& keys,
                            const std::vector<std::string>& base = {})
    {
        SweepPlan plan;
        plan.base = base;
        auto& points = plan.points;
        for (const auto& key : keys)
        {
            points.emplace_back();
            points.back().number = points.size();
            points.back().label = "of " + key;
            points.back().key = key;
        }
        return plan;
    }

    /** A result from which its key can be told. */
    static PointResult ResultOf(std::int64_t seconds)
    {
        RunRecord record;
        record.results.iterationTimePs = seconds * 1'000'000'000'000;
        record.origin.traceCrc32 = 0x12345678; // eight digits, and no number
        record.warnings = {"one", "two \"quoted\""};
        return DoneResult(record);
    }

    static void Put(ResultStore& store, const std::string& key, const PointResult& result)
    {
        store.Together([&] { store.Put(key, result); });
    }

    std::int64_t Count(const std::string& what) const
    {
        Database database(StorePath(directory));
        auto count = database.Prepare("SELECT count(*) FROM " + what);
        count.Step();
        return count.Number(0);
    }

    std::string directory{testing::TempDir() + "result-store-" +
                          testing::UnitTest::GetInstance()->current_test_info()->name()};
};

class StoredSweepTest : public ResultStoreTest
{
  protected:
    StoredSweepTest()
    {
        std::filesystem::create_directories(directory);
    }

    /** Two points, of which the first has a result. */
    void Sweep() const
    {
        auto plan = Points({"a", "b"}, {"inca=0 build 1", "cluster.workers=4"});
        plan.command = {"inca", "run", "ring.toml", "--set", "training.iterations=2"};
        plan.all = 2;
        for (auto& point : plan.points)
        {
            point.settings = {"codec.name=" + point.key};
        }
        ResultStore store(directory);
        store.Begin(plan);
        store.Together([&] { store.Put("a", DoneResult(Record())); });
    }

    static RunRecord Record()
    {
        RunRecord record;
        record.results.iterationTimePs = 1'234'567'890'123;
        return record;
    }
};

} // namespace

TEST_F(ResultStoreTest, GivesBackWhatItTook)
{
    {
        ResultStore store(directory);
        store.Begin(Points({"a"}));
        Put(store, "a", ResultOf(7));
    }
    ResultStore store(directory);
    const auto found = store.Find("a");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->status, PointStatus::DONE);
    EXPECT_THAT(found->warnings, ElementsAre("one", "two \"quoted\""));
    EXPECT_EQ(CsvHeader(found->results) + CsvRow(found->results),
              CsvHeader(ResultOf(7).results) + CsvRow(ResultOf(7).results));
    EXPECT_FALSE(store.Find("b"));
    EXPECT_EQ(Count("rows WHERE label = 'of a' AND iteration_time_s > 6.5"), 1);
}

TEST_F(ResultStoreTest, ForgetsFailuresOfItsPointsAlone)
{
    {
        ResultStore store(directory);
        store.Begin(Points({"a", "b", "c"}));
        Put(store, "a", ResultWithout(PointStatus::FAILED, "no memory", Scenario{}));
        Put(store, "b", ResultWithout(PointStatus::TIMEOUT, "too long", Scenario{}));
        Put(store, "c", ResultWithout(PointStatus::REFUSED, "no such thing", Scenario{}));
    }
    ResultStore store(directory);
    store.Begin(Points({"a", "c"}));
    EXPECT_FALSE(store.Find("a"));
    EXPECT_EQ(store.Find("b")->status, PointStatus::TIMEOUT);
    EXPECT_EQ(store.Find("c")->status, PointStatus::REFUSED);
    EXPECT_THAT(store.Find("c")->warnings, ElementsAre("no such thing"));
}

TEST_F(ResultStoreTest, SaysWhatHasChangedSinceItsLastSweep)
{
    const auto differences = [this](const std::vector<std::string>& base) {
        return ResultStore(directory).Begin(Points({"a"}, base));
    };
    EXPECT_THAT(differences({"cluster.latency=1us", "training.trace=crc32 1"}), IsEmpty());
    EXPECT_THAT(differences({"cluster.latency=1us", "training.trace=crc32 1"}), IsEmpty());
    EXPECT_THAT(differences({"cluster.latency=2us", "training.trace=crc32 1", "attributes.A=3"}),
                ElementsAre("attributes.A is 3, was nothing", "cluster.latency is 2us, was 1us"));
}

TEST_F(StoredSweepTest, HasWhatTheSweepHasPut)
{
    Sweep();
    ResultStore(directory + "/merged").Merge(directory);
    auto sweep = OpenStore(StorePath(directory));
    EXPECT_THAT(sweep.Command(),
                ElementsAre("inca", "run", "ring.toml", "--set", "training.iterations=2"));
    EXPECT_THAT(sweep.Base(), ElementsAre("inca=0 build 1", "cluster.workers=4"));
    EXPECT_EQ(sweep.AllPoints(), 2);
    std::vector<StoredPoint> points;
    sweep.ForEachPoint([&points](const StoredPoint& point) { points.push_back(point); });
    ASSERT_EQ(points.size(), 2U);
    EXPECT_THAT(points[0].arguments, ElementsAre("codec.name=a"));
    EXPECT_EQ(CellText(RowOf(points[0]), "iteration_time_s"), "1.234567890123");
    EXPECT_EQ(CellText(RowOf(points[0]), "label"), "of a");
    EXPECT_FALSE(points[1].result);
    EXPECT_EQ(OpenStore(StorePath(directory + "/merged")).Command(), sweep.Command());
}

TEST_F(StoredSweepTest, IsReadWhereNothingCanBeWritten)
{
    Sweep();
    namespace fs = std::filesystem;
    fs::permissions(StorePath(directory), fs::perms::owner_read);
    fs::permissions(directory, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(OpenStore(StorePath(directory)).AllPoints(), 2);
    fs::permissions(directory, fs::perms::owner_all);
}

/* Neither where nothing is, nor in a text, nor in a database of another version. */
TEST_F(StoredSweepTest, IsInNoOtherFile)
{
    const auto path = StorePath(directory);
    EXPECT_THAT(WhyNot([&] { OpenStore(path); }), HasSubstr("unable"));
    EXPECT_FALSE(std::filesystem::exists(path));
    std::ofstream(path) << "this is a text file, and no database at all\n";
    EXPECT_THAT(WhyNot([&] { OpenStore(path); }), HasSubstr("not a database"));
    EXPECT_THROW(ResultStore{directory}, InputError);
    std::filesystem::remove(path);
    Database(path).Run("PRAGMA user_version = 77");
    EXPECT_THAT(WhyNot([&] { OpenStore(path); }), HasSubstr("version"));
    EXPECT_THAT(WhyNot([&] { ResultStore store(directory); }), HasSubstr("--out"));
}

} // namespace inca
