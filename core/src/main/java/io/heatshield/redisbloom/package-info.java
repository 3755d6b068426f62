/**
 * The values behind the RedisBloom commands {@code CMS.*}, {@code TOPK.*} and {@code CF.*}: each
 * belongs to one key of a store, has the meaning that RedisBloom gives it, and is saved with it.
 *
 * <p>What Heatshield itself counts and filters with is in {@link io.heatshield.sketch} and {@link
 * io.heatshield.filter}. Those are made for many threads, keyed hashes of a whole process and a
 * fixed memory; these for merging with weights, deleting repeated items, growing with their
 * clients' data and dumps in chunks.
 */
@NullMarked
package io.heatshield.redisbloom;

import org.jspecify.annotations.NullMarked;
