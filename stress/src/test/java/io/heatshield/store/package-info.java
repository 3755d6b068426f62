/** The way of the races to what a store keeps to itself: classes in the store's package. */
@NullMarked
package io.heatshield.store;

import org.jspecify.annotations.NullMarked;
