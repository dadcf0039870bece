/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/protobuf.h"

#include <gtest/gtest.h>

namespace inca
{

/* Protocol Buffers' own example: 150 is 0x96 0x01. */
TEST(Protobuf, ReadsVarints)
{
    std::string_view text = "\x96\x01\x07";
    EXPECT_EQ(TakeVarint(text), 150U);
    EXPECT_EQ(TakeVarint(text), 7U);
    EXPECT_EQ(TakeVarint(text), std::nullopt);
    std::string_view cut = "\x96";
    EXPECT_EQ(TakeVarint(cut), std::nullopt);
    std::string_view endless = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    EXPECT_THROW(TakeVarint(endless), ProtobufError);
}

TEST(Protobuf, ReadsWhatItWrites)
{
    ProtobufWriter writer;
    writer.Varint(1, UINT64_MAX);
    writer.Bytes(10, "abc");
    EXPECT_EQ(writer.Delimited()[0], static_cast<char>(writer.Message().size()));
    ProtobufReader reader(writer.Message());
    EXPECT_EQ(reader.Next()->Varint(), UINT64_MAX);
    const auto text = reader.Next();
    EXPECT_EQ(text->number, 10U);
    EXPECT_EQ(text->Text(), "abc");
    EXPECT_THROW(text->Varint(), ProtobufError);
    EXPECT_FALSE(reader.Next());
}

/* Field 4, packed: 3 and 150. */
TEST(Protobuf, ReadsPackedNumbers)
{
    const std::string message = "\x22\x03\x03\x96\x01";
    std::vector<std::uint64_t> values;
    ProtobufReader(message).Next()->AppendVarints(values);
    EXPECT_EQ(values, (std::vector<std::uint64_t>{3, 150}));
}

TEST(Protobuf, RefusesWhatIsCutOffOrNoField)
{
    for (const std::string message :
         {"\x22\x03\x03", "\x09\x01", "\x08", "\x0b", "\x07\x01", "\x02\x00"})
    {
        EXPECT_THROW(ProtobufReader(message).Next(), ProtobufError) << message;
    }
}

} // namespace inca
