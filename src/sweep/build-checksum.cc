/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/build-checksum.h"

#include "experiment/input-checksums.h"
#include "record/csv-text.h"

#include <filesystem>
#include <system_error>

#include <dlfcn.h>

namespace inca
{

namespace
{

/** The program itself is called as its user has called it, which may be from elsewhere by now. */
std::string
OwnFile()
{
    const std::string program = "/proc/self/exe";
    Dl_info info{};
    std::error_code error;
    const bool isLibrary = ::dladdr(reinterpret_cast<void*>(&OwnFile), &info) != 0 &&
                           std::filesystem::path(info.dli_fname).is_absolute() &&
                           !std::filesystem::equivalent(info.dli_fname, program, error);
    return isLibrary ? info.dli_fname : program;
}

} // namespace

const std::string&
BuildChecksum()
{
    static const std::string checksum = ChecksumText(FileChecksum(OwnFile()));
    return checksum;
}

} // namespace inca
