/** Coalesces calls for hot counters into batches; every caller gets its own exact count. */
@NullMarked
package io.heatshield.limit.coalesce;

import org.jspecify.annotations.NullMarked;
