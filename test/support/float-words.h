/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_FLOAT_WORDS_H
#define INCA_TEST_SUPPORT_FLOAT_WORDS_H

#include "base/word.h"

#include <utility>
#include <vector>

namespace inca
{

/** Floats as words, and back: tests think in floats where words are fp32 values. @{ */
inline std::vector<Word>
ToWords(const std::vector<float>& values)
{
    std::vector<Word> words(values.size());
    CopyBits(values.data(), values.size(), words.data());
    return words;
}

template <typename Words>
std::vector<float>
ToFloats(const Words& words)
{
    std::vector<float> values(words.size());
    CopyFloats(words.data(), words.size(), values.data());
    return values;
}

/** @return what writes the words of the floats that @p fill(range, out) writes */
template <typename Fill>
auto
FillingWords(Fill fill)
{
    return [fill = std::move(fill)](auto range, Word* out) {
        std::vector<float> values(range.count);
        fill(range, values.data());
        CopyBits(values.data(), values.size(), out);
    };
}

/** @return what gives words as floats to @p take(range, in) */
template <typename Take>
auto
TakingFloats(Take take)
{
    return [take = std::move(take)](auto range, const Word* words) {
        std::vector<float> values(range.count);
        CopyFloats(words, values.size(), values.data());
        take(range, values.data());
    };
}

/** @} */

} // namespace inca

#endif // INCA_TEST_SUPPORT_FLOAT_WORDS_H
