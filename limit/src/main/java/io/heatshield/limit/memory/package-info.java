/** Counters in this process: exact under any number of threads, and bounded. */
@NullMarked
package io.heatshield.limit.memory;

import org.jspecify.annotations.NullMarked;
