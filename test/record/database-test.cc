/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/database.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <fstream>

namespace inca
{

TEST(Database, KeepsWhatIsBound)
{
    Database database(":memory:");
    database.Run("CREATE TABLE t (a, b, c, d)");
    const std::string text("with \0 a zero", 13);
    auto insert = database.Prepare("INSERT INTO t VALUES (?, ?, 0.5, NULL)");
    insert.Bind(text).Bind(std::int64_t{-7}).Run();
    insert.Bind("").Bind(std::int64_t{8}).Run();
    auto select = database.Prepare("SELECT a, b, c, d FROM t ORDER BY b");
    ASSERT_TRUE(select.Step());
    EXPECT_EQ(select.Text(0), text);
    EXPECT_EQ(select.Number(1), -7);
    EXPECT_EQ(select.Text(2), "0.5");
    EXPECT_TRUE(select.IsNull(3));
    ASSERT_TRUE(select.Step());
    EXPECT_FALSE(select.IsNull(0)); // an empty text is one
    EXPECT_FALSE(select.Step());
}

TEST(Database, ATransactionIsAllOrNothing)
{
    Database database(":memory:");
    database.Run("CREATE TABLE t (a)");
    const auto giveUp = [&database] {
        database.Run("INSERT INTO t VALUES (1)");
        throw RunError("no more");
    };
    EXPECT_THROW(database.Together(giveUp), RunError);
    database.Together([&database] { database.Run("INSERT INTO t VALUES (2)"); });
    auto select = database.Prepare("SELECT sum(a) FROM t");
    ASSERT_TRUE(select.Step());
    EXPECT_EQ(select.Number(0), 2);
}

TEST(Database, SaysWhatIsWrong)
{
    Database database(":memory:");
    EXPECT_THROW(database.Prepare("SELEC 1"), RunError);
    EXPECT_THROW(Database("/no/such/folder/a.sqlite"), InputError);
    const auto path = testing::TempDir() + "no-database.sqlite";
    std::ofstream(path) << "this is a text file, and no database at all\n";
    EXPECT_THROW(Database("no-such.sqlite", WhereMissing::REFUSE), InputError);
    Database other(path);
    EXPECT_THROW(other.Run("CREATE TABLE t (a)"), RunError);
}

} // namespace inca
