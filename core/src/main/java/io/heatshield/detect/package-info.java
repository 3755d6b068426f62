/** Which keys exceed a rate, out of unboundedly many, in bounded memory and without a miss. */
@NullMarked
package io.heatshield.detect;

import org.jspecify.annotations.NullMarked;
