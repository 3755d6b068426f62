/** Completion scripts for shells that picocli does not support. */
@NullMarked
package io.heatshield.cli.completion;

import org.jspecify.annotations.NullMarked;
