/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-page.h"

#include "report/page-files.h"

#include <map>
#include <string_view>

namespace inca
{

namespace
{

std::string_view
TextOf(std::string_view name)
{
    for (const auto& file : PageFiles())
    {
        if (file.name == name)
        {
            return file.text;
        }
    }
    return {};
}

bool
EndsWith(std::string_view text, std::string_view ending)
{
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

/** All files with that ending, one after the other. */
std::string
AllOf(std::string_view ending)
{
    std::string texts;
    for (const auto& file : PageFiles())
    {
        if (EndsWith(file.name, ending))
        {
            texts += std::string(file.text) + "\n";
        }
    }
    return texts;
}

/** @return @p text with what @p values has for each {{name}}; what is put in is left as it is */
std::string
Filled(std::string_view text, const std::map<std::string_view, std::string>& values)
{
    std::string filled;
    for (auto open = text.find("{{"); open != std::string_view::npos; open = text.find("{{"))
    {
        const auto close = text.find("}}", open);
        filled += text.substr(0, open);
        filled += values.at(text.substr(open + 2, close - open - 2));
        text.remove_prefix(close + 2);
    }
    return filled + std::string(text);
}

} // namespace

std::string
HtmlText(const std::string& text)
{
    static const std::map<char, std::string> names{
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    std::string html;
    for (const char c : text)
    {
        const auto name = names.find(c);
        html += name == names.end() ? std::string(1, c) : name->second;
    }
    return html;
}

std::string
ReportPage(const ReportData& data)
{
    return Filled(TextOf("page.html"),
                  {{"title", HtmlText(data.title)},
                   {"style", AllOf(".css")},
                   {"licence", std::string(TextOf("LICENSE"))},
                   {"script", AllOf(".js")},
                   {"data", ReportJson(data)}});
}

} // namespace inca
