/**
 * The shield: a proxy that forwards the commands of clients to a Redis and protects its hot keys.
 */
@NullMarked
package io.heatshield.shield;

import org.jspecify.annotations.NullMarked;
