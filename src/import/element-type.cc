/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/element-type.h"

#include <cctype>
#include <map>

namespace inca
{

namespace
{

const std::map<std::string, ElementType>&
Types()
{
    static const std::map<std::string, ElementType> types{{"float", {"fp32", 4}},
                                                          {"float32", {"fp32", 4}},
                                                          {"fp32", {"fp32", 4}},
                                                          {"half", {"fp16", 2}},
                                                          {"float16", {"fp16", 2}},
                                                          {"fp16", {"fp16", 2}},
                                                          {"bfloat16", {"bf16", 2}},
                                                          {"bf16", {"bf16", 2}},
                                                          {"double", {"fp64", 8}},
                                                          {"float64", {"fp64", 8}},
                                                          {"long", {"int64", 8}},
                                                          {"longint", {"int64", 8}},
                                                          {"int64", {"int64", 8}},
                                                          {"int", {"int32", 4}},
                                                          {"int32", {"int32", 4}},
                                                          {"short", {"int16", 2}},
                                                          {"int16", {"int16", 2}},
                                                          {"char", {"int8", 1}},
                                                          {"int8", {"int8", 1}},
                                                          {"signedchar", {"int8", 1}},
                                                          {"byte", {"uint8", 1}},
                                                          {"uint8", {"uint8", 1}},
                                                          {"unsignedchar", {"uint8", 1}},
                                                          {"bool", {"bool", 1}},
                                                          {"float8_e4m3fn", {"fp8", 1}},
                                                          {"float8_e5m2", {"fp8", 1}},
                                                          {"float8_e4m3fnuz", {"fp8", 1}},
                                                          {"float8_e5m2fnuz", {"fp8", 1}},
                                                          {"complexfloat", {"complex64", 8}},
                                                          {"complexdouble", {"complex128", 16}},
                                                          {"uint32", {"uint32", 4}},
                                                          {"uint64", {"uint64", 8}}};
    return types;
}

} // namespace

std::vector<std::string>
ElementTypeNames()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : Types())
    {
        names.push_back(name);
    }
    return names;
}

std::optional<ElementType>
FindElementType(const std::string& name)
{
    std::string key;
    for (const auto letter : name.substr(name.find_last_of(":.") + 1))
    {
        if (letter != ' ')
        {
            key.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
        }
    }
    const auto found = Types().find(key);
    return found == Types().end() ? std::nullopt : std::optional(found->second);
}

} // namespace inca
