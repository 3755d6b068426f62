/** Recorded access traces for tests, read as a stream of keys. */
@NullMarked
package io.heatshield.testkit.trace;

import org.jspecify.annotations.NullMarked;
