/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALUES_INCA_VALUES_H
#define INCA_VALUES_INCA_VALUES_H

#include <stddef.h>
#include <stdint.h>

/**
 * @file
 * libinca-values: the arithmetic of an exchange of gradients, for other programs. What it returns is, to the bit, what
 * the workers of `inca run` with `training.values = true` hold after the exchange: the same codec, sketch, switch or
 * order of additions, without a clock and without a network. Where the order in which frames arrive decides how a sum
 * is rounded (a switch that adds fp32), workers' gradients are added in the order of the workers.
 *
 * A handle is for one thread at a time. No function throws; each that may fail writes why into @p error, cut to
 * @p error_size bytes, its final zero included.
 */

#ifdef __cplusplus
extern "C"
{
#endif

/** Counts up when a function or a struct of this file changes. */
#define INCA_VALUES_VERSION 1

    /** What a function that may fail returns. */
    enum
    {
        INCA_VALUES_OK = 0,
        INCA_VALUES_REFUSED = 2, /**< the scenario or the arguments are at fault */
        INCA_VALUES_FAILED = 3,  /**< this library is, or memory is short */
    };

    /** An exchange of a scenario that is made ready. */
    typedef struct inca_values inca_values;

    /** What an exchange has put on the wire, and what became of its values. */
    typedef struct
    {
        double
            bits_per_value; /**< of a gradient's value on the wire, encoded, without headers (bits) */
        uint64_t gradient_bytes; /**< of the payload that all ranks have sent, encoded */
        uint64_t weight_bytes;   /**< the same of what comes back to workers from whoever sums */
        uint64_t misfits;        /**< values that did not fit the scale by which a switch adds */
        uint64_t estimated; /**< values of a sketch that are an estimate of the sum, not the sum */
        double
            replica_difference; /**< the largest difference between two workers' copies of a value */
    } inca_values_counts;

    /** @return INCA_VALUES_VERSION of the library that was loaded */
    int inca_values_version(void);

    /**
     * Makes the exchange of a scenario ready.
     * @param scenario the path of a TOML file; or, if there is a line feed in it, the text of one
     * @param settings "key=value" each, applied in their order
     * @param tensors elements of each tensor of the model, in model order: each is a layer, and they take the place of
     *        the scenario's trace. Null: the trace's
     * @return null if that failed
     */
    inca_values* inca_values_open(const char* scenario,
                                  const char* const* settings,
                                  size_t setting_count,
                                  const uint64_t* tensors,
                                  size_t tensor_count,
                                  char* error,
                                  size_t error_size);

    /** @return how many workers the exchange is among */
    uint32_t inca_values_workers(const inca_values* exchange);

    /** @return of how many values each worker's gradient is */
    uint64_t inca_values_elements(const inca_values* exchange);

    /**
     * Goes through one exchange.
     * @param own each worker's gradient: a pointer for each worker, to the elements of all tensors end to end, all
     *        finite
     * @param results what each worker holds afterwards, the sum and not the mean: a pointer for each worker, of which
     *        some may be null; they may be the pointers of @p own
     * @param counts of this exchange; may be null
     * @return INCA_VALUES_OK, or why not; the results are undefined then
     */
    int inca_values_run(inca_values* exchange,
                        const float* const* own,
                        float* const* results,
                        inca_values_counts* counts,
                        char* error,
                        size_t error_size);

    /**
     * What a worker's own encoder leaves of its gradient, decode(encode(gradient)), after it was rounded to the
     * gradients' type and made sparse: what error feedback takes from a gradient. Of sketches, and without a codec, the
     * gradient that was rounded and made sparse.
     * @param own of one worker, and @p coded, as long as that; they may be the same
     * @return as inca_values_run
     */
    int inca_values_code(inca_values* exchange,
                         uint32_t worker,
                         const float* own,
                         float* coded,
                         char* error,
                         size_t error_size);

    /**
     * @return the exchange as JSON, until the next call or until it is closed: "version" of INCA, "workers", "elements",
     *         "tensors" (empty: the trace's), "exchange", "codec" and "gradient_type" for people, "value_path" (16
     *         hexadecimal digits that are equal where the arithmetic is), "lossless" (whether its sums are what
     *         additions of all gradients in fp32 make in some order), and "runs" and "bits_per_value" since it was opened or
     *         reset; null if memory is short
     */
    const char* inca_values_describe(inca_values* exchange);

    /** Forgets what describe says of the runs so far. */
    void inca_values_reset(inca_values* exchange);

    /** @param exchange may be null */
    void inca_values_close(inca_values* exchange);

#ifdef __cplusplus
}
#endif

#endif // INCA_VALUES_INCA_VALUES_H
