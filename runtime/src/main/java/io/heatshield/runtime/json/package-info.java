/** Reads and writes JSON. */
@NullMarked
package io.heatshield.runtime.json;

import org.jspecify.annotations.NullMarked;
