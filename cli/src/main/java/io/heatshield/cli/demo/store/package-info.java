/** The stores of the demo: an embedded one with bounded capacity, and a real Redis. */
@NullMarked
package io.heatshield.cli.demo.store;

import org.jspecify.annotations.NullMarked;
