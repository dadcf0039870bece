/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_NS3_VARIABLES_H
#define INCA_CLI_NS3_VARIABLES_H

#include <string>

namespace inca
{

/** @return what to say of the variables that HideNs3Variables has hidden, or empty if none was set */
std::string HiddenNs3Variables();

} // namespace inca

#endif // INCA_CLI_NS3_VARIABLES_H
