/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_CATALOG_H
#define INCA_EXCHANGE_EXCHANGE_CATALOG_H

#include "exchange/program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** Everything that any exchange can be told; each reads what concerns it. */
struct ExchangeSpec
{
    std::string algorithm{"ring"};
    Rank workers{4};
    std::string broadcast{"binomial"};          ///< flat, binomial or chain
    std::uint64_t segmentElements{128 * 1024 / 4}; ///< of the chain broadcast
    Rank groupSize{4};                          ///< of the hierarchies; workers must be a multiple
};

/** One row per exchange: a new exchange is a file pair and a row. */
struct ExchangeEntry
{
    const char* name;
    const char* meaning;
    Rank (*aggregators)(const ExchangeSpec&);              ///< ranks beyond the workers
    std::vector<std::string> (*complaints)(const ExchangeSpec&); ///< "key: text" each; {} = can run
    std::unique_ptr<Program> (*make)(const ExchangeSpec&, std::uint64_t elements);
};

const std::vector<ExchangeEntry>& ExchangeCatalog();

std::vector<std::string> ExchangeNames();

/** @throws InputError if the name is unknown */
const ExchangeEntry& FindExchange(const std::string& name);

/** @throws InputError if the exchange is unknown or complains */
std::unique_ptr<Program> MakeProgram(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_CATALOG_H
