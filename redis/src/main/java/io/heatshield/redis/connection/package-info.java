/** Connections to one Redis server: address, login, TLS and reading of replies. */
@NullMarked
package io.heatshield.redis.connection;

import org.jspecify.annotations.NullMarked;
