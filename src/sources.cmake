# The one list of files; both builds read it. Paths are relative to the repository root, because
# ns-3's build_lib() resolves them there. One list of sources and one of tests per folder.

# -- base ------------------------------------------------------------------------------------------
set(inca_base_sources
    src/base/checksum.cc
    src/base/errors.cc
    src/base/interrupt.cc
    src/base/nearest.cc
    src/base/portable-math.cc
    src/base/random.cc
    src/base/units.cc
)
set(inca_base_tests
    test/base/checksum-test.cc
    test/base/portable-math-test.cc
    test/base/random-test.cc
    test/base/units-test.cc
)

# -- trace -----------------------------------------------------------------------------------------
set(inca_trace_sources
    src/trace/alias-table.cc
    src/trace/complaint-list.cc
    src/trace/csv-fields.cc
    src/trace/drawn-values.cc
    src/trace/exponent-law.cc
    src/trace/file-values.cc
    src/trace/gradient-trace.cc
    src/trace/layer-statistics.cc
    src/trace/native-trace-writer.cc
    src/trace/native-trace.cc
    src/trace/safetensors-header.cc
    src/trace/safetensors.cc
    src/trace/trace-catalog.cc
    src/trace/trace-columns.cc
    src/trace/trace-header.cc
    src/trace/trace-metadata.cc
    src/trace/zero-overlap.cc
)
set(inca_trace_tests
    test/trace/alias-table-test.cc
    test/trace/csv-fields-test.cc
    test/trace/drawn-values-test.cc
    test/trace/exponent-law-test.cc
    test/trace/file-values-test.cc
    test/trace/hostile-input-test.cc
    test/trace/layer-offsets-test.cc
    test/trace/layer-statistics-test.cc
    test/trace/native-trace-test.cc
    test/trace/safetensors-test.cc
    test/trace/shipped-traces-test.cc
    test/trace/trace-catalog-test.cc
    test/trace/zero-overlap-test.cc
)

# -- codec -----------------------------------------------------------------------------------------
set(inca_codec_sources
    src/codec/cast-codec.cc
    src/codec/codec-catalog.cc
    src/codec/inceptionn-codec.cc
    src/codec/inceptionn-widths.cc
    src/codec/null-codec.cc
    src/codec/stream-checks.cc
    src/codec/truncate-codec.cc
)
set(inca_codec_tests
    test/codec/cast-codec-test.cc
    test/codec/codec-catalog-test.cc
    test/codec/inceptionn-codec-test.cc
    test/codec/inceptionn-widths-test.cc
    test/codec/null-codec-test.cc
    test/codec/truncate-codec-test.cc
)

# -- exchange --------------------------------------------------------------------------------------
set(inca_exchange_sources
    src/exchange/broadcast.cc
    src/exchange/bucket-plan.cc
    src/exchange/clockless-replay.cc
    src/exchange/composed-program.cc
    src/exchange/exchange-catalog.cc
    src/exchange/hierarchical-aggregator.cc
    src/exchange/hierarchical-ring.cc
    src/exchange/interval-set.cc
    src/exchange/rank-values.cc
    src/exchange/reference-sum.cc
    src/exchange/ring-pieces.cc
    src/exchange/ring.cc
    src/exchange/star-pieces.cc
    src/exchange/traffic.cc
    src/exchange/worker-aggregator.cc
)
set(inca_exchange_tests
    test/exchange/broadcast-test.cc
    test/exchange/bucket-plan-test.cc
    test/exchange/clockless-replay-test.cc
    test/exchange/composed-program-test.cc
    test/exchange/element-range-test.cc
    test/exchange/exchange-catalog-test.cc
    test/exchange/exchange-properties-test.cc
    test/exchange/groups-test.cc
    test/exchange/half-duplex-test.cc
    test/exchange/hierarchical-aggregator-test.cc
    test/exchange/hierarchical-ring-test.cc
    test/exchange/interval-set-test.cc
    test/exchange/rank-values-test.cc
    test/exchange/reference-sum-test.cc
    test/exchange/rendezvous.cc
    test/exchange/ring-pieces-test.cc
    test/exchange/ring-test.cc
    test/exchange/star-pieces-test.cc
    test/exchange/traffic-test.cc
    test/exchange/worker-aggregator-test.cc
)

# -- scenario --------------------------------------------------------------------------------------
set(inca_scenario_sources
    src/scenario/checks.cc
    src/scenario/cluster-keys.cc
    src/scenario/codec-keys.cc
    src/scenario/exchange-keys.cc
    src/scenario/grid.cc
    src/scenario/host-keys.cc
    src/scenario/key-makers.cc
    src/scenario/key-text.cc
    src/scenario/keys.cc
    src/scenario/scenario-builder.cc
    src/scenario/scenario-reader.cc
    src/scenario/specs.cc
    src/scenario/toml-document.cc
    src/scenario/training-keys.cc
    src/scenario/worker-settings.cc
)
set(inca_scenario_tests
    test/scenario/checks-test.cc
    test/scenario/grid-test.cc
    test/scenario/key-text-test.cc
    test/scenario/keys-test.cc
    test/scenario/mangled-scenario-test.cc
    test/scenario/scenario-reader-test.cc
    test/scenario/specs-test.cc
    test/scenario/toml-document-test.cc
    test/scenario/worker-settings-test.cc
)

# -- model -----------------------------------------------------------------------------------------
set(inca_model_sources
    src/model/aggregator-application.cc
    src/model/bypass-reason.cc
    src/model/compression-engine.cc
    src/model/decompression-engine.cc
    src/model/drop-reason.cc
    src/model/engine.cc
    src/model/exchange-order.cc
    src/model/exchange-runner.cc
    src/model/gradient-payload.cc
    src/model/gradient-tag.cc
    src/model/link.cc
    src/model/nic-device.cc
    src/model/nic-type.cc
    src/model/nic.cc
    src/model/payload-coding.cc
    src/model/port.cc
    src/model/rank-application.cc
    src/model/rank-resource.cc
    src/model/receive-connection.cc
    src/model/send-connection.cc
    src/model/stack-payload.cc
    src/model/switch-port.cc
    src/model/switch.cc
    src/model/train-packet.cc
    src/model/train.cc
    src/model/training-job.cc
    src/model/transport-header.cc
    src/model/transport-receiving.cc
    src/model/transport-type.cc
    src/model/transport.cc
    src/model/worker-application.cc
)
set(inca_model_tests
    test/model/engine-test.cc
    test/model/exchange-order-test.cc
    test/model/link-test.cc
    test/model/nic-test.cc
    test/model/port-test.cc
    test/model/stack-payload-test.cc
    test/model/transport-loss-test.cc
    test/model/transport-test.cc
    test/model/wire-format-test.cc
)

# -- helper ----------------------------------------------------------------------------------------
set(inca_helper_sources
    src/helper/cluster.cc
    src/helper/job-helper.cc
    src/helper/nic-pcap-helper.cc
    src/helper/star-helper.cc
    src/helper/time-resolution.cc
)
set(inca_helper_tests
    test/helper/nic-pcap-helper-test.cc
    test/helper/ns3-stack-test.cc
    test/helper/star-helper-test.cc
)

# -- record ----------------------------------------------------------------------------------------
set(inca_record_sources
    src/record/csv-file.cc
    src/record/csv-text.cc
    src/record/result-row.cc
    src/record/run-directory.cc
    src/record/run-record.cc
)
set(inca_record_tests
    test/record/csv-file-test.cc
    test/record/csv-text-test.cc
    test/record/result-row-test.cc
    test/record/run-directory-test.cc
    test/record/run-record-test.cc
)

# -- experiment ------------------------------------------------------------------------------------
set(inca_experiment_sources
    src/experiment/attributes.cc
    src/experiment/breakdown.cc
    src/experiment/compute-times.cc
    src/experiment/job-builder.cc
    src/experiment/layer-rows.cc
    src/experiment/lower-bound.cc
    src/experiment/mean-bits.cc
    src/experiment/rank-work.cc
    src/experiment/recorder.cc
    src/experiment/run-experiment.cc
    src/experiment/simulation.cc
    src/experiment/span-set.cc
    src/experiment/verifier.cc
    src/experiment/watchdog.cc
)
set(inca_experiment_tests
    test/experiment/breakdown-test.cc
    test/experiment/compute-times-test.cc
    test/experiment/mean-bits-test.cc
    test/experiment/span-set-test.cc
)

# -- report ----------------------------------------------------------------------------------------
set(inca_report_sources
    src/report/progress.cc
    src/report/run-table.cc
    src/report/sweep-table.cc
)
set(inca_report_tests
    test/report/progress-test.cc
    test/report/run-table-test.cc
)

# -- sweep -----------------------------------------------------------------------------------------
set(inca_sweep_sources
    src/sweep/sweep.cc
)
set(inca_sweep_tests
)

# -- validation ------------------------------------------------------------------------------------
set(inca_validation_sources
    src/validation/comparison-text.cc
    src/validation/comparison.cc
    src/validation/inceptionn-figures.cc
    src/validation/inceptionn-prediction.cc
    src/validation/inceptionn-published.cc
    src/validation/inceptionn-scenarios.cc
    src/validation/inceptionn.cc
    src/validation/validation-catalog.cc
)
set(inca_validation_tests
)

# -- cli -------------------------------------------------------------------------------------------
set(inca_cli_sources
    src/cli/codec-command.cc
    src/cli/codec-input.cc
    src/cli/codec-measure.cc
    src/cli/list-command.cc
    src/cli/program.cc
    src/cli/run-command.cc
    src/cli/scenario-options.cc
    src/cli/sweep-command.cc
    src/cli/text-table.cc
    src/cli/trace-command.cc
    src/cli/trace-tables.cc
    src/cli/validate-command.cc
    src/cli/whole-file.cc
)
set(inca_cli_tests
    test/cli/codec-command-test.cc
    test/cli/text-table-test.cc
    test/cli/trace-command-test.cc
    test/cli/trace-tables-test.cc
)

# -- the module ------------------------------------------------------------------------------------
set(inca_public_headers
    src/inca.h
)
