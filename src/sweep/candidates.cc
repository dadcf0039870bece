/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/decision.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/value-form.h"
#include "base/word-sum.h"
#include "exchange/exchange-catalog.h"
#include "plan/job-exchanges.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "trace/csv-fields.h"
#include "trace/gradient-trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr std::uint64_t g_leastBucket = 1U << 20U;
constexpr std::uint64_t g_bucketFactor = 4;
constexpr const char* g_sketch = "homomorphic";
constexpr const char* g_ring = "ring";

/** What losses are called that are no codec's: those of switches by what they add. */
const Texts&
OtherLosses()
{
    static const Texts losses = [] {
        auto names = AdderNames();
        names.erase(std::find(names.begin(), names.end(), WordSum::FP32.name));
        names.insert(names.end(), {"sketch", "16-bit"});
        return names;
    }();
    return losses;
}

/** A choice of exchange or codec, and what of it a candidate needs to know. */
struct Choice
{
    std::string label;
    Texts settings;
    bool uncompressed{false};
    bool sixteenBits{false};
    bool mayWin{true};
    std::uint64_t bucketDivisor{1}; ///< gradients of half as many bytes make as many buckets
};

bool
IsLossless(const std::string& codec)
{
    CodecSpec spec;
    spec.name = codec;
    return MakeCodec(spec)->IsLossless();
}

/** Whether it does by itself, whatever it is used for: a sketch does not. */
bool
Loses(const std::string& codec)
{
    return FindCodec(codec).unit != CodedUnit::BUCKET && !IsLossless(codec);
}

/** @return the key that sets what a codec reads as its only argument, or empty */
std::string
ArgumentKey(const std::string& codec)
{
    const auto& arguments = FindCodec(codec).arguments;
    const auto first = arguments.empty() ? std::string() : arguments.front();
    return first == "bound"       ? "codec.bound"
           : first == "drop-bits" ? "codec.drop_bits"
           : first == "cast"      ? "codec.cast_to"
           : first == "format"    ? "codec.format"
                                  : "";
}

/** @throws InputError if the loss takes no argument, or not that one */
void
RequireArgument(const AdmittedLoss& loss)
{
    if (loss.argument.empty())
    {
        return;
    }
    const auto place = "--lossy " + loss.kind + ": ";
    const auto key = IsAmong(loss.kind, OtherLosses()) ? "" : ArgumentKey(loss.kind);
    if (key.empty())
    {
        throw InputError(place + "takes nothing behind it, got '" + loss.argument + "'");
    }
    try
    {
        Scenario scratch;
        SetKey(scratch, key, loss.argument);
    }
    catch (const UnitError& error)
    {
        throw InputError(place + error.what());
    }
}

/** A codec that is not the scenario's runs where it runs by default, not where that one does. */
Texts
CodecSettingsOf(const Scenario& base, const std::string& name)
{
    Texts settings{"codec.name=" + name};
    if (base.codec.placement && name != base.codec.name)
    {
        Scenario scratch;
        scratch.codec.name = name;
        settings.push_back("codec.placement=" + FindKey("codec.placement")->columnText(scratch));
    }
    return settings;
}

/** Nor has any group one. */
Texts
NoCodec(const Scenario& base)
{
    Texts settings{"codec.name=none"};
    for (const auto& [table, group] : {std::pair{"group.node", &base.ofNodes},
                                       std::pair{"group.shard", &base.ofShards},
                                       std::pair{"group.replica", &base.ofReplicas}})
    {
        if (group->codec.count("name") > 0)
        {
            settings.push_back(std::string(table) + ".codec.name=none");
        }
    }
    return settings;
}

/** A codec that loses something, with its argument, or a sketch as the scenario has it, or as it is by default. */
Choice
LossyChoice(const Scenario& base, const AdmittedLoss& loss)
{
    if (loss.kind != "sketch")
    {
        Choice choice{loss.kind, CodecSettingsOf(base, loss.kind)};
        const auto key = ArgumentKey(loss.kind);
        if (!key.empty())
        {
            const auto argument = loss.argument.empty() ? FindKey(key)->text(base) : loss.argument;
            choice.label += " " + argument;
            choice.settings.push_back(key + "=" + argument);
        }
        return choice;
    }
    const bool isOwn = base.codec.name == g_sketch;
    Choice choice{isOwn && base.codec.ratio ? "homomorphic " + DecimalText(*base.codec.ratio)
                                            : "homomorphic safe",
                  CodecSettingsOf(base, g_sketch)};
    if (!isOwn)
    {
        choice.settings.emplace_back("codec.ratio=safe");
    }
    return choice;
}

/** What people call the scenario's codec. */
std::string
OwnCodec(const Scenario& base)
{
    return HasCodecsApart(base)
               ? CodedAs(base, false).codec.name + "+" + CodedAs(base, true).codec.name
           : HasCodec(base)
               ? LossyChoice(base, {base.codec.name == g_sketch ? "sketch" : base.codec.name, ""})
                     .label
               : "none";
}

/**
 * Without @p all, or where groups say their own, the scenario's own codec, and none to compare it with. Last come gradients
 * of 16 bits, where the trace has 32: they are compared with even if they may not win.
 */
std::vector<Choice>
CodecChoices(const Scenario& base, bool all, const std::vector<AdmittedLoss>& losses)
{
    const bool hasSixteenBits = ReduceTypeOf(base) != "fp32";
    const bool isOfGroups = SaysCodecs(base);
    for (const auto& loss : losses)
    {
        if (isOfGroups && loss.kind != "16-bit")
        {
            throw InputError("--lossy " + loss.kind +
                             ": the scenario's groups say codecs of their own, and one that is "
                             "tried is of all messages; leave out the codecs of groups");
        }
    }
    all = all && !isOfGroups;
    std::vector<Choice> choices{
        {"none", NoCodec(base), true, hasSixteenBits, all || !HasCodec(base)}};
    if (!all && HasCodec(base))
    {
        choices.push_back({OwnCodec(base), {}});
    }
    for (const auto& name : all ? CodecNames() : Texts())
    {
        const auto unit = FindCodec(name).unit;
        // What codes messages is as fast as the scenario says of its own codec.
        const bool isKnown = unit == CodedUnit::FRAME || name == base.codec.name;
        const bool keeps = unit == CodedUnit::BUCKET || (isKnown && IsLossless(name));
        if (name != "none" && keeps)
        {
            auto& settings =
                choices.emplace_back(Choice{name, CodecSettingsOf(base, name)}).settings;
            if (name == g_sketch) // of which nothing is expected to be estimated
            {
                settings.insert(settings.end(), {"codec.ratio=safe", "codec.safe_left=0"});
            }
        }
    }
    bool admitsSixteenBits = false;
    for (const auto& loss : losses)
    {
        admitsSixteenBits = admitsSixteenBits || loss.kind == "16-bit";
        if (all && (loss.kind == "sketch" || !IsAmong(loss.kind, OtherLosses())))
        {
            choices.push_back(LossyChoice(base, loss));
        }
    }
    if (!hasSixteenBits)
    {
        const std::string key = base.training.reduceType ? "reduce_type" : "gradient_type";
        auto settings = NoCodec(base);
        settings.push_back("training." + key + "=bf16");
        choices.push_back(
            {"none, 16 bits", std::move(settings), false, true, admitsSixteenBits, 2});
    }
    return choices;
}

/** A size of buckets. */
struct BucketChoice
{
    SendUnit send;
    std::uint64_t bytes; ///< exchange.bucket_bytes, if that fills buckets
    bool isOwn;          ///< as the scenario says
};

bool
FillsBuckets(SendUnit send)
{
    return send == SendUnit::BUCKET || send == SendUnit::FUSED;
}

/** training.send */
std::string
TextOf(SendUnit send)
{
    Scenario scratch;
    scratch.training.send = send;
    return FindKey("training.send")->text(scratch);
}

/** As the scenario says, then powers of 4 from 1 MiB on; of those that cut alike, the first. */
std::vector<BucketChoice>
BucketChoices(const Scenario& base, bool all)
{
    const auto& trace = *base.training.readTrace;
    const auto send = FillsBuckets(base.training.send) ? base.training.send : SendUnit::BUCKET;
    std::vector<BucketChoice> choices{{base.training.send, base.exchange.bucketBytes, true}};
    std::set<std::vector<std::uint64_t>> known{BeginsOf(BucketsOf(base, trace))};
    auto changed = base;
    changed.training.send = send;
    for (auto bytes = g_leastBucket; all; bytes *= g_bucketFactor)
    {
        changed.exchange.bucketBytes = bytes;
        if (known.insert(BeginsOf(BucketsOf(changed, trace))).second)
        {
            choices.push_back({send, bytes, false});
        }
        if (bytes >= trace.Bytes())
        {
            break;
        }
    }
    return choices;
}

Candidate
CandidateOf(const Choice& exchange, const Choice& codec, const BucketChoice& bucket)
{
    const auto bytes = g_byteCount.Format(bucket.bytes / codec.bucketDivisor);
    Candidate candidate{exchange.label,
                        codec.label,
                        FillsBuckets(bucket.send) ? bytes : TextOf(bucket.send),
                        codec.settings,
                        codec.uncompressed,
                        codec.sixteenBits,
                        codec.mayWin};
    candidate.settings.insert(
        candidate.settings.begin(), exchange.settings.begin(), exchange.settings.end());
    if (!bucket.isOwn)
    {
        candidate.settings.push_back("training.send=" + TextOf(bucket.send));
    }
    if (FillsBuckets(bucket.send) && (!bucket.isOwn || codec.bucketDivisor > 1))
    {
        candidate.settings.push_back("exchange.bucket_bytes=" + bytes);
    }
    return candidate;
}

/** As people call it: several rings at the same time are another exchange. */
std::string
ExchangeLabel(const std::string& name, std::uint32_t channels)
{
    return name == g_ring && channels > 1 ? name + " with " + std::to_string(channels) + " channels"
                                          : name;
}

/** The scenario's own exchange, NCCL's, and those that are named; a ring with 1 and 2 channels, too. */
std::vector<Choice>
ExchangeChoices(const Scenario& base, const DecideOver& over)
{
    const bool picks = PicksBySize(base); // what the own exchange is
    std::vector<Choice> choices{
        {picks ? base.exchange.library : ExchangeLabel(base.exchange.algorithm, base.ring.channels),
         {}}};
    for (const auto& name : ExchangeCatalog().Names())
    {
        const bool isTried =
            IsAmong(name, over.exchanges) || (over.exchange && IsAmong(name, {g_ring, "tree"}));
        for (const auto channels : {base.ring.channels, 1U, 2U})
        {
            const auto label = ExchangeLabel(name, AddsUp(base) ? channels : 1);
            const bool isKnown =
                std::any_of(choices.begin(), choices.end(), [&label](const Choice& choice) {
                    return choice.label == label;
                });
            if (isTried && !isKnown)
            {
                choices.push_back({label,
                                   {"exchange.library=none",
                                    "exchange.algorithm=" + name,
                                    "ring.channels=" + std::to_string(channels)}});
            }
        }
    }
    return choices;
}

} // namespace

DecideOver
ParseDecideOver(const std::string& text)
{
    DecideOver over{false, false, false, {}};
    const std::map<std::string, bool*> parts{
        {"exchange", &over.exchange}, {"codec", &over.codec}, {"bucket", &over.bucket}};
    Texts known{"exchange", "codec", "bucket"};
    const auto exchanges = ExchangeCatalog().Names();
    known.insert(known.end(), exchanges.begin(), exchanges.end());
    for (const auto& name : SplitCsv(text).value_or(Texts{text}))
    {
        if (!IsAmong(name, known))
        {
            throw InputError("--over: " + UnknownName(name, known));
        }
        if (const auto part = parts.find(name); part != parts.end())
        {
            *part->second = true;
        }
        else
        {
            over.exchanges.push_back(name);
        }
    }
    return over;
}

std::vector<AdmittedLoss>
LossesOfAllCodecs()
{
    std::vector<AdmittedLoss> losses;
    for (const auto& entry : CodecCatalog())
    {
        for (const auto& spec : UsualSpecs(entry))
        {
            if (Loses(entry.name))
            {
                losses.push_back({entry.name, entry.argumentText ? entry.argumentText(spec) : ""});
            }
        }
    }
    return losses;
}

std::vector<AdmittedLoss>
ParseLosses(const std::string& text)
{
    auto names = CodecNames();
    names.erase(
        std::remove_if(names.begin(), names.end(), [](const auto& name) { return !Loses(name); }),
        names.end());
    names.insert(names.end(), OtherLosses().begin(), OtherLosses().end());
    std::vector<AdmittedLoss> losses;
    for (const auto& item : SplitCsv(text).value_or(Texts{text}))
    {
        const bool isBound = item.compare(0, g_boundPrefix.size(), g_boundPrefix) == 0;
        const auto colon = std::min(item.find(':'), item.size());
        AdmittedLoss loss{isBound ? "inceptionn" : item.substr(0, colon),
                          isBound                ? item
                          : colon == item.size() ? ""
                                                 : item.substr(colon + 1)};
        if (!IsAmong(loss.kind, names))
        {
            throw InputError("--lossy: " + UnknownName(loss.kind, names));
        }
        RequireArgument(loss);
        losses.push_back(std::move(loss));
    }
    return losses;
}

std::vector<Candidate>
Candidates(const Scenario& base, const DecideOver& over, const std::vector<AdmittedLoss>& losses)
{
    const auto buckets = BucketChoices(base, over.bucket);
    const auto exchanges = ExchangeChoices(base, over);
    auto own = CandidateOf(exchanges.front(), {OwnCodec(base), {}}, buckets.front());
    own.settings.clear();
    std::vector<Candidate> candidates{own};
    const auto changesNothing = [&base](const std::string& setting) {
        const auto equals = setting.find('=');
        return FindKey(setting.substr(0, equals))->text(base) == setting.substr(equals + 1);
    };
    for (const auto& exchange : exchanges)
    {
        for (const auto& codec : CodecChoices(base, over.codec, losses))
        {
            for (const auto& bucket : buckets)
            {
                auto candidate = CandidateOf(exchange, codec, bucket);
                auto& settings = candidate.settings;
                settings.erase(std::remove_if(settings.begin(), settings.end(), changesNothing),
                               settings.end());
                candidates.push_back(std::move(candidate));
            }
        }
    }
    return candidates;
}

} // namespace inca
