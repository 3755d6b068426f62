/** The engine that stores data in a Redis, which others may write to. */
@NullMarked
package io.heatshield.store.redis;

import org.jspecify.annotations.NullMarked;
