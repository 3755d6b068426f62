/** Gives concurrency tests access to package-private classes of the Redis client. */
@NullMarked
package io.heatshield.redis.command;

import org.jspecify.annotations.NullMarked;
