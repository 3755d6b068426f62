/** The Redis client: a single server, a master that sentinels watch, or a cluster. */
@NullMarked
package io.heatshield.redis;

import org.jspecify.annotations.NullMarked;
