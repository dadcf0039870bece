/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/colour-option.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace inca
{

namespace
{

std::string_view
Variable(const char* name)
{
    const auto* const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

bool
ShowsColour()
{
    return ::isatty(STDOUT_FILENO) == 1 && Variable("NO_COLOR").empty() &&
           Variable("TERM") != "dumb" && !Variable("TERM").empty();
}

} // namespace

void
AddColourOption(CLI::App& command, std::string& when)
{
    when = "auto";
    command
        .add_option_function<std::string>(
            "--color",
            [&when](const std::string& text) {
                if (text != "auto" && text != "always" && text != "never")
                {
                    throw InputError("--color: " + UnknownName(text, {"auto", "always", "never"}));
                }
                when = text;
            },
            "colors in tables: auto (on a terminal, unless NO_COLOR is set), always or never")
        ->type_name("WHEN");
}

bool
WantsColour(const std::string& when)
{
    return when == "always" || (when == "auto" && ShowsColour());
}

} // namespace inca
