/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "import/import-formats.h"
#include "trace/native-trace.h"

#include "fuzz/input.h"

#include <memory>
#include <vector>

namespace
{

/** Where the byte of no text divides them, two files. */
std::vector<std::unique_ptr<inca::ByteSource>>
FilesOf(const std::string& text)
{
    std::vector<std::unique_ptr<inca::ByteSource>> files;
    const auto cut = text.find('\x1e');
    files.push_back(std::make_unique<inca::ByteSource>("first", text.substr(0, cut)));
    if (cut != std::string::npos)
    {
        files.push_back(std::make_unique<inca::ByteSource>("second", text.substr(cut + 1)));
    }
    return files;
}

} // namespace

/* Records of others: what is imported is a trace that INCA reads, with all bytes that came in. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    Input input(data, size);
    ImportOptions options;
    const auto drawn = input.Byte();
    options.lenient = (drawn & 1U) != 0;
    try
    {
        const auto imported = ImportTrace(FilesOf(input.Rest()), options);
        const auto text = FormatTrace(imported.trace);
        Require(FormatTrace(ParseTrace(text, "mine.csv")) == text);
        Require(options.lenient || imported.report.bytesIn == imported.report.bytesOut);
        Require(!imported.report.Text().empty());
    }
    catch (const InputError&)
    {
    }
    return 0;
}
