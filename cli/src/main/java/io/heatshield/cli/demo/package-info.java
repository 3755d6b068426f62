/** The traffic of {@code heatshield demo}: seeded, paced, and with a hot key that moves on. */
@NullMarked
package io.heatshield.cli.demo;

import org.jspecify.annotations.NullMarked;
