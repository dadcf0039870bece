/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/chakra-rank.h"

#include "export/exported-run.h"
#include "import/chakra-file.h"
#include "import/import-formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

const std::string ALEXNET =
    "[training]\ntrace = \"alexnet\"\n[cluster]\nworkers = 2\n[exchange]\nalgorithm = \"ring\"\n";

/** Operations of a rank, read back from its file. */
std::vector<ExportedOperation>
ReadBack(Rank rank, const std::string& text)
{
    ByteSource source("x.et", text);
    ImportReport report;
    std::vector<ExportedOperation> operations;
    for (const auto& node : ReadChakra(source, report).nodes)
    {
        auto& operation = operations.emplace_back();
        EXPECT_EQ(node.id + 1, operations.size());
        operation.needs.assign(node.needs.begin(), node.needs.end());
        operation.bytes = node.commSize.value_or(0);
        operation.tag = static_cast<std::uint32_t>(node.commTag.value_or(0));
        if (node.type == ChakraType::COMM_SEND)
        {
            EXPECT_EQ(node.commSource, rank);
            operation.kind = ExportedOperation::Kind::SEND;
            operation.peer = static_cast<Rank>(*node.commDestination);
        }
        else if (node.type == ChakraType::COMM_RECV)
        {
            EXPECT_EQ(node.commDestination, rank);
            operation.kind = ExportedOperation::Kind::RECEIVE;
            operation.peer = static_cast<Rank>(*node.commSource);
        }
    }
    return operations;
}

} // namespace

/* 2 workers send 2 * 1/2 of the model each. */
TEST(ChakraRank, IsExecutedAsItWasMeant)
{
    const auto plan = PlanOf(ALEXNET);
    std::vector<std::vector<ExportedOperation>> ranks;
    for (const auto& operations : RanksOf(plan))
    {
        const auto rank = static_cast<Rank>(ranks.size());
        ranks.push_back(ReadBack(rank, FormatChakra(ChakraOf(rank, operations))));
    }
    const auto run = Execute(ranks);
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(run.sentBytes[0] + run.sentBytes[1], 2 * plan.Job().prepared.trace->Bytes());
}

/* With collectives, what INCA imports again has the buckets and the times of the trace, but for Chakra's
 * whole microseconds: half of one at most for each of the operations.                                 */
TEST(ChakraRank, OfCollectivesIsImportedAgain)
{
    const auto plan = PlanOf(ALEXNET);
    const auto& job = *plan.Job().prepared.job;
    const auto operations = ExportRank(plan.scenario, job, 0, true);
    std::vector<std::unique_ptr<ByteSource>> sources;
    sources.push_back(std::make_unique<ByteSource>("x.et", FormatChakra(ChakraOf(0, operations))));
    const auto imported = ImportTrace(sources, {});
    EXPECT_EQ(imported.trace.Bytes(), plan.Job().prepared.trace->Bytes());
    EXPECT_EQ(imported.trace.layers.size(), job.buckets.size());
    const auto total = [](const GradientTrace& trace) {
        std::int64_t sum = 0;
        for (const auto& layer : trace.layers)
        {
            sum += layer.forwardPs + layer.backwardPs + layer.updatePs;
        }
        return sum;
    };
    EXPECT_NEAR(static_cast<double>(total(imported.trace)),
                static_cast<double>(total(*plan.Job().prepared.trace)),
                static_cast<double>(operations.size()) * 500'000);
}

} // namespace inca
