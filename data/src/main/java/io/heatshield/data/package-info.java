/** The data door: the Redis protocol for the guarded stores, with its clients, users and limits. */
@NullMarked
package io.heatshield.data;

import org.jspecify.annotations.NullMarked;
