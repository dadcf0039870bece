/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_ADDER_ATTRIBUTE_H
#define INCA_AGGREGATION_ADDER_ATTRIBUTE_H

#include "inca/base/word-sum.h"

#include "ns3/enum.h"

#include <algorithm>
#include <string>

namespace inca
{

/** Attributes that choose an adder have as their value its place among AdderNames. @{ */
inline int
PlaceOfAdder(const std::string& name)
{
    const auto names = AdderNames();
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

inline const WordSum&
AdderAt(int place)
{
    return AdderNamed(AdderNames().at(static_cast<std::size_t>(place)));
}

inline ns3::Ptr<const ns3::AttributeChecker>
MakeAdderChecker()
{
    const auto names = AdderNames();
    return ns3::MakeEnumChecker(0,
                                names.at(0),
                                1,
                                names.at(1),
                                2,
                                names.at(2),
                                3,
                                names.at(3),
                                4,
                                names.at(4),
                                5,
                                names.at(5),
                                6,
                                names.at(6),
                                7,
                                names.at(7));
}
/** @} */

} // namespace inca

#endif // INCA_AGGREGATION_ADDER_ATTRIBUTE_H
