/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/byte-source.h"

#include "base/errors.h"
#include "base/whole-file.h"
#include "support/own-path.h"

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

namespace inca
{

namespace
{

std::string
Packed(const std::string& text)
{
    std::istringstream in(text);
    std::ostringstream out;
    boost::iostreams::filtering_istreambuf filter;
    filter.push(boost::iostreams::gzip_compressor());
    filter.push(in);
    boost::iostreams::copy(filter, out);
    return out.str();
}

class ByteSourceTest : public testing::Test
{
  protected:
    std::string Write(const std::string& text) const
    {
        WriteWholeFile(m_path, text);
        return m_path;
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    std::string m_path = OwnPath();
};

constexpr std::size_t MOST = 64U << 20U;

} // namespace

TEST_F(ByteSourceTest, ReadsPlainAndPackedAlike)
{
    const std::string text(3'000'000, 'x'); // longer than the prefix
    ByteSource plain(Write(text));
    EXPECT_EQ(plain.Prefix().size(), ByteSource::MOST_PREFIX);
    EXPECT_EQ(plain.ReadAll(MOST), text);
    EXPECT_FALSE(plain.IsPacked());

    ByteSource packed(Write(Packed(text)));
    EXPECT_EQ(packed.Prefix(), text.substr(0, ByteSource::MOST_PREFIX));
    EXPECT_EQ(packed.ReadAll(MOST), text);
    EXPECT_TRUE(packed.IsPacked());
    EXPECT_EQ(packed.UnpackedBytes(), text.size());
}

TEST_F(ByteSourceTest, RefusesDamagedAndCutGzip)
{
    std::string noise;
    for (unsigned i = 0; i < 100'000; ++i)
    {
        noise.push_back(static_cast<char>(i * 2654435761U >> 24U));
    }
    const auto whole = Packed(noise);
    for (const auto size : {whole.size() - 1, whole.size() / 2, std::size_t{12}, std::size_t{2}})
    {
        const auto path = Write(whole.substr(0, size));
        EXPECT_THROW(ByteSource(path).ReadAll(MOST), InputError) << size;
    }
    auto damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
    const auto path = Write(damaged);
    EXPECT_THROW(ByteSource(path).ReadAll(MOST), InputError);
}

TEST_F(ByteSourceTest, RefusesWhatIsEmptyOrTooMuch)
{
    const auto path = Write("");
    EXPECT_THROW(ByteSource{path}, InputError);
    EXPECT_THROW(ByteSource{testing::TempDir() + "no-such-file"}, InputError);
    ByteSource source("text", "12345");
    EXPECT_THROW(source.ReadAll(4), InputError);
}

} // namespace inca
