/**
 * The values behind the RedisBloom commands {@code CMS.*}, {@code TOPK.*} and {@code CF.*}. Each
 * belongs to one key of a store, has the semantics of RedisBloom, and is saved with the key.
 *
 * <p>Heatshield's own sketches and filters are in {@link io.heatshield.sketch} and {@link
 * io.heatshield.filter}. Those are designed for many threads, process-wide keyed hashes and fixed
 * memory; these for weighted merging, deletion of repeated items, growth and dumps in chunks.
 */
@NullMarked
package io.heatshield.redisbloom;

import org.jspecify.annotations.NullMarked;
