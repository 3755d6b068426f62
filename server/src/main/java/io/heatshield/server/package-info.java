/** The server process: startup, readiness and graceful shutdown. */
@NullMarked
package io.heatshield.server;

import org.jspecify.annotations.NullMarked;
