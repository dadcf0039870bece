/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_ONE_COPY_SCHEME_H
#define INCA_EXCHANGE_ONE_COPY_SCHEME_H

#include "inca/base/setting.h"
#include "inca/exchange/aggregation-scheme.h"

#include <memory>
#include <vector>

namespace inca
{

/** The keys of a pool that OneCopyProgram and SlotClient read: it adds int32, as fast as they come. */
std::vector<Setting> OneCopySettings();

/** A pool of slots, as switch-slots and switch-tree have, of one copy each. */
std::unique_ptr<AggregationScheme> MakeOneCopyScheme(const SchemeSpec& spec);

} // namespace inca

#endif // INCA_EXCHANGE_ONE_COPY_SCHEME_H
