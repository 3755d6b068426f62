/** Tests of the command line, of the launcher and of the distribution. */
@NullMarked
package io.heatshield.cli;

import org.jspecify.annotations.NullMarked;
