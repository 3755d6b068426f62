/** The options, progress and output files of the commands that read recorded traces. */
@NullMarked
package io.heatshield.cli.replay;

import org.jspecify.annotations.NullMarked;
