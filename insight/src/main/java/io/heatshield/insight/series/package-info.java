/** The last minutes by the second: what was asked, saved, sent to stores, and how long it took. */
@NullMarked
package io.heatshield.insight.series;

import org.jspecify.annotations.NullMarked;
