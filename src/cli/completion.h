/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_COMPLETION_H
#define INCA_CLI_COMPLETION_H

#include <string>
#include <vector>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** What may stand in the place of a word that is being typed. */
struct Completion
{
    std::vector<std::string> words{}; ///< each the whole word; one that ends in '=' goes on
    bool files{false};                ///< paths, besides
};

/**
 * @param words after the program's name, the one that is being typed last; it may be empty
 * @return words that begin like the last one
 */
Completion Complete(const CLI::App& program, const std::vector<std::string>& words);

} // namespace inca

#endif // INCA_CLI_COMPLETION_H
