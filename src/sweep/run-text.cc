/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-text.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/lines.h"
#include "base/units.h"
#include "record/record-bytes.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <vector>

namespace inca
{

namespace
{

/** How a run ended: the first character of what its process writes; a record or a text follows. */
enum Ending : char
{
    DONE = 'd',
    REFUSED = 'r',
    MISREAD = 'u',
    BROKEN = 'b',
    INTERRUPTED = 'i',
    NO_MEMORY = 'm',
    FAILED = 'f',
};

} // namespace

std::string
TellOf(const std::function<RunRecord()>& run)
{
    try
    {
        return std::string(1, DONE) + BytesOf(run());
    }
    catch (const InputError& error)
    {
        return std::string(1, REFUSED) + error.what();
    }
    catch (const UnitError& error)
    {
        return std::string(1, MISREAD) + error.what();
    }
    catch (const Interrupted& interrupted)
    {
        return std::string(1, INTERRUPTED) + std::to_string(interrupted.Signal());
    }
    catch (const RunError& error)
    {
        return std::string(1, FAILED) + error.what();
    }
    catch (const std::bad_alloc&)
    {
        return std::string(1, NO_MEMORY);
    }
    catch (const std::exception& error)
    {
        return std::string(1, BROKEN) + error.what();
    }
}

RunRecord
RecordTold(const std::string& text)
{
    const auto rest = text.substr(std::min<std::size_t>(1, text.size()));
    const char ending = text.empty() ? static_cast<char>(FAILED) : text.front();
    switch (ending)
    {
    case DONE:
        return RecordOf(rest);
    case REFUSED:
        throw InputError(Lines(rest));
    case MISREAD:
        throw UnitError(rest);
    case INTERRUPTED:
        throw Interrupted(std::stoi(rest));
    case FAILED:
        throw RunError(rest);
    case NO_MEMORY:
        throw std::bad_alloc();
    default:
        throw InvariantError(rest);
    }
}

} // namespace inca
