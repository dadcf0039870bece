/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "values/inca-values.h"

#include "base/errors.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "codec/codec-catalog.h"
#include "inca-version.h"
#include "scenario/scenario-reader.h"
#include "scenario/specs.h"
#include "values/value-exchange.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/** What the handle stands for. */
struct inca_values
{
    inca_values(const inca::Scenario& scenario, std::vector<std::uint64_t> tensors)
        : exchange(scenario, std::move(tensors))
    {
    }

    inca::ValueExchange exchange;
    std::optional<inca::ValuePath> path; ///< once it was asked for
    std::uint64_t runs{0};               ///< since it was reset
    inca::ExchangeCounts sum;            ///< of these
    std::string description;             ///< that was asked for last
};

namespace
{

/** Where a function says why it has failed. */
struct ErrorText
{
    char* text;
    std::size_t size;

    void Set(std::string_view why) const noexcept
    {
        if (text != nullptr && size > 0)
        {
            const auto length = std::min(why.size(), size - 1);
            std::copy_n(why.data(), length, text);
            text[length] = '\0';
        }
    }
};

/** Does @p action, out of which no exception comes. @return INCA_VALUES_OK, or why it has failed */
template <typename Action>
int
Guarded(const ErrorText& error, const Action& action)
{
    try
    {
        action();
        return INCA_VALUES_OK;
    }
    catch (const inca::InputError& refused)
    {
        error.Set(refused.what());
        return INCA_VALUES_REFUSED;
    }
    catch (const std::bad_alloc&)
    {
        error.Set("there is not enough memory for the exchange");
    }
    catch (const std::exception& failed)
    {
        error.Set(failed.what());
    }
    catch (...)
    {
        error.Set("an exchange has failed");
    }
    return INCA_VALUES_FAILED;
}

void
Require(bool holds, const char* otherwise)
{
    if (!holds)
    {
        throw inca::InputError(otherwise);
    }
}

inca::Scenario
ReadFileOrText(const std::string& scenario, const std::vector<std::string>& settings)
{
    const bool isText = scenario.find('\n') != std::string::npos;
    return isText ? inca::ParseScenario(scenario, "scenario", settings).scenario
                  : inca::ReadScenario(scenario, settings).scenario;
}

/** @return the largest of the bits that such values have without their sign */
INCA_VECTOR_CLONES std::uint32_t
LargestMagnitudeBits(const float* values, std::uint64_t count)
{
    constexpr std::uint32_t magnitude = 0x7fffffff;
    std::uint32_t largest = 0;
    for (std::uint64_t i = 0; i < count; ++i)
    {
        const auto bits = inca::BitsOf(values[i]) & magnitude;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

void
RequireFinite(const float* values, std::uint64_t count, std::uint32_t worker)
{
    constexpr std::uint32_t infinity = 0x7f800000;
    if (LargestMagnitudeBits(values, count) < infinity)
    {
        return;
    }
    const auto* const found =
        std::find_if(values, values + count, [](float value) { return !std::isfinite(value); });
    throw inca::InputError(
        fmt::format("the gradient of worker {} is {} at element {}; gradients must be finite",
                    worker,
                    *found,
                    found - values));
}

std::string
DescriptionOf(const inca_values& handle)
{
    const auto& exchange = handle.exchange;
    const auto& scenario = exchange.Settings();
    const nlohmann::ordered_json json = {{"version", INCA_VERSION},
                                         {"workers", exchange.Workers()},
                                         {"elements", exchange.Elements()},
                                         {"tensors", exchange.Tensors()},
                                         {"exchange", scenario.exchange.algorithm},
                                         {"codec", inca::CodecTitleOf(scenario)},
                                         {"gradient_type", exchange.GradientType()},
                                         {"value_path", fmt::format("{:016x}", handle.path->hash)},
                                         {"lossless", handle.path->isLossless},
                                         {"runs", handle.runs},
                                         {"bits_per_value", handle.sum.BitsPerValue()}};
    return json.dump();
}

} // namespace

int
inca_values_version()
{
    return INCA_VALUES_VERSION;
}

inca_values*
inca_values_open(const char* scenario,
                 const char* const* settings,
                 size_t setting_count,
                 const uint64_t* tensors,
                 size_t tensor_count,
                 char* error,
                 size_t error_size)
{
    std::unique_ptr<inca_values> handle;
    Guarded({error, error_size}, [&] {
        Require(scenario != nullptr, "no scenario was given");
        Require(tensors == nullptr || tensor_count > 0, "tensors: there must be at least one");
        std::vector<std::string> all(settings, settings + setting_count);
        std::vector<std::uint64_t> sizes;
        if (tensors != nullptr)
        {
            sizes.assign(tensors, tensors + tensor_count);
            all.emplace_back("training.trace=tensor:4B"); // the scenario's own need not be there
        }
        handle = std::make_unique<inca_values>(ReadFileOrText(scenario, all), std::move(sizes));
    });
    return handle.release();
}

uint32_t
inca_values_workers(const inca_values* exchange)
{
    return exchange->exchange.Workers();
}

uint64_t
inca_values_elements(const inca_values* exchange)
{
    return exchange->exchange.Elements();
}

int
inca_values_run(inca_values* exchange,
                const float* const* own,
                float* const* results,
                inca_values_counts* counts,
                char* error,
                size_t error_size)
{
    return Guarded({error, error_size}, [&] {
        const auto workers = exchange->exchange.Workers();
        for (std::uint32_t worker = 0; worker < workers; ++worker)
        {
            Require(own[worker] != nullptr, "a worker's gradient is a null pointer");
            RequireFinite(own[worker], exchange->exchange.Elements(), worker);
        }
        const auto sent =
            exchange->exchange.Run({own, own + workers}, {results, results + workers});
        ++exchange->runs;
        exchange->sum += sent;
        if (counts != nullptr)
        {
            *counts = {sent.BitsPerValue(),
                       sent.gradientBytes,
                       sent.weightBytes,
                       sent.misfits,
                       sent.estimated,
                       sent.replicaDifference};
        }
    });
}

int
inca_values_code(inca_values* exchange,
                 uint32_t worker,
                 const float* own,
                 float* coded,
                 char* error,
                 size_t error_size)
{
    return Guarded({error, error_size}, [&] {
        Require(worker < exchange->exchange.Workers(), "there is no such worker");
        Require(own != nullptr && coded != nullptr, "a gradient is a null pointer");
        RequireFinite(own, exchange->exchange.Elements(), worker);
        exchange->exchange.Code(worker, own, coded);
    });
}

const char*
inca_values_describe(inca_values* exchange)
{
    const auto failed = Guarded({nullptr, 0}, [&] {
        exchange->path = exchange->path ? exchange->path : exchange->exchange.Path();
        exchange->description = DescriptionOf(*exchange);
    });
    return failed == INCA_VALUES_OK ? exchange->description.c_str() : nullptr;
}

void
inca_values_reset(inca_values* exchange)
{
    exchange->runs = 0;
    exchange->sum = {};
}

void
inca_values_close(inca_values* exchange)
{
    delete exchange;
}
