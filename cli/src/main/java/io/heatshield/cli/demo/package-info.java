/** The scenes of {@code heatshield demo} and their results. */
@NullMarked
package io.heatshield.cli.demo;

import org.jspecify.annotations.NullMarked;
