/** Keys for tests: nasty ones with a check of how they are shown, and Zipf-distributed ones. */
@NullMarked
package io.heatshield.testkit.keys;

import org.jspecify.annotations.NullMarked;
