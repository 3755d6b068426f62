/** Binds nodes to settings records, by reflection, and converts settings to text. */
@NullMarked
package io.heatshield.config.bind;

import org.jspecify.annotations.NullMarked;
