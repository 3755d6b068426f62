/** The fleet node of this process: exchange through Redis, secret, events and protection. */
@NullMarked
package io.heatshield.server.fleet;

import org.jspecify.annotations.NullMarked;
