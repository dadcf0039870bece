/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_ATTRIBUTE_VALUES_H
#define INCA_EXPERIMENT_ATTRIBUTE_VALUES_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>

namespace inca
{

/** @return whether the attribute's type is one whose values are set by a text: no object, no list of such */
bool HasText(const ns3::TypeId::AttributeInformation& attribute);

/**
 * The value that a text stands for. Numbers, times, rates and truth values are read by INCA itself:
 * ns-3 ends the process at some texts that are none, and takes -1 for a large number.
 * @return null if @p text is no value that the attribute takes, as always where it has no text
 */
ns3::Ptr<ns3::AttributeValue> ReadAttributeValue(const ns3::TypeId::AttributeInformation& attribute,
                                                 const std::string& text);

} // namespace inca

#endif // INCA_EXPERIMENT_ATTRIBUTE_VALUES_H
