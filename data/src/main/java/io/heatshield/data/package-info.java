/** The Redis-protocol port for guarded stores: connections, users, limits and counters. */
@NullMarked
package io.heatshield.data;

import org.jspecify.annotations.NullMarked;
