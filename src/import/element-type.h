/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_ELEMENT_TYPE_H
#define INCA_IMPORT_ELEMENT_TYPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/** All names that FindElementType knows, for hints. */
std::vector<std::string> ElementTypeNames();

} // namespace inca

#endif // INCA_IMPORT_ELEMENT_TYPE_H
