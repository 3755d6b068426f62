/** Formats the responses of a server for a terminal. */
@NullMarked
package io.heatshield.cli.view;

import org.jspecify.annotations.NullMarked;
