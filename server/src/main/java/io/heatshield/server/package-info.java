/** The process: start order, readiness and the graceful stop. */
@NullMarked
package io.heatshield.server;

import org.jspecify.annotations.NullMarked;
