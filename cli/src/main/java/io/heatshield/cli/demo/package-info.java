/** The scenes of {@code heatshield demo}: a store, its users, attacks, and what was measured. */
@NullMarked
package io.heatshield.cli.demo;

import org.jspecify.annotations.NullMarked;
