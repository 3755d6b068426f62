/** The process around a command: exit codes, error messages, input files, signals and output. */
@NullMarked
package io.heatshield.cli.process;

import org.jspecify.annotations.NullMarked;
