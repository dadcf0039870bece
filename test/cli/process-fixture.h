/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CLI_PROCESS_FIXTURE_H
#define INCA_TEST_CLI_PROCESS_FIXTURE_H

#include <CLI/StringTools.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace inca
{

/** The program, running; ended at the latest when this goes. */
class Process
{
  public:
    explicit Process(::pid_t id)
        : m_id(id)
    {
    }

    Process(Process&& other) noexcept
        : m_id(std::exchange(other.m_id, -1))
    {
    }

    ~Process()
    {
        if (m_id > 0)
        {
            ::kill(m_id, SIGKILL);
            Wait();
        }
    }

    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    ::pid_t Id() const
    {
        return m_id;
    }

    void Send(int signal) const
    {
        ::kill(m_id, signal);
    }

    /** @return its exit code; 1000 and the signal that has ended it */
    int Wait()
    {
        int status = 0;
        ::waitpid(std::exchange(m_id, -1), &status, 0);
        constexpr int bySignal = 1000;
        return WIFEXITED(status) ? WEXITSTATUS(status) : bySignal + WTERMSIG(status);
    }

  private:
    ::pid_t m_id;
};

/** Runs the program as a shell would; each test has a folder of its own. */
class ProcessFixture : public testing::Test
{
  protected:
    ProcessFixture()
        : folder(testing::TempDir() + "inca-" +
                 testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())
    {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        Put("ring.toml", "[training]\ntrace = \"tensor:4kB\"\n");
    }

    ~ProcessFixture() override
    {
        std::filesystem::remove_all(folder);
    }

    std::string Path(const std::string& name) const
    {
        return folder + "/" + name;
    }

    void Put(const std::string& name, const std::string& text) const
    {
        std::ofstream(Path(name), std::ios::binary) << text;
    }

    std::string Read(const std::string& name) const
    {
        std::ostringstream text;
        text << std::ifstream(Path(name), std::ios::binary).rdbuf();
        return text.str();
    }

    /** The words of a command line: "@name" is a file of the folder, and quotes keep blanks together. */
    std::vector<std::string> Words(const std::string& line) const
    {
        auto words = CLI::detail::split_up(line);
        for (auto& word : words)
        {
            const auto at = word.rfind('@', 0) == 0 ? 0 : word.find("=@") + 1;
            word = word[at] == '@' ? word.substr(0, at) + Path(word.substr(at + 1)) : word;
        }
        return words;
    }

    /**
     * Starts the program.
     * @param line as of Words, without the program
     * @param prepare done in the new process, before it becomes the program
     */
    Process Start(
        const std::string& line, const std::function<void()>& prepare = [] {}) const
    {
        return StartProgram(INCA_PROGRAM " " + line, prepare);
    }

    /** Starts another program, whose path is the first word. */
    Process StartProgram(
        const std::string& line, const std::function<void()>& prepare = [] {}) const
    {
        auto words = Words(line);
        std::vector<char*> pointers;
        for (auto& word : words)
        {
            pointers.push_back(word.data());
        }
        pointers.push_back(nullptr);
        const auto id = ::fork();
        if (id == 0)
        {
            Redirect("/dev/null", STDIN_FILENO);
            Redirect(Path("stdout"), STDOUT_FILENO);
            Redirect(Path("stderr"), STDERR_FILENO);
            prepare();
            ::execv(pointers[0], pointers.data());
            ::_exit(127);
        }
        return Process(id);
    }

    int Run(
        const std::string& line, const std::function<void()>& prepare = [] {}) const
    {
        return Start(line, prepare).Wait();
    }

    /** @return what a run prints that ends well */
    std::string Printed(const std::string& line) const
    {
        EXPECT_EQ(Run(line), 0) << line;
        return Read("stdout");
    }

    /** @return what a run says on stderr that ends with this code: 2 if it is refused */
    std::string Complaint(
        const std::string& line, int code = 2, const std::function<void()>& prepare = [] {}) const
    {
        EXPECT_EQ(Run(line, prepare), code) << line;
        return Read("stderr");
    }

    /** @return the processes that @p process has started and that are there now */
    static std::vector<::pid_t> ChildrenOf(const Process& process)
    {
        const auto id = std::to_string(process.Id());
        std::ifstream file("/proc/" + id + "/task/" + id + "/children");
        return {std::istream_iterator<::pid_t>(file), {}};
    }

    /** Returns when @p holds does. @throws runtime_error after a minute in vain, so that the test ends */
    static void WaitUntil(const std::function<bool()>& holds)
    {
        const auto last = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (!holds())
        {
            if (std::chrono::steady_clock::now() > last)
            {
                throw std::runtime_error("what the test waits for does not come");
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }

    /** How many whole lines a file has. */
    std::ptrdiff_t Lines(const std::string& name) const
    {
        const auto text = Read(name);
        return std::count(text.begin(), text.end(), '\n');
    }

    std::string folder;

  private:
    static void Redirect(const std::string& path, int descriptor)
    {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
        ::dup2(file, descriptor);
        ::close(file);
    }
};

} // namespace inca

#endif // INCA_TEST_CLI_PROCESS_FIXTURE_H
