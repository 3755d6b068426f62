/** What Heatshield's structures cost, beside rivals in the same run on the same keys. */
@NullMarked
package io.heatshield.bench;

import org.jspecify.annotations.NullMarked;
