/** Micrometer binders for the structures of the library, with the names of the server's metrics. */
@NullMarked
package io.heatshield.micrometer;

import org.jspecify.annotations.NullMarked;
