/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-catalog.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/portable-math.h"
#include "base/text.h"
#include "base/units.h"
#include "inca-version.h"
#include "trace/native-trace.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr std::string_view g_tensorPrefix = "tensor:";
constexpr std::string_view g_suffix = ".csv";
constexpr std::uint64_t g_mostTensorBytes = 1ULL << 40U;
constexpr int g_exponentBias = 127;
constexpr int g_assumedSdPower = -6; ///< values of a tensor have the standard deviation 2^-6

/** P(|X| < x) of a standard normal X, by the series of erf, all of whose terms are positive. */
double
NormalWithin(double x)
{
    constexpr double rootOfTwoOverPi = 0x1.9884533d43651p-1;
    constexpr double smallest = 0x1p-60;
    double term = x;
    double sum = x;
    for (int n = 3; term > smallest * sum; n += 2)
    {
        term *= x * x / n;
        sum += term;
    }
    return std::min(1.0, rootOfTwoOverPi * PortableExp(-x * x / 2) * sum);
}

/** Biased exponents of normal values; what lies below the first of them counts as the first. */
std::vector<std::pair<unsigned, double>>
NormalExponents(int sdPower)
{
    constexpr int below = 24; // powers of two below the deviation that have shares of their own
    constexpr int above = 3;  // 2^3 standard deviations and more: fewer than 10^-14 of the values
    std::vector<std::pair<unsigned, double>> histogram;
    double before = 0;
    for (int power = -below; power < above; ++power)
    {
        const double within = NormalWithin(std::ldexp(1.0, power + 1));
        histogram.emplace_back(static_cast<unsigned>(g_exponentBias + sdPower + power),
                               within - before);
        before = within;
    }
    return histogram;
}

bool
IsTensor(const std::string& name)
{
    return name.compare(0, g_tensorPrefix.size(), g_tensorPrefix) == 0;
}

/** @throws UnitError where no unit says what the number counts */
std::uint64_t
TensorBytes(const std::string& name)
{
    const auto size = std::string_view(name).substr(g_tensorPrefix.size());
    if (!size.empty() && size.find_first_not_of("0123456789.") == std::string_view::npos)
    {
        throw UnitError("needs a unit, as in tensor:100MB");
    }
    return g_byteCount.Parse(size);
}

/** A file name may be a shipped trace's name with ".csv" behind it. */
std::string
ShippedNear(const std::string& path)
{
    const auto stem = std::filesystem::path(path).stem().string();
    const auto nearest = Nearest(stem, ShippedTraceNames(TracesDirectory()));
    return nearest.empty() ? "" : "; did you mean the shipped trace '" + nearest + "'?";
}

std::string
WhyNoFile(const std::string& path)
{
    std::error_code none;
    if (std::filesystem::is_directory(PathOf(path), none))
    {
        return path + ": is a directory, not a trace";
    }
    if (access(PathOf(path), R_OK) != 0)
    {
        return path + ": " + std::generic_category().message(errno) + ShippedNear(path);
    }
    return "";
}

/** The file that this code is in: a shared library, or the program. */
std::filesystem::path
ThisBinary()
{
    static const char here = 0;
    Dl_info info{};
    std::error_code none;
    if (dladdr(&here, &info) != 0 &&
        std::string_view(info.dli_fname).find(".so") != std::string::npos)
    {
        return std::filesystem::canonical(info.dli_fname, none);
    }
    return std::filesystem::read_symlink("/proc/self/exe",
                                         none); // it may have been called by any name
}

constexpr double LEAST_FACTOR = 1e-6;
constexpr double MOST_FACTOR = 1e6;
constexpr std::uint64_t MOST_BATCH = 1'000'000'000;
constexpr double MOST_PS = 1e18;

std::int64_t
ScaledTime(std::int64_t ps, double factor)
{
    const auto scaled = static_cast<double>(ps) * factor;
    if (scaled > MOST_PS)
    {
        throw InputError("a layer's scaled time is longer than 10^6 s");
    }
    return std::llround(scaled);
}

} // namespace

std::string
TracesDirectory()
{
    if (const char* set = std::getenv("INCA_TRACES"); set != nullptr && *set != '\0')
    {
        return set;
    }
    namespace fs = std::filesystem;
    const auto binary = ThisBinary();
    const auto above = binary.parent_path().parent_path(); // bin/ or lib/, or lib/ARCHITECTURE/
    const auto shared = fs::path("share") / "inca" / "traces";
    std::error_code none;
    for (const auto& prefix : {above, above.parent_path()})
    {
        if (fs::is_directory(prefix / shared, none))
        {
            return (prefix / shared).string();
        }
    }
    const fs::path tree(INCA_BUILD_TREE);
    const bool isBuilt =
        std::mismatch(tree.begin(), tree.end(), binary.begin(), binary.end()).first == tree.end();
    return isBuilt ? INCA_SOURCE_TRACES : (above / shared).string();
}

std::vector<std::string>
ShippedTraceNames(const std::string& directory)
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    {
        if (entry.path().extension() == g_suffix)
        {
            names.push_back(entry.path().stem().string());
        }
    }
    if (error)
    {
        throw InputError({directory, 0, 0, ""},
                         "the traces are not there (" + error.message() +
                             "); INCA_TRACES in the environment says where they are");
    }
    std::sort(names.begin(), names.end());
    return names;
}

GradientTrace
MakeTensorTrace(std::uint64_t bytes)
{
    constexpr std::uint64_t elementBytes = 4;
    const auto name = std::string(g_tensorPrefix) + g_byteCount.Format(bytes);
    if (bytes == 0 || bytes % elementBytes != 0 || bytes > g_mostTensorBytes)
    {
        throw InputError(name +
                         ": a tensor has a positive multiple of 4 bytes (fp32), at most 1TiB");
    }
    GradientTrace trace;
    trace.name = name;
    trace.model = "one tensor without compute";
    trace.source = "made for this run";
    trace.valueClass = "assumed";
    trace.notes = {{"exponents", "those of a normal distribution with standard deviation 2^-6"}};
    LayerRecord layer;
    layer.name = "tensor";
    layer.elements = bytes / elementBytes;
    layer.statistics.exponents = NormalExponents(g_assumedSdPower);
    trace.layers = {std::move(layer)};
    return trace;
}

bool
IsTracePath(const std::string& nameOrPath)
{
    const auto suffix = nameOrPath.size() - std::min(nameOrPath.size(), g_suffix.size());
    return !IsTensor(nameOrPath) && (nameOrPath.find('/') != std::string::npos ||
                                     nameOrPath.compare(suffix, g_suffix.size(), g_suffix) == 0);
}

std::string
WhyNoTrace(const std::string& nameOrPath)
{
    try
    {
        if (IsTensor(nameOrPath))
        {
            MakeTensorTrace(TensorBytes(nameOrPath));
            return "";
        }
        if (IsTracePath(nameOrPath))
        {
            return WhyNoFile(nameOrPath);
        }
        const auto names = ShippedTraceNames(TracesDirectory());
        if (std::binary_search(names.begin(), names.end(), nameOrPath))
        {
            return "";
        }
        const bool isFile =
            nameOrPath.find('.') != std::string::npos && Nearest(nameOrPath, names).empty();
        return isFile ? nameOrPath +
                            ": a trace's file ends in .csv, and no shipped trace has that name"
                      : UnknownName(nameOrPath, names);
    }
    catch (const UnitError& error)
    {
        return nameOrPath + ": " + error.what();
    }
    catch (const InputError& error) // no path, or the shipped traces are not there
    {
        return error.what();
    }
}

GradientTrace
FindTrace(const std::string& nameOrPath)
{
    const bool isShipped = !IsTensor(nameOrPath) && !IsTracePath(nameOrPath);
    if (const auto why = WhyNoTrace(nameOrPath); !why.empty())
    {
        throw InputError((isShipped ? "trace: " : "") + why);
    }
    return IsTensor(nameOrPath) ? MakeTensorTrace(TensorBytes(nameOrPath))
           : isShipped          ? ReadTrace(TracesDirectory() + "/" + nameOrPath + ".csv")
                                : ReadTrace(nameOrPath);
}

GradientTrace
Scaled(const GradientTrace& trace, const TraceScale& scale)
{
    if (!(scale.compute >= LEAST_FACTOR && scale.compute <= MOST_FACTOR))
    {
        throw InputError("--compute: must be a factor of 1e-6 to 1e6");
    }
    const auto& type = scale.gradientType;
    if (!type.empty() && type != "fp32" && type != "fp16" && type != "bf16")
    {
        throw InputError("--gradient-type: " + UnknownName(type, {"fp32", "fp16", "bf16"}));
    }
    if (scale.batch && (*scale.batch == 0 || *scale.batch > MOST_BATCH))
    {
        throw InputError("--batch: must be 1 to 10^9");
    }
    if (scale.batch && !trace.batch)
    {
        throw InputError(trace.name + ": batch: unknown, so it cannot be scaled; a line '# batch: "
                                      "32' says it");
    }
    const double batch = // how much longer the passes take
        scale.batch ? static_cast<double>(*scale.batch) / static_cast<double>(*trace.batch) : 1;
    auto scaled = trace;
    scaled.checksum = 0;
    std::string changes;
    const auto add = [&changes](const std::string& text) {
        changes += (changes.empty() ? "" : ", ") + text;
    };
    if (scale.batch && *scale.batch != *trace.batch)
    {
        scaled.batch = scale.batch;
        add(Text("batch ",
                 *trace.batch,
                 " to ",
                 *scale.batch,
                 " (forward and backward times in proportion)"));
    }
    if (scale.compute != 1)
    {
        add(Text("all times by ", scale.compute));
    }
    if (!scale.gradientType.empty() && scale.gradientType != trace.gradientType)
    {
        scaled.gradientType = scale.gradientType;
        add(Text("gradient_type ", trace.gradientType, " to ", scale.gradientType));
    }
    for (auto& layer : scaled.layers)
    {
        layer.forwardPs = ScaledTime(layer.forwardPs, batch * scale.compute);
        layer.backwardPs = ScaledTime(layer.backwardPs, batch * scale.compute);
        layer.updatePs = ScaledTime(layer.updatePs, scale.compute);
        if (layer.aggregatorUpdatePs)
        {
            layer.aggregatorUpdatePs = ScaledTime(*layer.aggregatorUpdatePs, scale.compute);
        }
    }
    if (!changes.empty())
    {
        scaled.notes.emplace_back("scaled", changes + ", of " + trace.name);
        scaled.valueClass = trace.valueClass == "assumed" ? "assumed" : "derived";
    }
    return scaled;
}

} // namespace inca
