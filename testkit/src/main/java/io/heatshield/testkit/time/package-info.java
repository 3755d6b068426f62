/** Time for tests: a ticker that a test advances. */
@NullMarked
package io.heatshield.testkit.time;

import org.jspecify.annotations.NullMarked;
