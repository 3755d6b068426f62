/** Lets the calls for a counter that everyone raises share one, each with its own exact count. */
@NullMarked
package io.heatshield.limit.coalesce;

import org.jspecify.annotations.NullMarked;
