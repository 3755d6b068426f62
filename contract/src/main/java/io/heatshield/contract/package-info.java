/**
 * Test suites for authors: {@link io.heatshield.contract.EngineContract} for engines of guarded
 * stores, {@link io.heatshield.contract.CounterContract} for back ends of rate-limit counters.
 */
@NullMarked
package io.heatshield.contract;

import org.jspecify.annotations.NullMarked;
