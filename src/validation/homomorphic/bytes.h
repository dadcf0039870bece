/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_BYTES_H
#define INCA_VALIDATION_HOMOMORPHIC_BYTES_H

#include "validation/comparison.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Bytes alone, without a run: the ratio at which a stream is 6.33 times as small as its values,
 * with indexes of 1 and 4 bits (judged within 1 %); how much smaller a model's gradients get at
 * its reported sparsity (judged within 5 %); and the same with the densities of the shipped trace,
 * which is not judged. All beside arithmetic on the paper's numbers, none of which is in the paper.
 * @param name the figures' model
 */
std::vector<Comparison> HomomorphicBytes(const std::string& name);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_BYTES_H
