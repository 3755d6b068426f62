/** Concurrency tests, each with a broken variant whose race the test must find. */
@NullMarked
package io.heatshield.stress;

import org.jspecify.annotations.NullMarked;
