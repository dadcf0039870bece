/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/result-store.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

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
        record.layers.resize(3);
        record.links.resize(2);
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
    EXPECT_EQ(Count("layers WHERE key = 'a'"), 3);
    EXPECT_EQ(Count("links WHERE key = 'a'"), 2);
    EXPECT_EQ(Count("rows WHERE label = 'of a' AND iteration_time_s > 6.5"), 1);
}

/* A lock is its process's, and ends with it. */
TEST_F(ResultStoreTest, TakesOneSweepAtATime)
{
    const auto isRefused = [this] {
        ResultStore store(directory);
        try
        {
            store.Begin(Points({"a"}));
        }
        catch (const InputError& error)
        {
            return std::string(error.what()).find("another sweep is at work") != std::string::npos;
        }
        return false;
    };
    {
        ResultStore one(directory);
        one.Begin(Points({"a", "b"}));
        const auto other = ::fork();
        if (other == 0)
        {
            ::_exit(isRefused() ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(other, &status, 0), other);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(Count("points"), 2);
    }
    EXPECT_FALSE(isRefused());
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

TEST_F(ResultStoreTest, TakesWhatItNeedsFromAnother)
{
    const auto other = directory + "-other";
    std::filesystem::remove_all(other);
    {
        ResultStore store(other);
        store.Begin(Points({"a", "b", "c"}));
        Put(store, "a", ResultOf(1));
        Put(store, "b", ResultOf(2));
        Put(store, "c", ResultWithout(PointStatus::FAILED, "no memory", Scenario{}));
    }
    ResultStore store(directory);
    store.Begin(Points({"b", "c", "d"}));
    EXPECT_EQ(store.TakeFrom(other), 1);
    EXPECT_EQ(store.TakeFrom(other), 0);
    EXPECT_TRUE(store.Find("b"));
    EXPECT_FALSE(store.Find("a"));
    EXPECT_FALSE(store.Find("c"));
    EXPECT_EQ(Count("layers"), 3);
    EXPECT_THROW(store.TakeFrom(directory + "-none"), InputError);
    std::filesystem::remove_all(other);
}

TEST_F(ResultStoreTest, RefusesWhatIsNoStore)
{
    std::filesystem::create_directories(directory);
    std::ofstream(StorePath(directory)) << "this is a text file, and no database at all\n";
    EXPECT_THROW(ResultStore{directory}, InputError);
    std::filesystem::remove(StorePath(directory));
    Database(StorePath(directory)).Run("PRAGMA user_version = 77");
    try
    {
        ResultStore store(directory);
        FAIL() << "it is of another version";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.what(), HasSubstr("name another folder with --out"));
    }
}

/* A write that the disk does not take changes nothing. */
TEST_F(ResultStoreTest, WhatIsTogetherIsAllOrNothing)
{
    ResultStore store(directory);
    store.Begin(Points({"a", "b"}));
    const auto steps = [&store] {
        store.Put("a", ResultOf(1));
        throw RunError("the disk is full");
    };
    EXPECT_THROW(store.Together(steps), RunError);
    EXPECT_FALSE(store.Find("a"));
    Put(store, "b", ResultOf(2));
    EXPECT_TRUE(store.Find("b"));
}

} // namespace inca
