/**
 * Rules of rate limits, compiled into one tree per domain, and the search for the one that applies.
 */
@NullMarked
package io.heatshield.limit.rule;

import org.jspecify.annotations.NullMarked;
