/** Turns nodes into settings records, by reflection, and settings back into text. */
@NullMarked
package io.heatshield.config.bind;

import org.jspecify.annotations.NullMarked;
