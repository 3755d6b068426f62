/** The engine that keeps a store's data in a Redis, which others may write to as well. */
@NullMarked
package io.heatshield.store.redis;

import org.jspecify.annotations.NullMarked;
