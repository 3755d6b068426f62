/** The server's rate limits: the limiter with its rule folder, scopes and meters. */
@NullMarked
package io.heatshield.server.limit;

import org.jspecify.annotations.NullMarked;
