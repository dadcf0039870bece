/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_REPEATED_SUMS_H
#define INCA_IMPORT_REPEATED_SUMS_H

#include "import/recorded-training.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/**
 * How many iterations a record holds that does not mark them: one, but that options say more. Where its sums
 * of gradients repeat, that is warned of.
 * @param sums the size of each
 * @throws InputError if they do not repeat as often as options say
 */
std::size_t IterationsOf(const std::vector<std::uint64_t>& sums,
                         const ImportOptions& options,
                         ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_REPEATED_SUMS_H
