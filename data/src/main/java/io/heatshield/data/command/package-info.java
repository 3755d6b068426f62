/** The commands of the data port: their declaration, arguments and execution. */
@NullMarked
package io.heatshield.data.command;

import org.jspecify.annotations.NullMarked;
