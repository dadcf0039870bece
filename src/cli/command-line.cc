/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/command-line.h"

#include <fstream>
#include <string_view>

namespace inca
{

std::string
ShellWord(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789@%_+=:,./-^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word)
    {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

std::string
ShellLine(const std::vector<std::string>& words)
{
    std::string line;
    for (const auto& word : words)
    {
        line += (line.empty() ? "" : " ") + ShellWord(word);
    }
    return line;
}

std::vector<std::string>
OwnCommand()
{
    std::ifstream file("/proc/self/cmdline");
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');)
    {
        words.push_back(word);
    }
    return words;
}

} // namespace inca
