/**
 * The terms of rate limits: requests, descriptors, limits and answers; values without behaviour.
 */
@NullMarked
package io.heatshield.limit;

import org.jspecify.annotations.NullMarked;
