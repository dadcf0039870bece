/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_COLLECTIVES_H
#define INCA_IMPORT_COLLECTIVES_H

#include "import/import-report.h"

#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

/** A tensor's type. */
struct ElementType
{
    std::string name; ///< fp32, fp16, bf16; of what no trace can have: int64, ...
    std::uint64_t bytes{0};
};

/** @return by any of the names of PyTorch ("Float", "c10::BFloat16", "float32"); nothing if it is none */
std::optional<ElementType> FindElementType(const std::string& name);

/** @return bytes of a value of that type; 0: it is none of fp32, fp16, bf16 */
std::uint64_t BytesOfGradientType(const std::string& type);

/** "ALL_REDUCE", "all_reduce", "allreduce" are "allreduce". */
std::string NormalisedCollective(const std::string& name);

/** @return whether its result is a sum: an all-reduce or reduce-scatter, by its normalised name */
bool IsSum(const std::string& collective);

/** @return whether a sum is no all-reduce */
bool IsScattered(const std::string& collective);

/** Says what a sum of gradients that is no all-reduce is taken for. */
void AssumeOfSum(const std::string& collective, ImportReport& report);

/** @return why a collective is not in the trace */
std::string WhyCollectiveLeftOut(const std::string& collective, std::uint64_t bytes);

} // namespace inca

#endif // INCA_IMPORT_COLLECTIVES_H
