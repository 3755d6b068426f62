/** What happened: for how long keys were hot, why, what protection did, and what to do. */
@NullMarked
package io.heatshield.insight.incident;

import org.jspecify.annotations.NullMarked;
