/** The contract of every engine of a store. */
@NullMarked
package io.heatshield.testkit.store;

import org.jspecify.annotations.NullMarked;
