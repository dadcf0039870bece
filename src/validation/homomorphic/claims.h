/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_CLAIMS_H
#define INCA_VALIDATION_HOMOMORPHIC_CLAIMS_H

namespace inca
{

/**
 * "Up to", in the abstract of arXiv 2402.07529, over NCF, LSTM, VGG19 and BERT-base (printed). For
 * which of them, over which network and at which sparsity is not known to us: predictions are
 * put beside these numbers, never judged by them.
 */
constexpr double g_claimedThroughputGain = 6.33;
constexpr double g_claimedIterationGain = 3.74;

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_CLAIMS_H
