/** The {@code heatshield} command: one class per subcommand. */
@NullMarked
package io.heatshield.cli;

import org.jspecify.annotations.NullMarked;
