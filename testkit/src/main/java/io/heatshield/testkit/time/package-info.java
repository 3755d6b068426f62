/** Time for tests: a ticker that moves only when told to. */
@NullMarked
package io.heatshield.testkit.time;

import org.jspecify.annotations.NullMarked;
