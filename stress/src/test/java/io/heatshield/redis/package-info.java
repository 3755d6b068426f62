/** The way of the races to what the client keeps to itself: classes in the client's package. */
@NullMarked
package io.heatshield.redis;

import org.jspecify.annotations.NullMarked;
