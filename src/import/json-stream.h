/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_JSON_STREAM_H
#define INCA_IMPORT_JSON_STREAM_H

#include "import/byte-source.h"
#include "import/json-place.h"

#include <functional>

namespace inca
{

/**
 * Takes a JSON file piece by piece, so that only one of them is in memory. Numbers with a point or an
 * exponent are texts in it, as the file writes them.
 */
using JsonPieceUser = std::function<void(const JsonPlace& place, Json& piece)>;

/**
 * Reads a JSON file of one object, whose members are the pieces but for arrays, of which every element
 * is one; of one array, whose elements are the pieces; or of several objects one after the other, each
 * of which is a piece.
 *
 * Files are not trusted: at most 64 levels, 16 MiB per text or number, a million values per piece.
 * @param severalObjects the file is the last of these
 * @throws InputError naming file, line and what is wrong; Interrupted
 */
void ReadJsonPieces(ByteSource& source, bool severalObjects, const JsonPieceUser& use);

} // namespace inca

#endif // INCA_IMPORT_JSON_STREAM_H
