/** The metrics of the last minutes, second by second. */
@NullMarked
package io.heatshield.insight.series;

import org.jspecify.annotations.NullMarked;
