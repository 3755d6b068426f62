/** Completion scripts for shells that picocli has none for, made from the model of the commands. */
@NullMarked
package io.heatshield.cli.completion;

import org.jspecify.annotations.NullMarked;
