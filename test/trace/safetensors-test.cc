/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/safetensors.h"

#include "base/errors.h"
#include "support/why-not.h"
#include "trace/native-trace.h"
#include "trace/safetensors-writer.h"
#include "trace/value-source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

class Safetensors : public testing::Test
{
  protected:
    ~Safetensors() override
    {
        std::remove(m_path.c_str());
    }

    /** Writes a file with this header and that many data bytes. */
    void Write(const std::string& header, std::size_t dataBytes)
    {
        const std::uint64_t length = header.size();
        std::string bytes(sizeof length, '\0');
        std::memcpy(bytes.data(), &length, sizeof length);
        WriteRaw(bytes + header + std::string(dataBytes, '\1'));
    }

    void WriteRaw(const std::string& bytes)
    {
        std::ofstream(m_path, std::ios::binary) << bytes;
    }

    /** What the reader says of the file, without the path. */
    std::string Refusal() const
    {
        const auto why = WhyNot([this] { SafetensorsFile{m_path}; });
        return why.substr(std::min(m_path.size() + 2, why.size()));
    }

    std::string RefusalOf(const std::string& header, std::size_t dataBytes)
    {
        Write(header, dataBytes);
        return Refusal();
    }

    /** A file of each test's own: tests may run at the same time. */
    const std::string m_path = testing::TempDir() + "safetensors-test-" +
                               testing::UnitTest::GetInstance()->current_test_info()->name();
};

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

TEST_F(Safetensors, WhatIsWrittenIsRead)
{
    WriteSafetensors(m_path, {{"b", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"a", {}, {7}}});
    const SafetensorsFile file(m_path);
    ASSERT_EQ(file.Tensors().size(), 2U);
    EXPECT_EQ(file.Tensors()[0].name, "b"); // file order, not the alphabet's
    EXPECT_EQ(file.Tensors()[0].dtype, "F32");
    EXPECT_EQ(file.Tensors()[0].elements, 6U);
    EXPECT_EQ(file.Tensors()[1].elements, 1U); // a scalar
    float values[2] = {};
    file.ReadFloats(*file.Find("b"), 4, 2, values);
    EXPECT_THAT(values, testing::ElementsAre(5, 6));
    file.ReadFloats(*file.Find("a"), 0, 1, values);
    EXPECT_EQ(values[0], 7);
    EXPECT_EQ(file.Find("c"), nullptr);
}

TEST_F(Safetensors, OtherTypesAreListedButNotReadAsFloats)
{
    Write(R"({"__metadata__":{"format":"pt"},"h":{"dtype":"I16","shape":[3],"data_offsets":[0,6]},)"
          R"("e":{"dtype":"F32","shape":[0,5],"data_offsets":[0,0]}})",
          6);
    const SafetensorsFile file(m_path);
    EXPECT_EQ(file.Tensors()[0].name, "e"); // empty, before the tensor at the same offset
    EXPECT_EQ(file.Tensors()[1].bytes, 6U);
    float value = 0;
    EXPECT_THROW(file.ReadFloats(file.Tensors()[1], 0, 1, &value), InputError);
}

/* 1.5 is 0x3FC0 in bf16 and 0x3E00 in fp16, -2 is 0xC000 in both. */
TEST_F(Safetensors, HalvesAreReadWidened)
{
    const std::string header = R"({"b":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
                               R"("h":{"dtype":"F16","shape":[2],"data_offsets":[4,8]}})";
    const std::uint64_t bytes = header.size();
    WriteRaw(std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes) + header +
             std::string("\xc0\x3f\x00\xc0\x00\x3e\x00\xc0", 8));
    const SafetensorsFile file(m_path);
    for (const auto* name : {"b", "h"})
    {
        float values[2] = {};
        file.ReadFloats(*file.Find(name), 0, 2, values);
        EXPECT_THAT(values, testing::ElementsAre(1.5F, -2.0F)) << name;
        file.ReadFloats(*file.Find(name), 1, 1, values);
        EXPECT_EQ(values[0], -2.0F) << name;
    }
}

TEST_F(Safetensors, BrokenFilesAreRefused)
{
    WriteRaw(std::string(8, '\xff') + "{}");
    EXPECT_THAT(Refusal(), testing::HasSubstr("a header of 18446744073709551615 bytes"));
    for (const auto* header : {"", "x", "[]", "{\"a\":1", "3"})
    {
        EXPECT_THAT(RefusalOf(header, 0), testing::HasSubstr("header")) << header;
    }
}

TEST_F(Safetensors, TensorsMayLieInAnyOrder)
{
    EXPECT_EQ(RefusalOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]},)"
                        R"("b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
                        8),
              "");
}

TEST_F(Safetensors, FileThatShrinksWhileOpenIsNoticed)
{
    WriteSafetensors(m_path, {{"a", {1000}, std::vector<float>(1000, 1)}});
    const SafetensorsFile file(m_path);
    std::filesystem::resize_file(m_path, 200);
    std::vector<float> values(1000);
    EXPECT_THROW(file.ReadFloats(*file.Find("a"), 0, 1000, values.data()), InputError);
}

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
            testing::ElementsAre(testing::HasSubstr(": a: has 2"), testing::HasSubstr(": b: ")));
    }
}

TEST(SafetensorsHeader, DeeplyNestedHeaderIsRefused)
{
    const std::string open(1'000'000, '[');
    const std::string close(1'000'000, ']');
    EXPECT_THROW(ParseSafetensorsHeader(open, 8, 0, "t"), InputError);
    EXPECT_THROW(ParseSafetensorsHeader("{\"a\":" + open + close + "}", 8, 0, "t"), InputError);
}

} // namespace inca
