/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/goal-text.h"

#include "export/exported-run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace inca
{

namespace
{

/** Reads a rank's block back: what LogGOPSim's own parser takes of it, and nothing else. */
std::vector<ExportedOperation>
ParseGoal(const std::string& text, Rank rank)
{
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "rank " + std::to_string(rank) + " {");
    std::vector<ExportedOperation> operations;
    std::map<std::string, std::size_t> labels;
    while (std::getline(lines, line) && line != "}")
    {
        std::istringstream words(line);
        std::string label;
        std::string word;
        words >> label >> word;
        if (word == "requires")
        {
            words >> word;
            operations.at(labels.at(label)).needs.push_back(labels.at(word));
            continue;
        }
        EXPECT_EQ(label.back(), ':') << line;
        label.pop_back();
        EXPECT_TRUE(labels.emplace(label, operations.size()).second) << line;
        auto& operation = operations.emplace_back();
        char unit = 'b';
        std::string direction;
        if (word == "calc")
        {
            words >> operation.ps;
        }
        else
        {
            EXPECT_TRUE(word == "send" || word == "recv") << line;
            operation.kind =
                word == "send" ? ExportedOperation::Kind::SEND : ExportedOperation::Kind::RECEIVE;
            words >> operation.bytes >> unit >> direction >> operation.peer >> word >>
                operation.tag;
            EXPECT_EQ(unit, 'b');
            EXPECT_EQ(direction, operation.kind == ExportedOperation::Kind::SEND ? "to" : "from");
            EXPECT_EQ(word, "tag");
        }
        EXPECT_FALSE(words.fail()) << line;
    }
    EXPECT_EQ(line, "}");
    return operations;
}

} // namespace

TEST(GoalText, SaysOperationsAndWhatTheyNeed)
{
    std::vector<ExportedOperation> operations(3);
    operations[0].ps = 1'499; // rounded to 1 ns
    operations[1].kind = ExportedOperation::Kind::SEND;
    operations[1].bytes = 40;
    operations[1].peer = 2;
    operations[1].needs = {0};
    operations[2].kind = ExportedOperation::Kind::RECEIVE;
    operations[2].bytes = 44;
    operations[2].peer = 3;
    operations[2].tag = 1;
    EXPECT_EQ(GoalText(5, operations),
              "rank 5 {\nl1: calc 1\nl2: send 40b to 2 tag 0\nl2 requires l1\n"
              "l3: recv 44b from 3 tag 1\n}\n");
}

/* Read back and executed: 1001 values in 3 blocks of 334, 334, 333; a ring of 3 passes each block on 2 * 2
 * times, so all ranks together send 4 * 4004 bytes.                                                    */
TEST(GoalText, IsExecutedAsItWasMeant)
{
    const auto plan = PlanOf("[training]\ntrace = \"tensor:4004B\"\n[cluster]\nworkers = 3\n"
                             "[exchange]\nalgorithm = \"ring\"\n");
    std::vector<std::vector<ExportedOperation>> ranks;
    for (const auto& operations : RanksOf(plan))
    {
        const auto rank = static_cast<Rank>(ranks.size());
        ranks.push_back(ParseGoal(GoalText(rank, operations), rank));
    }
    const auto run = Execute(ranks);
    EXPECT_TRUE(run.finishes); // 1001 values are padded to 1002: 2 * 2 * 1002 * 4 bytes
    EXPECT_EQ(run.sentBytes[0] + run.sentBytes[1] + run.sentBytes[2], 16'032U);
    EXPECT_EQ(run.receivedBytes[0] + run.receivedBytes[1] + run.receivedBytes[2], 16'032U);
}

} // namespace inca
