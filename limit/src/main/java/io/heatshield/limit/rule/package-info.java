/**
 * Rules of rate limits, compiled to one tree for each domain, and the search for the matching one.
 */
@NullMarked
package io.heatshield.limit.rule;

import org.jspecify.annotations.NullMarked;
