/** The readiness of the server. */
@NullMarked
package io.heatshield.runtime.health;

import org.jspecify.annotations.NullMarked;
