/**
 * This process's part in a fleet: the exchange in Redis, the secret, and who acts on fleet heat.
 */
@NullMarked
package io.heatshield.server.fleet;

import org.jspecify.annotations.NullMarked;
