/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "record/csv-file.h"
#include "trace/csv-fields.h"

#include "fuzz/file-in-memory.h"

/* Whatever is in a result file, a row is added to it whole, or the file stays as it was. A field of a line reads
 * back to the same. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    static const FileInMemory file;
    const auto before = Input(data, size).Rest();
    SplitCsv(before);
    if (before.find_first_of("\r\n") == std::string::npos)
    {
        Require(SplitCsv(QuoteCsv(before)) == std::vector<std::string>{before});
    }
    file.Write(before);
    try
    {
        CsvOutput(file.Path(), "a,b\n").Append("1,2\n");
        const auto whole = before.substr(0, before.rfind('\n') + 1); // npos + 1 is 0
        Require(file.Read() == (whole.empty() ? "a,b\n" : whole) + "1,2\n");
    }
    catch (const InputError&)
    {
        Require(file.Read() == before);
    }
    return 0;
}
