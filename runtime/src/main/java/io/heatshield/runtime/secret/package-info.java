/** Reads secrets and tokens from files that only their owner may read. */
@NullMarked
package io.heatshield.runtime.secret;

import org.jspecify.annotations.NullMarked;
