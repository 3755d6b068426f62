/** The savings by day, and how they are counted. */
@NullMarked
package io.heatshield.insight.savings;

import org.jspecify.annotations.NullMarked;
