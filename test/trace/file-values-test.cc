/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "trace/native-trace.h"
#include "trace/safetensors-writer.h"
#include "trace/value-source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace inca
{

namespace
{

/** A model of layers a (3 elements) and b (2), and files for it. */
class FileValuesTest : public testing::Test
{
  protected:
    ~FileValuesTest() override
    {
        for (const auto* part : {"0", "1", "{worker}"})
        {
            std::remove(Path(part).c_str());
        }
    }

    static std::string Path(const std::string& part)
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        return testing::TempDir() + test->name() + "-" + part + ".safetensors";
    }

    std::vector<float> Fill(const ValueSource& source,
                            unsigned worker,
                            unsigned begin,
                            unsigned count)
    {
        std::vector<float> values(count);
        source.Fill(worker, begin, count, values.data());
        return values;
    }

    std::shared_ptr<const GradientTrace> m_trace = std::make_shared<const GradientTrace>(
        ParseTrace("#inca-trace v1\nlayer,elements,forward_ns,backward_ns,update_ns\n"
                   "a,3,0,0,0\nb,2,0,0,0\n",
                   "m.csv"));
};

} // namespace

/* The file's order of tensors does not matter; the model's order of layers does. */
TEST_F(FileValuesTest, LayersAreJoinedInModelOrder)
{
    WriteSafetensors(Path("0"), {{"b", {2}, {4, 5}}, {"a", {3}, {1, 2, 3}}});
    const auto source = MakeFileValues(m_trace, Path("0"), 7);
    EXPECT_THAT(Fill(*source, 6, 0, 5), testing::ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(Fill(*source, 0, 2, 2), testing::ElementsAre(3, 4));
    EXPECT_THAT(Fill(*source, 0, 5, 0), testing::IsEmpty());
}

TEST_F(FileValuesTest, EachWorkerCanHaveAFile)
{
    WriteSafetensors(Path("0"), {{"a", {3}, {1, 2, 3}}, {"b", {2}, {4, 5}}});
    WriteSafetensors(Path("1"), {{"a", {3}, {6, 7, 8}}, {"b", {2}, {9, 10}}});
    const auto source = MakeFileValues(m_trace, Path("{worker}"), 2);
    EXPECT_THAT(Fill(*source, 0, 2, 2), testing::ElementsAre(3, 4));
    EXPECT_THAT(Fill(*source, 1, 2, 2), testing::ElementsAre(8, 9));
    EXPECT_THROW(MakeFileValues(m_trace, Path("{worker}"), 3), InputError); // no file of worker 2
}

TEST_F(FileValuesTest, EveryLayerThatDoesNotFitIsNamed)
{
    WriteSafetensors(Path("0"), {{"a", {2}, {1, 2}}});
    try
    {
        MakeFileValues(m_trace, Path("0"), 1);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(
            error.Complaints(),
            testing::ElementsAre(Path("0") + ": a: has 2 elements, the trace's layer has 3",
                                 Path("0") + ": b: the file has no tensor of this layer's name"));
    }
}

} // namespace inca
