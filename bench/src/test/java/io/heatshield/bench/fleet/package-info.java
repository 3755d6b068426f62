/** What it costs to be one of many. */
@NullMarked
package io.heatshield.bench.fleet;

import org.jspecify.annotations.NullMarked;
