/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/mapped-file.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace inca
{

namespace
{

class MappedFileTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_path = testing::TempDir() + "inca-mapped-file-" + test->name();
        std::filesystem::remove(m_path);
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    void Put(const std::string& text) const
    {
        std::ofstream(m_path) << text;
    }

    /** @return what it refuses @p path with */
    static std::string Refusal(const std::string& path)
    {
        try
        {
            const MappedFile file(path);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    std::string m_path;
};

} // namespace

TEST_F(MappedFileTest, HoldsAFilesBytes)
{
    Put("text");
    const MappedFile file(m_path);
    EXPECT_EQ(std::string(file.Data(), file.Data() + file.Bytes()), "text");
    std::string middle(2, ' ');
    file.Read(1, 2, middle.data());
    EXPECT_EQ(middle, "ex");
}

TEST_F(MappedFileTest, MayBeEmpty)
{
    Put("");
    const MappedFile file(m_path);
    EXPECT_EQ(file.Bytes(), 0U);
    EXPECT_EQ(file.Data(), nullptr);
}

TEST_F(MappedFileTest, NamesWhatIsNoFile)
{
    EXPECT_EQ(Refusal(m_path), m_path + ": cannot be read: No such file or directory");
    EXPECT_EQ(Refusal("/dev/zero"), "/dev/zero: is no regular file");
    EXPECT_EQ(Refusal(testing::TempDir()), testing::TempDir() + ": is no regular file");
}

/* 9 of 8192 bytes are left: looking at one of the second page would end the program. */
TEST_F(MappedFileTest, NoticesThatItsFileShrinks)
{
    Put(std::string(8192, 'x'));
    const MappedFile file(m_path);
    std::filesystem::resize_file(m_path, 9);
    std::string text(9, ' ');
    file.Read(0, 9, text.data());
    EXPECT_EQ(text, std::string(9, 'x'));
    EXPECT_THROW(file.Read(4096, 1, text.data()), InputError);
}

/* Exit code 2, and the name, instead of SIGBUS. A page is at most 64 KiB. */
TEST_F(MappedFileTest, EndsTheProgramWithAWordWhenALostByteIsRead)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            constexpr std::size_t bytes = 1U << 18U;
            Put(std::string(bytes, 'x'));
            const MappedFile file(m_path);
            EndOnLostBytes();
            std::filesystem::resize_file(m_path, 9);
            std::exit(file.Data()[bytes - 1]);
        },
        testing::ExitedWithCode(2),
        "inca: .*inca-mapped-file-.*: has become shorter while it was read");
}

} // namespace inca
