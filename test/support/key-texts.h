/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_KEY_TEXTS_H
#define INCA_TEST_SUPPORT_KEY_TEXTS_H

#include "scenario/keys.h"

#include <string>
#include <vector>

namespace inca
{

/** @return whether @p key takes @p text, by itself */
bool Takes(const Key& key, const std::string& text);

/** @return the names that @p key lists: "ring" and "switch-tree" of "ring, switch-slots or switch-tree" */
std::vector<std::string> NamesOf(const Key& key);

/**
 * @return texts of the smallest and of the largest of powers of two and of ten, and of numbers beside them, that @p key takes, in any of
 *         its forms, and of those next to them; empty if it takes none
 */
std::vector<std::string> NumbersAtTheEnds(const Key& key);

} // namespace inca

#endif // INCA_TEST_SUPPORT_KEY_TEXTS_H
