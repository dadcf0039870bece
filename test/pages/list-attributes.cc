/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Prints every ns-3 attribute and trace source of INCA's classes, a line each, for tools/reference.
#include "scenario/keys.h"

#include "ns3/type-id.h"

#include <iostream>
#include <string>

namespace
{

/** The fields of one line, with a tab after each. */
void
PrintAttributes(const ns3::TypeId& type)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto attribute = type.GetAttribute(i);
        const auto path = type.GetName() + "::" + attribute.name;
        const auto* const key = inca::FindKeyOfAttribute(path);
        std::cout << "attribute\t" << path << "\t"
                  << attribute.initialValue->SerializeToString(attribute.checker) << "\t"
                  << attribute.help << "\t" << (key != nullptr ? key->name : "") << "\n";
    }
}

void
PrintTraceSources(const ns3::TypeId& type)
{
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const auto source = type.GetTraceSource(i);
        std::cout << "source\t" << type.GetName() << "::" << source.name << "\t" << source.help
                  << "\n";
    }
}

} // namespace

int
main()
{
    const std::string space = "inca::";
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        if (type.GetName().compare(0, space.size(), space) == 0)
        {
            PrintAttributes(type);
            PrintTraceSources(type);
        }
    }
}
