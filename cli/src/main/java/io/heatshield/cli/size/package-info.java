/** The arithmetic and the output of the command {@code size}. */
@NullMarked
package io.heatshield.cli.size;

import org.jspecify.annotations.NullMarked;
