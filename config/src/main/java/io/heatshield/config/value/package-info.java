/**
 * The values that settings are made of, each read from its text: sizes, durations, rates,
 * addresses.
 */
@NullMarked
package io.heatshield.config.value;

import org.jspecify.annotations.NullMarked;
