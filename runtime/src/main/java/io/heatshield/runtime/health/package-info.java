/** Collects what keeps the server from being ready. */
@NullMarked
package io.heatshield.runtime.health;

import org.jspecify.annotations.NullMarked;
