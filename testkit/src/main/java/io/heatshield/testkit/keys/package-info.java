/** Keys for tests: nasty ones with assertions about their display, and Zipf-distributed ones. */
@NullMarked
package io.heatshield.testkit.keys;

import org.jspecify.annotations.NullMarked;
