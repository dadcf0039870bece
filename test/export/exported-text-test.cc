/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-text.h"

#include "export/exported-run.h"
#include "import/import-formats.h"
#include "support/why-not.h"

#include <et_def.pb.h>

#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace inca
{

namespace
{

const std::string ALEXNET =
    "[training]\ntrace = \"alexnet\"\n[cluster]\nworkers = 2\n[exchange]\nalgorithm = \"ring\"\n";

/** Operations of a rank, read back from its file: a first message of another kind, then nodes. */
std::vector<ExportedOperation>
ParseChakra(const std::string& text, Rank rank)
{
    google::protobuf::io::CodedInputStream stream(
        reinterpret_cast<const std::uint8_t*>(text.data()), static_cast<int>(text.size()));
    std::vector<ExportedOperation> operations;
    std::uint32_t size = 0;
    EXPECT_TRUE(stream.ReadVarint32(&size) && stream.Skip(static_cast<int>(size)));
    while (stream.ReadVarint32(&size))
    {
        std::string message;
        chakra::Node node;
        EXPECT_TRUE(stream.ReadString(&message, static_cast<int>(size)) &&
                    node.ParseFromString(message));
        EXPECT_EQ(node.id(), operations.size());
        std::map<std::string, std::int64_t> numbers;
        for (const auto& attribute : node.attr())
        {
            numbers[attribute.name()] = attribute.int64_val() + attribute.int32_val();
        }
        auto& operation = operations.emplace_back();
        operation.needs.assign(node.data_deps().begin(), node.data_deps().end());
        operation.bytes = static_cast<std::uint64_t>(numbers["comm_size"]);
        operation.tag = static_cast<std::uint32_t>(numbers["comm_tag"]);
        if (node.type() != chakra::COMP_NODE)
        {
            const bool sends = node.type() == chakra::COMM_SEND_NODE;
            EXPECT_EQ(numbers[sends ? "comm_src" : "comm_dst"], rank);
            operation.kind =
                sends ? ExportedOperation::Kind::SEND : ExportedOperation::Kind::RECEIVE;
            operation.peer = static_cast<Rank>(numbers[sends ? "comm_dst" : "comm_src"]);
        }
    }
    return operations;
}

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

/** What other simulators would do with all ranks' texts. */
template <class Write, class Parse>
ExportedRun
ExecutedTexts(const Plan& plan, Write write, Parse parse)
{
    std::vector<std::vector<ExportedOperation>> ranks;
    for (const auto& operations : RanksOf(plan))
    {
        const auto rank = static_cast<Rank>(ranks.size());
        ranks.push_back(parse(write(rank, operations), rank));
    }
    return Execute(ranks);
}

} // namespace

/* 2 workers send 2 * 1/2 of the model each. */
TEST(ChakraText, IsExecutedAsItWasMeant)
{
    const auto plan = PlanOf(ALEXNET);
    const auto write = [](Rank rank, const auto& operations) {
        return ChakraText(rank, "fp32", operations);
    };
    const auto run = ExecutedTexts(plan, write, ParseChakra);
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(run.sentBytes[0] + run.sentBytes[1], 2 * plan.Settings().trace->Bytes());
}

/* With collectives, what INCA imports again has the gradients and the times of the trace, whatever travels; but for Chakra's
 * whole microseconds: half of one at most for each of the operations. Without, nothing says what is summed. */
TEST(ChakraText, OfCollectivesIsImportedAgain)
{
    const auto importedText = [](const std::string& text) {
        std::vector<std::unique_ptr<ByteSource>> sources;
        sources.push_back(std::make_unique<ByteSource>("x.et", text));
        return ImportTrace(sources, {});
    };
    const auto total = [](const GradientTrace& trace) {
        std::int64_t sum = 0;
        for (const auto& layer : trace.layers)
        {
            sum += layer.forwardPs + layer.backwardPs + layer.updatePs;
        }
        return static_cast<double>(sum);
    };
    const std::string bf16 = "[training]\ntrace = \"bert-a100-bf16\"\n[cluster]\nworkers = "
                             "2\n[exchange]\nalgorithm = \"ring\"\n";
    const std::string sparse = "[training]\ndensity = 0.01\n" + ALEXNET.substr(11);
    for (const auto& scenario : {ALEXNET,
                                 bf16,
                                 ALEXNET + "[codec]\nname = \"inceptionn\"\n",
                                 sparse + "[codec]\nname = \"homomorphic\"\nratio = 4\n"})
    {
        const auto plan = PlanOf(scenario);
        const auto& trace = *plan.Settings().trace;
        const auto operations = ExportRank(plan.Settings(), *plan.Job().job, 0, true);
        const auto imported = importedText(ChakraText(0, trace.gradientType, operations));
        EXPECT_EQ(imported.trace.Bytes(), trace.Bytes()) << scenario;
        EXPECT_EQ(imported.trace.gradientType, trace.gradientType) << scenario;
        EXPECT_NEAR(
            total(imported.trace), total(trace), static_cast<double>(operations.size()) * 500'000);
    }
    const auto plan = PlanOf(ALEXNET);
    const auto steps = ExportRank(plan.Settings(), *plan.Job().job, 0, false);
    EXPECT_THAT(WhyNot([&] { importedText(ChakraText(0, "fp32", steps)); }),
                testing::HasSubstr("`inca export --collectives` writes what can be imported"));
}

/* The GPU's work is of cpu 0, which GOAL need not say; a sum and messages go on beside it, on cpu 1. */
TEST(GoalText, SaysOperationsAndWhatTheyNeed)
{
    std::vector<ExportedOperation> operations(4);
    operations[0].ps = 1'499; // rounded to 1 ns
    operations[1].kind = ExportedOperation::Kind::SEND;
    operations[1].bytes = 40;
    operations[1].peer = 2;
    operations[1].needs = {0};
    operations[2].kind = ExportedOperation::Kind::RECEIVE;
    operations[2].bytes = 44;
    operations[2].peer = 3;
    operations[2].tag = 1;
    operations[3].onHost = true;
    EXPECT_EQ(GoalText(5, operations),
              "rank 5 {\nl1: calc 1\nl2: send 40b to 2 tag 0 cpu 1\nl2 requires l1\n"
              "l3: recv 44b from 3 tag 1 cpu 1\nl4: calc 0 cpu 1\n}\n");
}

/* Read back and executed: 1001 values in 3 blocks of 334, 334, 333; a ring of 3 passes each block on 2 * 2
 * times, so all ranks together send 4 * 4004 bytes.                                                    */
TEST(GoalText, IsExecutedAsItWasMeant)
{
    const auto plan = PlanOf("[training]\ntrace = \"tensor:4004B\"\n[cluster]\nworkers = 3\n"
                             "[exchange]\nalgorithm = \"ring\"\n");
    const auto run = ExecutedTexts(plan, GoalText, ParseGoal);
    EXPECT_TRUE(run.finishes); // 1001 values are padded to 1002: 2 * 2 * 1002 * 4 bytes
    EXPECT_EQ(run.sentBytes[0] + run.sentBytes[1] + run.sentBytes[2], 16'032U);
    EXPECT_EQ(run.receivedBytes[0] + run.receivedBytes[1] + run.receivedBytes[2], 16'032U);
}

} // namespace inca
