/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_DETAIL_JSON_H
#define INCA_RECORD_DETAIL_JSON_H

#include "record/run-record.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Rows of layers, worker by worker, or of links, that a result keeps; of more, none. */
constexpr std::size_t MOST_DETAILS = 10'000;

/**
 * A list in JSON of lists: layer by layer one for the workers that follow each other and do the same with it: the first one, how
 * many there are, and the layer's figures in the order of LayerRow.
 * @param layers worker by worker
 */
std::string LayersJson(const std::vector<LayerRow>& layers);

/** @return what LayersJson was made of @throws InvariantError if it is none, or has more layers than are kept */
std::vector<LayerRow> LayersOfJson(std::string_view json);

/** A list in JSON of lists: of each link its figures in the order of LinkRow, drops of all reasons together. */
std::string LinksJson(const std::vector<LinkRow>& links);

} // namespace inca

#endif // INCA_RECORD_DETAIL_JSON_H
