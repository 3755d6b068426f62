/** The commands that query a running server over HTTP. */
@NullMarked
package io.heatshield.cli.query;

import org.jspecify.annotations.NullMarked;
