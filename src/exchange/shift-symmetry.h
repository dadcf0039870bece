/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SHIFT_SYMMETRY_H
#define INCA_EXCHANGE_SHIFT_SYMMETRY_H

#include "exchange/step-plan.h"

namespace inca
{

/**
 * How the ranks of an exchange are alike. Rank r + period (modulo the ranks) does, step by step, what
 * rank r does, with every peer period further. Its ranges are the same, or, of `parts` equal parts of
 * the elements (BlockOf), the one that is parts * period / ranks further (modulo the parts): so where
 * all parts have one size, messages of a step have.
 */
struct ShiftSymmetry
{
    Rank period{0};         ///< divides the ranks; 0: there is no such symmetry
    std::uint64_t parts{1}; ///< 1: no range moves
    /**
     * All that a rank gets, acknowledgements included, is from ranks that are periods apart from each
     * other, or from its switch. Else frames of two that do different things may come at one instant,
     * and which goes first may differ from rank to rank.
     */
    bool oneSender{true};
};

} // namespace inca

#endif // INCA_EXCHANGE_SHIFT_SYMMETRY_H
