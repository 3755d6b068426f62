/** The data door: the Redis protocol for the guarded stores, with its clients, users and limits. */
@NullMarked
package io.heatshield.server.data;

import org.jspecify.annotations.NullMarked;
