/** Requests and responses of the {@code limit} command. */
@NullMarked
package io.heatshield.cli.limit;

import org.jspecify.annotations.NullMarked;
